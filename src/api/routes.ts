import type { ApiRouter } from './context.ts';
import type { ApiDeps } from './apiDeps.ts';
import { accountRoutes } from './routes/account/account.ts';
import { assistantRoutes } from './routes/account/assistants.ts';
import { auditRoutes } from './routes/organization/audit.ts';
import { authRoutes } from './routes/account/auth.ts';
import { batchRoutes } from './routes/batches/batches.ts';
import { callbackSecretRoutes } from './routes/organization/callbackSecret.ts';
import { callbackRoutes } from './routes/tasks/callbacks.ts';
import { consoleRoutes } from './routes/console.ts';
import { deploymentRoutes } from './routes/sites/deployments.ts';
import { documentRoutes } from './routes/document.ts';
import { editLinkRoutes } from './routes/editing/editLink.ts';
import { editorRoutes } from './routes/editing/editor.ts';
import { followUpRoutes } from './routes/tasks/followUps.ts';
import { forgeWebhookRoutes } from './routes/sites/forgeWebhooks.ts';
import { goingLiveRoutes } from './routes/tasks/goingLive.ts';
import { keyRoutes } from './routes/organization/keys.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { noteRoutes } from './routes/tasks/notes.ts';
import { versionRoutes } from './routes/tasks/versions.ts';
import { oauthRoutes } from './routes/account/oauth.ts';
import { peopleRoutes } from './routes/organization/people.ts';
import { approvalRoutes } from './routes/approvals/approvals.ts';
import { previewRoutes } from './routes/tasks/previews.ts';
import { referenceRoutes } from './routes/reference.ts';
import { reviewRoutes } from './routes/reviews/reviews.ts';
import { sharedRoutes, shareRoutes } from './routes/sharing/shares.ts';
import { guestReviewRoutes } from './routes/sharing/guestReviews.ts';
import { sharedWithMeRoutes } from './routes/sharing/sharedWithMe.ts';
import { siteRoutes } from './routes/sites/sites.ts';
import { siteSettingRoutes } from './routes/sites/siteSettings.ts';
import { taskDiffRoutes } from './routes/tasks/taskDiffs.ts';
import { taskEventRoutes } from './routes/tasks/taskEvents.ts';
import { taskListRoutes } from './routes/tasks/taskLists.ts';
import { taskRequestRoutes } from './routes/tasks/taskRequests.ts';
import { taskRoutes } from './routes/tasks/tasks.ts';
import { teamAssistantRoutes } from './routes/organization/teamAssistants.ts';
import { webhookEndpointRoutes } from './routes/organization/webhookEndpoints.ts';
import { usageRoutes } from './routes/organization/usage.ts';

/** Routers, grouped by their common middlewares. */
export interface ApiRouters {
  /** Routes below `/api/v1`. */
  api: ApiRouter[];
  /** Requests of the console, the editor, shared links and assistants, outside of the API. */
  browser: ApiRouter[];
  /** Public pages. Their paths, and the API's, are suggested for misspelled ones. */
  screens: ApiRouter[];
}

/** All routes of the service, except for its health checks. */
export const createRoutes = (apiDeps: ApiDeps): ApiRouters => ({
  api: [
    taskRoutes(apiDeps),
    batchRoutes(apiDeps),
    followUpRoutes(apiDeps),
    goingLiveRoutes(apiDeps),
    noteRoutes(apiDeps),
    versionRoutes(apiDeps),
    approvalRoutes(apiDeps),
    previewRoutes(apiDeps),
    reviewRoutes(apiDeps),
    callbackRoutes(apiDeps),
    siteRoutes(apiDeps),
    siteSettingRoutes(apiDeps),
    forgeWebhookRoutes(apiDeps),
    deploymentRoutes(apiDeps),
    peopleRoutes(apiDeps),
    taskListRoutes(apiDeps),
    taskDiffRoutes(apiDeps),
    taskEventRoutes(apiDeps),
    taskRequestRoutes(apiDeps),
    editLinkRoutes(apiDeps),
    shareRoutes(apiDeps),
    keyRoutes(apiDeps),
    teamAssistantRoutes(apiDeps),
    callbackSecretRoutes(apiDeps),
    webhookEndpointRoutes(apiDeps),
    auditRoutes(apiDeps),
    usageRoutes(apiDeps),
    documentRoutes(apiDeps),
  ],
  browser: [
    authRoutes(apiDeps),
    accountRoutes(apiDeps),
    oauthRoutes(apiDeps),
    assistantRoutes(apiDeps),
    sharedWithMeRoutes(apiDeps),
    editorRoutes(apiDeps),
    sharedRoutes(apiDeps),
    guestReviewRoutes(apiDeps),
    mcpRoutes(apiDeps),
  ],
  screens: [referenceRoutes(), consoleRoutes(apiDeps)],
});
