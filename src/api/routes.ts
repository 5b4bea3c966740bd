import type { ApiRouter } from './context.ts';
import type { ApiDeps } from './parts.ts';
import { accountRoutes } from './routes/account.ts';
import { assistantRoutes } from './routes/assistants.ts';
import { auditRoutes } from './routes/audit.ts';
import { authRoutes } from './routes/auth.ts';
import { batchRoutes } from './routes/batches.ts';
import { callbackSecretRoutes } from './routes/callbackSecret.ts';
import { callbackRoutes } from './routes/callbacks.ts';
import { consoleRoutes } from './routes/console.ts';
import { deploymentRoutes } from './routes/deployments.ts';
import { documentRoutes } from './routes/document.ts';
import { editLinkRoutes } from './routes/editLink.ts';
import { editorRoutes } from './routes/editor.ts';
import { followUpRoutes } from './routes/followUps.ts';
import { forgeWebhookRoutes } from './routes/forgeWebhooks.ts';
import { goingLiveRoutes } from './routes/goingLive.ts';
import { keyRoutes } from './routes/keys.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { noteRoutes } from './routes/notes.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { peopleRoutes } from './routes/people.ts';
import { previewRoutes } from './routes/previews.ts';
import { referenceRoutes } from './routes/reference.ts';
import { sharedRoutes, shareRoutes } from './routes/shares.ts';
import { sharedWithMeRoutes } from './routes/sharedWithMe.ts';
import { siteRoutes } from './routes/sites.ts';
import { siteSettingRoutes } from './routes/siteSettings.ts';
import { taskDiffRoutes } from './routes/taskDiffs.ts';
import { taskEventRoutes } from './routes/taskEvents.ts';
import { taskListRoutes } from './routes/taskLists.ts';
import { taskRequestRoutes } from './routes/taskRequests.ts';
import { taskRoutes } from './routes/tasks.ts';
import { teamAssistantRoutes } from './routes/teamAssistants.ts';
import { usageRoutes } from './routes/usage.ts';

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
    previewRoutes(apiDeps),
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
    mcpRoutes(apiDeps),
  ],
  screens: [referenceRoutes(), consoleRoutes(apiDeps)],
});
