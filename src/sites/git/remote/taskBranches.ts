import type { ResultCommit } from '../../../contract/site.ts';
import type { SiteClone } from '../siteClone.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { ProductionBranch } from './productionBranch.ts';
import { mergeResults } from '../commits/publishResults.ts';
import { remoteName, pushRef, runPush } from './push.ts';
import { taskBranch } from '../refNames.ts';
import type { PublishRequest } from '../repository.ts';

/**
 * Points a task's branch `<taskId>` to a commit, whatever it pointed to. A host that watches the
 * repository builds it.
 * @throws DomainError PUSH_REFUSED, GIT_FAILED
 */
export async function pushBranch(
  clone: SiteClone,
  { retainedBy, commit }: ResultCommit,
  signal?: AbortSignal,
): Promise<void> {
  const push = { commit, ref: taskBranch(retainedBy), name: `branch ${retainedBy}` };
  await clone.store.exclusive(() => pushRef(clone, push, signal), signal);
}

/**
 * Removes tasks' branches at the remote. Ignores branches that do not exist.
 * @throws DomainError GIT_FAILED
 */
export async function removeBranches(
  clone: SiteClone,
  taskIds: string[],
  signal?: AbortSignal,
): Promise<void> {
  const refs = taskIds.map((taskId) => `:${taskBranch(taskId)}`);
  const result = await clone.store.exclusive(
    () => runPush(clone, { args: [], refs }, signal),
    signal,
  );
  if (result.code !== 0)
    throw gitFailure(`Removing branches of ${remoteName(clone.remote)}`, result);
}

/**
 * Merges a task's result with the current production branch, and points the task's branch to the
 * merge, so that a pull request merges without conflict.
 * @returns the merge; the head of the production branch if the result was merged before
 * @throws DomainError PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED
 */
export async function bringUpToDate(
  clone: SiteClone,
  production: ProductionBranch,
  request: PublishRequest,
  signal: AbortSignal,
): Promise<string> {
  return clone.store.exclusive(async () => {
    const headCommit = await production.fetchHead(signal);
    const { outcomes } = await mergeResults(
      clone,
      headCommit,
      [{ argument: request, signal }],
      signal,
    );
    const [outcome] = outcomes;
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    if (outcome.value === headCommit) return headCommit;
    const { retainedBy } = request;
    const name = `branch ${retainedBy}`;
    const push = { commit: outcome.value, ref: taskBranch(retainedBy), name };
    await pushRef(clone, push, signal);
    return outcome.value;
  }, signal);
}
