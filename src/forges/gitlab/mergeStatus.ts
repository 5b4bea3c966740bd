import { DomainError } from '../../errors.ts';
import type { PullRequest } from '../forgeProject.ts';
import type { GitLabMergeRequest } from './schemas.ts';

/**
 * What GitLab says about a merge request in `detailed_merge_status`, in words that follow "because"
 * (https://docs.gitlab.com/api/merge_requests/#merge-status). It checks in the background, so a
 * state may be one of an earlier commit of a branch, or of no check at all.
 */
const stateWords: Record<string, string> = {
  unchecked: 'GitLab has not checked yet whether it can be merged',
  preparing: 'GitLab still prepares it',
  checking: 'GitLab still checks whether it can be merged',
  approvals_syncing: 'GitLab still reads its approvals',
  ci_must_pass: 'its pipeline must succeed first',
  ci_still_running: 'its pipeline is still running',
  not_approved: 'approvals are missing',
  requested_changes: 'a reviewer requested changes',
  status_checks_must_pass: 'external status checks must succeed first',
  commits_status: 'its branch has no commits of its own',
  discussions_not_resolved: 'not all of its discussions are resolved',
  draft_status: 'it is a draft',
  jira_association_missing: 'it names no Jira issue',
  locked_lfs_files: 'it changes files that somebody has locked',
  locked_paths: 'it changes files that somebody has locked',
  merge_request_blocked: 'another merge request has to be merged first',
  merge_time: 'it may only be merged after a time that somebody has set',
  security_policy_violations: 'it violates a security policy',
};

/** The states in which only checks or approvals are missing, so that GitLab can merge later. */
const waitingStates = [
  'ci_must_pass',
  'ci_still_running',
  'not_approved',
  'requested_changes',
  'status_checks_must_pass',
];

/** Whether GitLab can be asked to merge as soon as checks and approvals allow it. */
export const mayMergeLater = (pull: GitLabMergeRequest): boolean =>
  waitingStates.includes(pull.detailed_merge_status) && pull.merge_when_pipeline_succeeds !== true;

/** @param approvalsLeft how many approvals are missing, if GitLab says so */
export function describeBlocker(
  { detailed_merge_status: state }: GitLabMergeRequest,
  approvalsLeft: number | undefined,
): string | undefined {
  if (state === 'not_approved' && approvalsLeft !== undefined && approvalsLeft > 0)
    return approvalsLeft === 1 ? '1 approval is missing' : `${approvalsLeft} approvals are missing`;
  if (Object.hasOwn(stateWords, state)) return stateWords[state];
  return state !== 'mergeable' && /^\w{1,60}$/.test(state)
    ? `GitLab says ${state.replaceAll('_', ' ')}`
    : undefined;
}

/** Why a merge request can never be merged with its present head. */
const finalStates: Record<string, (branch: string) => string> = {
  conflict: (branch) => `it conflicts with newer commits of ${branch}`,
  need_rebase: (branch) => `the project only fast-forwards, and ${branch} has newer commits`,
};

/**
 * Checks that GitLab may still merge an open merge request with its present head. GitLab could
 * rebase the branch, but then it would merge a commit that no preview has shown. A new publish
 * brings the branch up to date instead.
 * @throws DomainError FORGE_REFUSED for a conflict, and if the production branch has moved on
 */
export function requireMergeable(pull: GitLabMergeRequest, { url }: PullRequest): void {
  const { iid, detailed_merge_status: state, target_branch: branch } = pull;
  if (!Object.hasOwn(finalStates, state)) return;
  throw new DomainError(
    'FORGE_REFUSED',
    `Merge request !${iid} can't be merged, because ${finalStates[state]!(branch.slice(0, 100))}. Publish again, which updates its branch: ${url}`,
  );
}
