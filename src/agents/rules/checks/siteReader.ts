import type { CheckProblem } from '../../../contract/checks.ts';
import type { RetainedCommitRef, OpenableSite, ResultCommit } from '../../../contract/site.ts';
import type { TaskResult } from '../../../contract/task.ts';
import { DomainError, finalError } from '../../../errors.ts';
import { createFairQueue } from '../../../fairQueue.ts';
import {
  createProductionHeads,
  unreadableSiteError,
} from '../../../sites/git/remote/productionHeads.ts';
import type { GitRepositories, GitRepository, Tree } from '../../../sites/git/repository.ts';
import type { JobOwner } from '../../../threads/threadPool.ts';
import { anySignal } from '../../../waitCounters.ts';

/** Most checks at the same time, in total and for each organization. */
const CHECK_QUEUE = { what: 'a turn to check a task', places: 4, perCaller: 2 };
const CHECK_TIMEOUT_MS = 60_000;

/** A site opened for a check: its files at the commit `base`, and the request that waits for it. */
export interface CheckedSite {
  repository: GitRepository;
  base: RetainedCommitRef;
  tree: Tree;
  work: Required<JobOwner>;
}

interface SiteSelection {
  site: OpenableSite;
  /** The result of a base task, which the checked task builds on. Absent: the production branch. */
  baseTask?: TaskResult | undefined;
  /** The result of a task to read. */
  result?: ResultCommit | undefined;
}

/**
 * Makes a function that opens a site and runs a check on it, while a request waits. Few checks run
 * at the same time, so a check may wait for its turn. It throws UNAVAILABLE if it takes too long,
 * UNAVAILABLE or CONFLICT if the repository can't be read, and the errors of the check.
 */
export function createSiteReader(repositories: GitRepositories) {
  const heads = createProductionHeads(repositories);
  const queue = createFairQueue(CHECK_QUEUE);
  return <T>(
    { site, baseTask, result }: SiteSelection,
    { organizationId, signal: requestSignal }: JobOwner,
    check: (checkedSite: CheckedSite) => Promise<T>,
  ): Promise<T> => {
    const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const signal = anySignal(requestSignal, timeout);
    const readAndCheck = async (): Promise<T> => {
      const resultCommit =
        result ?? (baseTask && { commit: baseTask.commit, retainedBy: baseTask.taskId });
      const base: RetainedCommitRef = resultCommit ?? {
        commit: await heads.find(site, signal),
        retainedBy: null,
      };
      const repository = repositories.open(site);
      const tree = await repository.tree(base, signal).catch((error: unknown) => {
        throw unreadableSiteError(error);
      });
      return check({ repository, base, tree, work: { organizationId, signal } });
    };
    return queue.run(organizationId, readAndCheck, signal).catch((error: unknown) => {
      if (!timeout.aborted) throw error;
      throw new DomainError(
        'UNAVAILABLE',
        'The check took too long. Check fewer items at once, or try again later',
        {
          retryable: true,
          reason: 'the check took too long',
          cause: error,
        },
      );
    });
  };
}

type TriedWork<T> = { value: T } | { problem: CheckProblem };

/**
 * Runs work, and returns an error that no retry can help with as a problem of the task. Throws
 * other errors, since they say nothing about the task.
 */
export async function tryWork<T>(work: () => Promise<T>): Promise<TriedWork<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const { code, message } = finalError(error);
    return { problem: { code, message } };
  }
}

/** The problem with which work fails, in a list; empty if it succeeds. See `tryWork`. */
export async function findWorkProblems(work: () => Promise<unknown>): Promise<CheckProblem[]> {
  const triedWork = await tryWork(work);
  return 'problem' in triedWork ? [triedWork.problem] : [];
}
