import { slugsOf } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { PageLists } from '../hosting/siteComparison.ts';
import type { TaskRecord } from '../temporal/tasks/tasks.ts';
import type { Work } from '../threads/threads.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { publishableTask } from './publish.ts';
import { findRestorable } from './restore.ts';
import { findSite, type FollowUpDeps } from './start.ts';
import { nullIfNotFound } from './results.ts';

/** Pages of a task that go live. */
interface GoingPages {
  task: TaskRecord;
  /** Distinct slugs. */
  slugs: string[];
}

/** The changes that publishing a task would put live. */
export interface PublishCheck extends GoingPages {
  /** The unpublished tasks that it builds on, with the pages that go live with them. */
  below: GoingPages[];
  /** Changes that others pushed; null if the repository can't be read at the moment. */
  pushed: PageLists | null;
  /** Why the repository can't be read. null: it can. */
  unreadable: DomainError | null;
}

/**
 * Tells what publishing a task would put live, without publishing.
 * @throws DomainError as `publish`
 */
export async function checkPublish(
  caller: Caller,
  deps: FollowUpDeps & Needs<'siteComparison'>,
  taskId: string,
  work: Work,
): Promise<PublishCheck> {
  const { task, site, output } = await publishableTask(caller, deps, taskId);
  const below = await unpublishedBelow(deps, caller.organizationId, task.onto);
  const pushed = await deps.siteComparison.waiting(site, work).catch((error: unknown) => {
    // the publish itself reports problems with the repository
    if (error instanceof DomainError) return error;
    throw error;
  });
  return {
    task,
    slugs: distinct(slugsOf(output)),
    below: below.map(pagesOf),
    ...(pushed instanceof DomainError
      ? { pushed: null, unreadable: pushed }
      : { pushed, unreadable: null }),
  };
}

function pagesOf(task: TaskRecord): GoingPages {
  const { finished } = task;
  return {
    task,
    slugs: finished?.status === 'completed' ? distinct(slugsOf(finished.output)) : [],
  };
}

const distinct = (slugs: string[]) => [...new Set(slugs)];

/**
 * Tells what restoring a deployment would change on the live site.
 * @throws DomainError NOT_FOUND, CONFLICT, or an error of reading a site
 */
export async function checkRestore(
  caller: Caller,
  deps: Needs<'sites' | 'siteDeployments' | 'siteComparison'>,
  of: { siteId: string; deploymentId: string },
  work: Work,
) {
  const site = await findSite(caller, deps, of.siteId);
  const deployment = await findRestorable(deps, { ...of, siteId: site.siteId });
  return { deployment, lists: await deps.siteComparison.restoring(site, deployment.commit, work) };
}

const MOST_TASKS = 50;

/**
 * The unpublished tasks that a task builds on, nearest first. They go live with it. Tasks that are
 * no longer kept are left out.
 * @param onto the task whose result it builds on
 */
async function unpublishedBelow(
  { tasks, publications }: Needs<'tasks' | 'publications'>,
  organizationId: string,
  onto: string | undefined,
): Promise<TaskRecord[]> {
  const below: TaskRecord[] = [];
  for (let next = onto; next !== undefined && below.length < MOST_TASKS;) {
    if ((await publications.of([next])).has(next)) break;
    const task: TaskRecord | null = await tasks.find(organizationId, next).catch(nullIfNotFound);
    if (!task) break;
    below.push(task);
    next = task.onto;
  }
  return below;
}
