import { hasRole, type Role } from '../contract/roles.ts';
import { answerTaskTool } from './tools/answerTask.ts';
import { approveRowsTool, retryRowsTool } from './tools/batches/changeRows.ts';
import { checkBatchTool } from './tools/batches/checkBatch.ts';
import { decideNotesTool } from './tools/batches/decideNotes.ts';
import { getBatchTool } from './tools/batches/getBatch.ts';
import { makeBatchTool } from './tools/batches/makeBatch.ts';
import { publishBatchTool } from './tools/batches/publishBatch.ts';
import { cancelTaskTool } from './tools/cancelTask.ts';
import { changeSiteTool } from './tools/changeSite.ts';
import { checkItemsTool } from './tools/checkItems.ts';
import { createEditLinkTool } from './tools/createEditLink.ts';
import { dropNotesTool } from './tools/dropNotes.ts';
import { endShareTool } from './tools/endShare.ts';
import { generatePagesTool } from './tools/generatePages.ts';
import { getDiffTool } from './tools/getDiff.ts';
import { getPageTool } from './tools/getPage.ts';
import { getShareTool } from './tools/getShare.ts';
import { getTaskTool } from './tools/getTask.ts';
import { listDeploymentsTool } from './tools/listDeployments.ts';
import { listPagesTool } from './tools/listPages.ts';
import { listSharesTool } from './tools/listShares.ts';
import { listSitesTool } from './tools/listSites.ts';
import { listTasksTool } from './tools/listTasks.ts';
import { publishTaskTool } from './tools/publishTask.ts';
import { restoreDeploymentTool } from './tools/restoreDeployment.ts';
import { retryTaskTool } from './tools/retryTask.ts';
import { settleNotesTool } from './tools/settleNotes.ts';
import { shareTaskTool } from './tools/shareTask.ts';
import { tryPromptTool } from './tools/tryPrompt.ts';
import { undoVersionTool } from './tools/undoVersion.ts';
import type { AssistantTool } from './tool.ts';

/**
 * All tools, by the lowest role that may call them. A viewer sees only what was shared, as in the
 * REST API and in the console.
 */
const toolsByRole: Record<'viewer' | 'member', AssistantTool[]> = {
  viewer: [listSharesTool, getShareTool],
  member: [
    listSitesTool,
    listPagesTool,
    getPageTool,
    checkItemsTool,
    generatePagesTool,
    tryPromptTool,
    changeSiteTool,
    listTasksTool,
    getTaskTool,
    getDiffTool,
    answerTaskTool,
    settleNotesTool,
    dropNotesTool,
    undoVersionTool,
    createEditLinkTool,
    shareTaskTool,
    endShareTool,
    publishTaskTool,
    retryTaskTool,
    cancelTaskTool,
    checkBatchTool,
    makeBatchTool,
    getBatchTool,
    decideNotesTool,
    approveRowsTool,
    retryRowsTool,
    publishBatchTool,
    listDeploymentsTool,
    restoreDeploymentTool,
  ],
};

/** A tool with the lowest role that may call it. */
export interface ExposedTool {
  tool: AssistantTool;
  least: Role;
}

export const tools: ReadonlyMap<string, ExposedTool> = new Map(
  (['viewer', 'member'] as const).flatMap((requiredRole) =>
    toolsByRole[requiredRole].map((tool) => [tool.name, { tool, least: requiredRole }] as const),
  ),
);

/** The tools that a role may call. */
export const toolsFor = (role: Role): AssistantTool[] =>
  [...tools.values()].flatMap(({ tool, least: requiredRole }) =>
    hasRole(role, requiredRole) ? [tool] : [],
  );
