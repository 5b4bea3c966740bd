import type { Site, SiteWithRepository } from '../src/contract/site.ts';
import { hasRepository } from '../src/sites/git/registered.ts';
import type { ActivityDeps, Retention } from './deps.ts';

interface CleanUp {
  /** It works for no single one. */
  task?: never;
  /** The site after which to go on; absent: from the beginning. */
  after?: string;
}

export interface CleanedUp {
  /** The last site of the batch; null where no more follow. */
  last: string | null;
  sites: number;
  /** Results of tasks that were removed from remotes. */
  removed: number;
  /** Sites that could not be cleaned up this time: their remotes are down, for one. */
  failed: number;
}

/** Sites of one step. Four at once, so that one step takes four times `SITE_MS` at most: less than a step may work. */
const BATCH = 16;
const AT_ONCE = 4;
/** A remote that hangs, and a site's turn that does not come, are left for the next time. */
const SITE_MS = 60_000;

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'retention' | 'audit' | 'log'>;

/**
 * Removes what nobody needs any more of some sites: results of tasks that are too old, at the remotes; and of the
 * copies here also bases of tasks that have ended and commits that were live long ago. The first step also removes
 * entries of the audit that are over a year old. Repeatable: what is gone is not there to be removed. Fails as
 * UNAVAILABLE where nobody can say which tasks run.
 */
export function createCleanUp(deps: Deps) {
  return async ({ after }: CleanUp, signal: AbortSignal): Promise<CleanedUp> => {
    if (after === undefined) await deps.audit.prune();
    const batch = await deps.sites.listAfter(after, BATCH);
    const sites = batch.filter(hasRepository);
    const running = await deps.retention.runningTasks(
      sites.map(({ siteId }) => siteId),
      signal,
    );
    const results: (number | null)[] = [];
    const clean = async (site: SiteWithRepository) => {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(SITE_MS)]);
      results.push(await cleanSite(deps, site, running, ends).catch((error: unknown) => skip(deps, site, error)));
    };
    const queue = sites.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const site of queue) await clean(site);
      }),
    );
    signal.throwIfAborted();
    return {
      last: batch.length < BATCH ? null : batch.at(-1)!.siteId,
      sites: results.length,
      removed: results.reduce<number>((sum, removed) => sum + (removed ?? 0), 0),
      failed: results.filter((removed) => removed === null).length,
    };
  };
}

type Running = Awaited<ReturnType<Retention['runningTasks']>>;

/** @returns how many results it removed */
async function cleanSite(
  { repositories, retention }: Deps,
  site: SiteWithRepository,
  running: Running,
  signal: AbortSignal,
): Promise<number> {
  const refs = repositories.ownRefs(site);
  const { siteId } = site;
  const there = await refs.tasksAtRemote(signal);
  const ended = await retention.endedResults(siteId, [...there.keys()]);
  // asked after the ends were read: a task that began before knows its result
  const needed = ended.length === 0 ? undefined : (await retention.runningTasks([siteId], signal)).get(siteId);
  const unneeded = ended.filter((taskId) => !needed?.has(taskId));
  const removed = await refs.removeTasks(new Map(unneeded.map((taskId) => [taskId, there.get(taskId)!])), signal);
  await refs.tidy({ ...retention, runningTasks: () => Promise.resolve(running) }, signal);
  return removed.length;
}

function skip({ log }: Deps, { siteId }: Site, error: unknown): null {
  log.warn({ siteId, err: error }, 'site not cleaned up');
  return null;
}
