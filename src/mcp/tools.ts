import { hasRole, type Role } from '../contract/roles.ts';
import { answerTaskTool } from './answerTask.ts';
import { cancelTaskTool } from './cancelTask.ts';
import { changeSiteTool } from './changeSite.ts';
import { checkItemsTool } from './checkItems.ts';
import { createEditLinkTool } from './createEditLink.ts';
import { dropNotesTool } from './dropNotes.ts';
import { endShareTool } from './endShare.ts';
import { generatePagesTool } from './generatePages.ts';
import { getDiffTool } from './getDiff.ts';
import { getPageTool } from './getPage.ts';
import { getShareTool } from './getShare.ts';
import { getTaskTool } from './getTask.ts';
import { listDeploymentsTool } from './listDeployments.ts';
import { listPagesTool } from './listPages.ts';
import { listSharesTool } from './listShares.ts';
import { listSitesTool } from './listSites.ts';
import { listTasksTool } from './listTasks.ts';
import { publishTaskTool } from './publishTask.ts';
import { restoreDeploymentTool } from './restoreDeployment.ts';
import { retryTaskTool } from './retryTask.ts';
import { settleNotesTool } from './settleNotes.ts';
import { shareTaskTool } from './shareTask.ts';
import { tryPromptTool } from './tryPrompt.ts';
import type { AssistantTool } from './tool.ts';

/**
 * All tools, by the least role that may call them. A viewer sees what was shared, and nothing else:
 * the same as everywhere else.
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
    createEditLinkTool,
    shareTaskTool,
    endShareTool,
    publishTaskTool,
    retryTaskTool,
    cancelTaskTool,
    listDeploymentsTool,
    restoreDeploymentTool,
  ],
};

/** A tool with the least role that may call it. */
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
