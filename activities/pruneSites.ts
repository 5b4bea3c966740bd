import type { Site, SiteWithRepository } from '../src/contract/site.ts';
import { hasRepository, openRepository } from '../src/sites/git/registeredSite.ts';
import type { ActivityDependencies } from './deps.ts';
import { coalesceQueries } from './coalesceQueries.ts';
import { workOnEach, type ItemWorkLimits } from './workOnEach.ts';

interface PruneSitesInput {
  /** Never present: the clean-up is not part of a task. */
  task?: never;
  /** The last site of the previous activity. Absent for the first one. */
  after?: string;
}

export interface PruneSitesResult {
  /** The last site of this activity. null if no sites remain. */
  last: string | null;
  sites: number;
  /** How many results of tasks were removed from remotes. */
  removed: number;
  /**
   * How many sites could not be cleaned up this time, for example because their remotes are down.
   */
  failed: number;
}

interface PruneSitesLimits extends ItemWorkLimits {
  /** Most sites of one activity. */
  sites: number;
  /**
   * Milliseconds between two queries for running tasks. Temporal answers only a few a second, and
   * tasks need them too.
   */
  queryPauseMs: number;
}

/** With these limits, 10,000 sites take less than an hour, and no activity reaches its timeout. */
const defaultLimits: PruneSitesLimits = {
  sites: 1_000,
  atOnce: 8,
  slowAfterMs: 10_000,
  limitMs: 60_000,
  totalMs: 180_000,
  queryPauseMs: 500,
};

type PruneSitesDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'retention' | 'audit' | 'modelUsage' | 'accounts' | 'log'
> & {
  eventLog: Pick<ActivityDependencies['eventLog'], 'prune'>;
  batches: Pick<ActivityDependencies['batches'], 'prune'>;
  hosting: Pick<ActivityDependencies['hosting'], 'endPreview'>;
};

/**
 * Cleans up some sites. At the remotes, removes old results of tasks, with the branches and pull
 * requests that an external host needed, and those of tasks that failed. In the local clones, also
 * removes the base commits of tasks that have ended, and commits that were live long ago. The first
 * activity of a clean-up also prunes the database: the audit, records of language model calls,
 * batches, deliveries of events, and tokens of assistants. Repeatable: what was removed is not
 * found again. Throws UNAVAILABLE if it can't find out which tasks run.
 */
export function createPruneSites(
  deps: PruneSitesDependencies,
  limits: PruneSitesLimits = defaultLimits,
) {
  return async (
    { after }: PruneSitesInput,
    cancelSignal: AbortSignal,
  ): Promise<PruneSitesResult> => {
    const { audit, modelUsage, batches, accounts, eventLog } = deps;
    const tables = [audit, modelUsage, batches, accounts.assistants, eventLog];
    if (after === undefined) await Promise.all(tables.map((table) => table.prune()));
    const siteBatch = await deps.sites.listAfter(after, limits.sites);
    const queryFailure = new AbortController();
    const signal = AbortSignal.any([cancelSignal, queryFailure.signal]);
    const queryRunningTasks = (siteIds: string[]) =>
      deps.retention.runningTasks(siteIds, signal).catch((error: unknown) => {
        queryFailure.abort(error);
        throw error;
      });
    const retention = {
      ...deps.retention,
      runningTasks: coalesceQueries(queryRunningTasks, limits.queryPauseMs),
    };
    const totals = { sites: 0, removed: 0, failed: 0 };
    const cleanNextSite = async (site: Site, siteSignal: AbortSignal) => {
      if (!hasRepository(site)) return;
      totals.sites++;
      const removedResults = await cleanSite({ ...deps, retention }, site, siteSignal);
      totals.removed += removedResults;
    };
    const recordFailure = ({ siteId }: Site, error: unknown) => {
      totals.failed++;
      if (!signal.aborted) deps.log.warn({ siteId, err: error }, 'site clean-up failed');
    };
    const startedCount = await workOnEach(
      siteBatch,
      { ...limits, signal },
      cleanNextSite,
      recordFailure,
    );
    signal.throwIfAborted();
    const isLastStep = startedCount === siteBatch.length && startedCount < limits.sites;
    return { last: isLastStep ? null : siteBatch[startedCount - 1]!.siteId, ...totals };
  };
}

/** Cleans up one site. @returns how many results of tasks it removed */
async function cleanSite(
  {
    repositories,
    retention,
    hosting,
  }: Pick<PruneSitesDependencies, 'repositories' | 'hosting' | 'retention'>,
  site: SiteWithRepository,
  signal: AbortSignal,
): Promise<number> {
  const taskRefs = repositories.ownRefs(site);
  const { siteId } = site;
  // a task has its hidden ref before its branch
  const mayHaveBranches = site.ownHost ?? site.hadOwnHost;
  const branches = mayHaveBranches ? await taskRefs.branchesAtRemote(signal) : [];
  const remoteTasks = await taskRefs.tasksAtRemote(signal);
  const endedTasks = await retention.endedResults(siteId, [...remoteTasks.keys()]);
  const withdrawn = await retention.withdrawn(siteId, branches);
  const isTaskOver = (taskId: string) =>
    !remoteTasks.has(taskId) || endedTasks.includes(taskId) || withdrawn.includes(taskId);
  const overBranches = branches.filter(isTaskOver);
  // query after reading `endedTasks`, so that the answer covers every task that started before
  const neededTasks =
    endedTasks.length + overBranches.length === 0
      ? undefined
      : (await retention.runningTasks([siteId], signal)).get(siteId);
  const unneededTasks = endedTasks.filter((taskId) => !neededTasks?.has(taskId));
  const removed = await taskRefs.removeTasks(
    new Map(unneededTasks.map((taskId) => [taskId, remoteTasks.get(taskId)!])),
    signal,
  );
  await taskRefs.tidy(retention, signal);
  // last: a forge that is down keeps nothing else from being removed
  const unneededBranches = overBranches.filter((taskId) => !neededTasks?.has(taskId));
  await endBranches({ repositories, hosting }, site, unneededBranches, signal);
  return removed.length;
}

/**
 * Removes the branches of tasks, and closes their pull requests. For a site that no longer has an
 * external host, only removes the branches: the forge then closes their pull requests itself.
 */
async function endBranches(
  { repositories, hosting }: Pick<PruneSitesDependencies, 'repositories' | 'hosting'>,
  site: SiteWithRepository,
  taskIds: string[],
  signal: AbortSignal,
): Promise<void> {
  if (taskIds.length === 0) return;
  if (!site.ownHost) return openRepository(repositories, site).removeBranches(taskIds, signal);
  for (const taskId of taskIds) {
    signal.throwIfAborted();
    await hosting.endPreview({ site, taskId });
  }
}
