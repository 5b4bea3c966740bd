import type { ApiRouter } from './context.ts';
import type { Parts } from './parts.ts';
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
export interface Routes {
  /** Routes below `/api/v1`. */
  api: ApiRouter[];
  /** Requests of the console, the editor, shared links and assistants, outside of the API. */
  browser: ApiRouter[];
  /** Public pages. Their paths, and the API's, are suggested for misspelled ones. */
  screens: ApiRouter[];
}

/** All routes of the service, except for its health checks. */
export const createRoutes = (parts: Parts): Routes => ({
  api: [
    taskRoutes(parts),
    batchRoutes(parts),
    followUpRoutes(parts),
    goingLiveRoutes(parts),
    noteRoutes(parts),
    previewRoutes(parts),
    callbackRoutes(parts),
    siteRoutes(parts),
    siteSettingRoutes(parts),
    forgeWebhookRoutes(parts),
    deploymentRoutes(parts),
    peopleRoutes(parts),
    taskListRoutes(parts),
    taskDiffRoutes(parts),
    taskEventRoutes(parts),
    taskRequestRoutes(parts),
    editLinkRoutes(parts),
    shareRoutes(parts),
    keyRoutes(parts),
    teamAssistantRoutes(parts),
    callbackSecretRoutes(parts),
    auditRoutes(parts),
    usageRoutes(parts),
    documentRoutes(parts),
  ],
  browser: [
    authRoutes(parts),
    accountRoutes(parts),
    oauthRoutes(parts),
    assistantRoutes(parts),
    sharedWithMeRoutes(parts),
    editorRoutes(parts),
    sharedRoutes(parts),
    mcpRoutes(parts),
  ],
  screens: [referenceRoutes(), consoleRoutes(parts)],
});
