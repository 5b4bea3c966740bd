import { hasRole, type Role } from '../contract/roles.ts';
import { answerTask } from './answerTask.ts';
import { cancelTask } from './cancelTask.ts';
import { changeSite } from './changeSite.ts';
import { checkItems } from './checkItems.ts';
import { generatePages } from './generatePages.ts';
import { getPage } from './getPage.ts';
import { getTask } from './getTask.ts';
import { listPages } from './listPages.ts';
import { listSites } from './listSites.ts';
import { listTasks } from './listTasks.ts';
import { publishTask } from './publishTask.ts';
import { retryTask } from './retryTask.ts';
import type { Tool } from './tool.ts';

/** All tools, by the least role that may call them. */
const exposed: Record<'viewer' | 'member', Tool[]> = {
  viewer: [listSites, listPages, getPage, checkItems, listTasks, getTask],
  member: [generatePages, changeSite, answerTask, publishTask, retryTask, cancelTask],
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
