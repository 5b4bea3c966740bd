import { hasRole, type Role } from '../contract/roles.ts';
import { answerTask } from './answerTask.ts';
import { cancelTask } from './cancelTask.ts';
import { changeSite } from './changeSite.ts';
import { checkItems } from './checkItems.ts';
import { createEditLink } from './createEditLink.ts';
import { dropNotes } from './dropNotes.ts';
import { endShare } from './endShare.ts';
import { generatePages } from './generatePages.ts';
import { getDiff } from './getDiff.ts';
import { getPage } from './getPage.ts';
import { getShare } from './getShare.ts';
import { getTask } from './getTask.ts';
import { listDeployments } from './listDeployments.ts';
import { listPages } from './listPages.ts';
import { listShares } from './listShares.ts';
import { listSites } from './listSites.ts';
import { listTasks } from './listTasks.ts';
import { publishTask } from './publishTask.ts';
import { restoreDeployment } from './restoreDeployment.ts';
import { retryTask } from './retryTask.ts';
import { settleNotes } from './settleNotes.ts';
import { shareTask } from './shareTask.ts';
import { tryPrompt } from './tryPrompt.ts';
import type { Tool } from './tool.ts';

/**
 * All tools, by the least role that may call them. A viewer sees what was shared, and nothing else:
 * the same as everywhere else.
 */
const exposed: Record<'viewer' | 'member', Tool[]> = {
  viewer: [listShares, getShare],
  member: [
    listSites,
    listPages,
    getPage,
    checkItems,
    generatePages,
    tryPrompt,
    changeSite,
    listTasks,
    getTask,
    getDiff,
    answerTask,
    settleNotes,
    dropNotes,
    createEditLink,
    shareTask,
    endShare,
    publishTask,
    retryTask,
    cancelTask,
    listDeployments,
    restoreDeployment,
  ],
};

/** A tool with the least role that may call it. */
export interface Exposed {
  tool: Tool;
  least: Role;
}

export const tools: ReadonlyMap<string, Exposed> = new Map(
  (['viewer', 'member'] as const).flatMap((least) =>
    exposed[least].map((tool) => [tool.name, { tool, least }] as const),
  ),
);

/** The tools that a role may call. */
export const toolsFor = (role: Role): Tool[] =>
  [...tools.values()].flatMap(({ tool, least }) => (hasRole(role, least) ? [tool] : []));
