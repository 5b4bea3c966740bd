import type { PendingMerge } from '../src/contract/deployment.ts';
import type { PendingPublish } from '../src/contract/publishWindows.ts';
import type { SiteWithRepository } from '../src/contract/site.ts';
import type { Note } from '../src/contract/task.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import { DomainError } from '../src/errors.ts';
import type { PublishRequest } from '../src/sites/git/repository.ts';
import type { PageMethods } from '../src/sites/pages/pages.ts';
import { mergeRequest } from '../src/sites/pages/mergeRequest.ts';
import type { ActivityAttempt } from './activityAttempt.ts';
import type { ActivityDependencies } from './deps.ts';
import { openSite, type ResultArgument, resultCommit } from './openSite.ts';

interface PublishInput extends ResultArgument {
  /** The production branch's commit that the work began from. */
  base: string;
}

export interface MergedResult {
  commit: string;
  notes?: Note[];
  /**
   * The pull request to merge, if the site publishes by pull requests. `commit` is then the head of
   * the task's branch.
   */
  merge?: PendingMerge;
}

type PublishDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'pages' | 'hosting' | 'publishWindows' | 'retention'
>;

/**
 * Merges the task's commit into the production branch, and pushes the branch. If the site publishes
 * by pull requests, opens one instead, for `mergePullRequest`. If an external host has a publish
 * window, publishes within it share one merge and one build: throws STILL_BUILDING until it ends,
 * and Temporal repeats the activity. Repeatable: a merged commit is not merged again, and a
 * repeated attempt that finds its merge only creates the notes again. Also throws PAGE_CHANGED,
 * PUSH_REFUSED, GIT_FAILED, and errors of the forge.
 */
export function createPublish(deps: PublishDependencies) {
  return async (
    argument: PublishInput,
    signal: AbortSignal,
    { isFirst }: Pick<ActivityAttempt, 'isFirst'>,
  ): Promise<MergedResult> => {
    const { site, repository } = await openSite(deps, argument.task);
    const { taskId, organizationId, createdAt } = argument.task;
    const pages = deps.pages.for({ organizationId, signal });
    const ownPublish = { ...resultCommit(argument), taskId, base: argument.base, createdAt };
    const mergeNotes = new Map<string, Note[]>();
    const request = {
      ...publishRequest(ownPublish, { site, pages, mergeNotes }),
      isRepeated: !isFirst,
    };
    if (site.ownHost?.publish === 'pull-request') {
      const commit = await repository.bringUpToDate(request, signal);
      const merge = await deps.hosting.pullRequest(site, ownPublish, commit, signal);
      return mergedResult(commit, mergeNotes, merge);
    }
    const otherPublishes = await waitForPublishWindow(deps, site, ownPublish, signal);
    const otherRequests = otherPublishes.map((otherPublish) =>
      publishRequest(otherPublish, { site, pages }),
    );
    return mergedResult(await repository.publish(request, signal, otherRequests), mergeNotes);
  };
}

const mergedResult = (
  commit: string,
  mergeNotes: Map<string, Note[]>,
  merge?: PendingMerge,
): MergedResult => {
  const notes = [...mergeNotes.values()].flat();
  return { commit, ...(notes.length > 0 && { notes }), ...withoutUndefined({ merge }) };
};

/**
 * Joins the site's publish window.
 * @returns the other publishes that waited too. Only the first task after the end of the window
 *   gets and merges them; the other tasks then find their merge
 * @throws DomainError STILL_BUILDING, retryable, until the window ends
 */
async function waitForPublishWindow(
  { publishWindows, retention }: PublishDependencies,
  { siteId, ownHost }: SiteWithRepository,
  ownPublish: PendingPublish,
  signal: AbortSignal,
): Promise<PendingPublish[]> {
  const windowSeconds = ownHost?.publishWindow ?? 0;
  if (windowSeconds === 0) return [];
  const retryAfter = await publishWindows.join(siteId, ownPublish, windowSeconds);
  if (retryAfter > 0)
    throw new DomainError(
      'STILL_BUILDING',
      'The publish waits for others of the same site, so that they share one build',
      { retryable: true, retryAfter },
    );
  const otherPublishes = (await publishWindows.take(siteId)).filter(
    ({ commit }) => commit !== ownPublish.commit,
  );
  if (otherPublishes.length === 0) return otherPublishes;
  // an operator may have ended one of the tasks; if Temporal can't tell, each task publishes itself
  const runningTasks = await retention.runningTasks([siteId], signal).catch(() => undefined);
  return otherPublishes.filter(({ taskId }) => runningTasks?.get(siteId)?.has(taskId));
}

/** A result to merge, and how. `mergeNotes` gets the notes of merged files, by their paths. */
export const publishRequest = (
  publish: PendingPublish,
  context: { site: SiteWithRepository; pages: PageMethods; mergeNotes?: Map<string, Note[]> },
): PublishRequest => ({
  ...publish,
  ...mergeRequest({ ...context, createdAt: publish.createdAt }),
});
