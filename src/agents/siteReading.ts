import type { CheckProblem } from '../contract/check.ts';
import type { HeldCommit, OpenableSite, ResultCommit } from '../contract/site.ts';
import type { TaskResult } from '../contract/task.ts';
import { DomainError, finalError } from '../errors.ts';
import { createFairQueue } from '../fairQueue.ts';
import { createHeads, unreadable } from '../sites/git/productionHead.ts';
import type { Repositories, Repository, Tree } from '../sites/git/repository.ts';
import type { Work } from '../threads/threads.ts';
import { anySignal } from '../waiting.ts';

/** Most checks at the same time, in total and for each organization. */
const AT_ONCE = { what: 'a turn to check a task', places: 4, each: 2 };
const WITHIN_MS = 60_000;

/** A site's files, for a check. */
export interface Reading {
  repository: Repository;
  base: HeldCommit;
  tree: Tree;
  work: Required<Work>;
}

interface Wanted {
  site: OpenableSite;
  /** The result of another task to build on. Absent: the site as it is live. */
  onto?: TaskResult | undefined;
  /** The result of a task to read. */
  result?: ResultCommit | undefined;
}

/**
 * Makes a function that opens a site for a check that somebody waits for.
 * @throws DomainError UNAVAILABLE, CONFLICT if the repository can't be read
 */
export function createSiteReader(repositories: Repositories) {
  const heads = createHeads(repositories);
  const queue = createFairQueue(AT_ONCE);
  return <T>(
    { site, onto, result }: Wanted,
    { organizationId, signal: gone }: Work,
    check: (reading: Reading) => Promise<T>,
  ): Promise<T> => {
    const tooLate = AbortSignal.timeout(WITHIN_MS);
    const signal = anySignal(gone, tooLate);
    const read = async (): Promise<T> => {
      const held = result ?? (onto && { commit: onto.commit, heldBy: onto.taskId });
      const base: HeldCommit = held ?? { commit: await heads.find(site, signal), heldBy: null };
      const repository = repositories.open(site);
      const tree = await repository.tree(base, signal).catch((error: unknown) => {
        throw unreadable(error);
      });
      return check({ repository, base, tree, work: { organizationId, signal } });
    };
    return queue.run(organizationId, read, signal).catch((error: unknown) => {
      if (!tooLate.aborted) throw error;
      throw new DomainError('UNAVAILABLE', 'The check takes too long', {
        retryable: true,
        reason: 'the check takes too long',
        cause: error,
      });
    });
  };
}

type Tried<T> = { value: T } | { problem: CheckProblem };

/**
 * Turns a final error into a problem of the task. Throws other errors: they say nothing about the
 * task.
 */
export async function trying<T>(work: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const { code, message } = finalError(error);
    return { problem: { code, message } };
  }
}

export async function problemsOf(work: () => Promise<unknown>): Promise<CheckProblem[]> {
  const tried = await trying(work);
  return 'problem' in tried ? [tried.problem] : [];
}
