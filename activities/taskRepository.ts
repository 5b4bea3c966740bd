import type { HeldCommit, ResultCommit, SiteWithRepository } from '../src/contract/site.ts';
import { DomainError } from '../src/errors.ts';
import { findSite, withRepository } from '../src/sites/git/registeredSite.ts';
import type { Repository, Tree } from '../src/sites/git/repository.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';

/**
 * The task's site and its repository.
 * Throws NOT_FOUND, SITE_WITHOUT_REPOSITORY where it is gone since the task began.
 */
export async function openSite(
  { sites, repositories }: Pick<ActivityDeps, 'sites' | 'repositories'>,
  task: TaskRef,
): Promise<{ site: SiteWithRepository; repository: Repository }> {
  const site = withRepository(await findSite(sites, task));
  return { site, repository: repositories.open(site) };
}

/**
 * A task's base, as every worker finds it. Once the task has a commit, its own ref has the base as
 * well.
 */
export const baseOf = ({ task, base }: { task: TaskRef; base: string }): HeldCommit => ({
  commit: base,
  heldBy: task.ontoTaskId ?? task.taskId,
});

/**
 * The files that a task began from.
 * Throws GIT_FAILED, which says so where that commit is neither here nor at the remote any more.
 */
export async function treeOfBase(
  repository: Repository,
  base: HeldCommit,
  signal: AbortSignal,
): Promise<Tree> {
  return repository.tree(base, signal).catch((cause: unknown) => {
    if (!(cause instanceof DomainError) || cause.details?.['gone'] !== base.commit) throw cause;
    const reason =
      'The commit that the task began from is gone from the repository: its production branch was rewritten';
    throw new DomainError('GIT_FAILED', `${reason}. Create the task again`, { cause });
  });
}

/** An activity's reference to a task's resulting commit. */
export interface ResultArgument {
  task: TaskRef;
  commit: string;
  /** The task whose result it is, if not this one. */
  heldBy?: string;
}

/** A task's resulting commit, as every worker finds it. */
export const resultOf = ({ task, commit, heldBy = task.taskId }: ResultArgument): ResultCommit => ({
  commit,
  heldBy,
});
