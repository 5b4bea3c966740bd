import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { DomainError } from '../../errors.ts';
import { onStatus, refusedStatus } from '../apiErrors.ts';
import type { PullRequest } from '../forgeProject.ts';
import { requireHead } from '../pullRequests.ts';
import { describeBlocker, mayMergeLater, requireMergeable } from './mergeStatus.ts';
import type { GitLabRequests } from './requests.ts';
import type { GitLabMergeRequest } from './schemas.ts';

interface MergeParts {
  requests: GitLabRequests;
  /** Converts GitLab's own type of a pull request. */
  pullOf: (pull: GitLabMergeRequest) => PullRequest;
}

/**
 * Merges a merge request now, or lets GitLab merge it as soon as its pipeline and its approvals
 * allow it. Reading a merge request makes GitLab check in the background whether it can be merged,
 * and a request to merge it fails until this check has ended. So this returns it as it is while its
 * state is `checking`, `unchecked` or `preparing`. GitLab answers 405 or 422 if it can't merge
 * (yet), 409 if the head is another commit, and 401 if the role of the token does not allow it.
 */
export async function mergeGitLabPull(
  { requests, pullOf: pullRequestOf }: MergeParts,
  { number, head }: { number: number; head: string },
  signal: AbortSignal,
): Promise<PullRequest> {
  const pull = await requests.readPull(number, signal);
  if (pull.sha !== head && (await isHeadNew(requests, pull, head, signal)))
    return { ...pullRequestOf(pull), blocker: 'GitLab has not noticed the last push yet' };
  const pullRequest = requireHead(pullRequestOf(pull), head);
  if (pullRequest.state === 'merged') return pullRequest;
  requireMergeable(pull, pullRequest);
  const isLater = mayMergeLater(pull);
  const mergedPull =
    pull.detailed_merge_status === 'mergeable' || isLater
      ? await requestMerge(requests, pull, { head, isLater }, signal)
      : pull;
  const pullAfterwards = mergedPull ?? (await requests.readPull(number, signal));
  return withBlocker(
    requests,
    pullAfterwards,
    requireHead(pullRequestOf(pullAfterwards), head),
    signal,
  );
}

/**
 * Whether a commit was pushed just now: it is the head of the branch, but not yet of its open merge
 * request, which GitLab updates in the background.
 */
async function isHeadNew(
  requests: GitLabRequests,
  { state, source_branch: branch }: GitLabMergeRequest,
  head: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (state !== 'opened') return false;
  const foundBranch = await requests.readBranch(branch, signal).catch(onStatus([404], null));
  return foundBranch?.commit.id === head;
}

/** Asks GitLab to merge, now or later. @returns null if it can't */
async function requestMerge(
  requests: GitLabRequests,
  pull: GitLabMergeRequest,
  { head, isLater }: { head: string; isLater: boolean },
  signal: AbortSignal,
): Promise<GitLabMergeRequest | null> {
  const { squash_option: squashOption } = await requests.readProject(signal);
  const isSquashed = squashOption === 'always' || squashOption === 'default_on';
  const options = {
    sha: head,
    ...(isSquashed && { squash: true as const }),
    ...(isLater && { auto_merge: true as const }),
  };
  return requests
    .mergePull(pull.iid, options, signal)
    .catch(onStatus([405, 409, 422], null))
    .catch((error: unknown) => throwMergeRefusal(error, pull));
}

/** Adds why GitLab has not merged an open merge request. */
async function withBlocker(
  requests: GitLabRequests,
  pull: GitLabMergeRequest,
  pullRequest: PullRequest,
  signal: AbortSignal,
): Promise<PullRequest> {
  if (pullRequest.state !== 'open') return pullRequest;
  const approvalsLeft =
    pull.detailed_merge_status === 'not_approved'
      ? await requests.readApprovalsLeft(pull.iid, signal).catch(onStatus([403, 404], undefined))
      : undefined;
  return { ...pullRequest, ...withoutUndefined({ blocker: describeBlocker(pull, approvalsLeft) }) };
}

function throwMergeRefusal(
  error: unknown,
  { iid, target_branch: into }: GitLabMergeRequest,
): never {
  if (refusedStatus(error) !== 401 && refusedStatus(error) !== 403) throw error;
  throw new DomainError(
    'FORGE_REFUSED',
    `The role of the credential does not allow merging merge request !${iid} into ${into}`,
    { cause: error },
  );
}
