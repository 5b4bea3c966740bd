import type { Site, SiteWithRepository } from '../src/contract/site.ts';
import { hasRepository, openRepository } from '../src/sites/git/registeredSite.ts';
import type { ActivityDeps } from './deps.ts';
import { batchQuestions } from './batchQuestions.ts';
import { eachInTime, type Pace } from './eachInTime.ts';

interface CleanUp {
  /** Absent: the step is housekeeping, not part of a task. */
  task?: never;
  /** The last site of the previous step. Absent for the first step. */
  after?: string;
}

export interface CleanedUp {
  /** The last site of this step. null if no sites remain. */
  last: string | null;
  sites: number;
  /** How many results of tasks were removed from remotes. */
  removed: number;
  /**
   * How many sites could not be cleaned up this time, for example because their remotes are down.
   */
  failed: number;
}

interface Limits extends Pace {
  /** Most sites of one step. */
  sites: number;
  /**
   * Milliseconds between two queries for running tasks. Temporal answers only a few a second, and
   * tasks need them too.
   */
  betweenQuestions: number;
}

/** With these limits, 10,000 sites take less than an hour, and each step stays within its time. */
const usual: Limits = {
  sites: 1_000,
  atOnce: 8,
  patience: 10_000,
  limit: 60_000,
  total: 180_000,
  betweenQuestions: 500,
};

type Deps = Pick<
  ActivityDeps,
  'sites' | 'repositories' | 'retention' | 'audit' | 'modelUsage' | 'accounts' | 'log'
> & {
  batches: Pick<ActivityDeps['batches'], 'prune'>;
  hosting: Pick<ActivityDeps['hosting'], 'endPreview'>;
};

/**
 * Cleans up some sites. Removes old results of tasks at the remotes, with the branches and pull
 * requests that a host of the team's own needed, and those of tasks that failed. In the local
 * copies, also removes the bases of tasks that have ended, and commits that were live long ago. The
 * first step also removes audit entries older than a year, records of old calls, and expired
 * tokens. Repeatable: what was removed is not found again. Throws UNAVAILABLE if it can't find out
 * which tasks run.
 */
export function createCleanUp(deps: Deps, limits: Limits = usual) {
  return async ({ after }: CleanUp, cancelled: AbortSignal): Promise<CleanedUp> => {
    const { audit, modelUsage, batches, accounts } = deps;
    const tables = [audit, modelUsage, batches, accounts.assistants];
    if (after === undefined) await Promise.all(tables.map((table) => table.prune()));
    const batch = await deps.sites.listAfter(after, limits.sites);
    const unknown = new AbortController();
    const signal = AbortSignal.any([cancelled, unknown.signal]);
    const ask = (siteIds: string[]) =>
      deps.retention.runningTasks(siteIds, signal).catch((error: unknown) => {
        unknown.abort(error);
        throw error;
      });
    const retention = {
      ...deps.retention,
      runningTasks: batchQuestions(ask, limits.betweenQuestions),
    };
    const done = { sites: 0, removed: 0, failed: 0 };
    const clean = async (site: Site, ends: AbortSignal) => {
      if (!hasRepository(site)) return;
      done.sites++;
      const removed = await cleanSite({ ...deps, retention }, site, ends);
      done.removed += removed;
    };
    const leave = ({ siteId }: Site, error: unknown) => {
      done.failed++;
      if (!signal.aborted) deps.log.warn({ siteId, err: error }, 'site not cleaned up');
    };
    const count = await eachInTime(batch, { ...limits, signal }, clean, leave);
    signal.throwIfAborted();
    const isEnd = count === batch.length && count < limits.sites;
    return { last: isEnd ? null : batch[count - 1]!.siteId, ...done };
  };
}

/** @returns how many results it removed */
async function cleanSite(
  { repositories, retention, hosting }: Pick<Deps, 'repositories' | 'hosting' | 'retention'>,
  site: SiteWithRepository,
  signal: AbortSignal,
): Promise<number> {
  const refs = repositories.ownRefs(site);
  const { siteId } = site;
  // a task has its hidden ref before its branch
  const mayHaveBranches = site.ownHost ?? site.hadOwnHost;
  const branches = mayHaveBranches ? await refs.branchesAtRemote(signal) : [];
  const there = await refs.tasksAtRemote(signal);
  const ended = await retention.endedResults(siteId, [...there.keys()]);
  const withdrawn = await retention.withdrawn(siteId, branches);
  const isOver = (taskId: string) =>
    !there.has(taskId) || ended.includes(taskId) || withdrawn.includes(taskId);
  const over = branches.filter(isOver);
  // query after reading `ended`, so that the answer covers every task that started before
  const needed =
    ended.length + over.length === 0
      ? undefined
      : (await retention.runningTasks([siteId], signal)).get(siteId);
  const unneeded = ended.filter((taskId) => !needed?.has(taskId));
  const removed = await refs.removeTasks(
    new Map(unneeded.map((taskId) => [taskId, there.get(taskId)!])),
    signal,
  );
  await refs.tidy(retention, signal);
  // last: a forge that is down keeps nothing else from being removed
  const unneededBranches = over.filter((taskId) => !needed?.has(taskId));
  await endBranches({ repositories, hosting }, site, unneededBranches, signal);
  return removed.length;
}

/**
 * Removes tasks' branches, and closes their pull requests. Forges close those of a branch that is
 * gone by themselves: a site that left its own host has nothing else to tell them.
 */
async function endBranches(
  { repositories, hosting }: Pick<Deps, 'repositories' | 'hosting'>,
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
