import type { RetainedCommitRef, ResultCommit, SiteWithRepository } from '../src/contract/site.ts';
import { DomainError } from '../src/errors.ts';
import { findSite, requireRepository } from '../src/sites/git/registeredSite.ts';
import type { GitRepository, Tree } from '../src/sites/git/repository.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';

type SiteDependencies = Pick<ActivityDependencies, 'sites' | 'repositories'>;

export interface OpenedSite {
  site: SiteWithRepository;
  repository: GitRepository;
}

/** The commit that a task began from, with its files. */
interface OpenedBase extends OpenedSite {
  base: RetainedCommitRef;
  tree: Tree;
}

/**
 * Opens the task's site and its repository.
 * @throws DomainError NOT_FOUND if the site was removed after the task began,
 *   SITE_WITHOUT_REPOSITORY if its repository was
 */
export async function openSite(
  { sites, repositories }: SiteDependencies,
  task: TaskRef,
): Promise<OpenedSite> {
  const site = requireRepository(await findSite(sites, task));
  return { site, repository: repositories.open(site) };
}

/**
 * Opens the task's site at the commit that the task began from. A worker without this commit
 * fetches it from a ref of the task, or of the task whose result this one builds on.
 * @throws DomainError as `openSite`; GIT_FAILED, with advice if neither this machine nor the remote
 *   has the commit any more
 */
export async function openBase(
  deps: SiteDependencies,
  { task, base: commit }: { task: TaskRef; base: string },
  signal: AbortSignal,
): Promise<OpenedBase> {
  const openedSite = await openSite(deps, task);
  const base = { commit, retainedBy: task.baseTaskId ?? task.taskId };
  const tree = await openedSite.repository.tree(base, signal).catch((cause: unknown) => {
    if (!(cause instanceof DomainError) || cause.details?.['gone'] !== commit) throw cause;
    const reason =
      'The commit that the task started from is not in the repository any more, because its production branch was rewritten';
    throw new DomainError('GIT_FAILED', `${reason}. Create the task again`, { cause });
  });
  return { ...openedSite, base, tree };
}

/** The part of an activity's argument that identifies the commit of a task's result. */
export interface ResultArgument {
  task: TaskRef;
  commit: string;
  /** The task whose result it is. Default: this task. */
  retainedBy?: string;
}

/** The commit of a task's result, and the task whose hidden ref keeps it for every worker. */
export const resultCommit = ({
  task,
  commit,
  retainedBy = task.taskId,
}: ResultArgument): ResultCommit => ({
  commit,
  retainedBy,
});
