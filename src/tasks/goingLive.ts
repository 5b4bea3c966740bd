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
import { unpublishedBelow } from './unpublishedBelow.ts';

/** Pages that go live with a task. */
interface GoingPages {
  task: TaskRecord;
  /** Each once. */
  slugs: string[];
}

/** What a publish would put live. */
export interface PublishCheck extends GoingPages {
  /** Of the tasks that it is built on, those whose pages are not live. */
  below: GoingPages[];
  /** What others pushed; null where the repository can't be read now. */
  pushed: PageLists | null;
}

/** What would go live with a task, told before it does. @throws DomainError as the publish does */
export async function checkPublish(
  caller: Caller,
  deps: FollowUpDeps & Needs<'siteComparison'>,
  taskId: string,
  work: Work,
): Promise<PublishCheck> {
  const { task, site, output } = await publishableTask(caller, deps, taskId);
  const below = await unpublishedBelow(deps, caller.organizationId, task.onto);
  const pushed = await deps.siteComparison.waiting(site, work).catch((error: unknown) => {
    if (error instanceof DomainError) return null; // the publish itself says what is wrong with the repository
    throw error;
  });
  return { task, slugs: distinct(slugsOf(output)), below: below.map(pagesOf), pushed };
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
 * What would be live again with a deployment. @throws DomainError NOT_FOUND, CONFLICT, those of
 * reading a site
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
