import { DomainError } from '../../errors.ts';
import { type ForgeAdapter, createFixedToken, wrongCredentialError } from '../adapter.ts';
import { onStatus, refusedStatus } from '../apiErrors.ts';
import { checkForge } from '../checkForge.ts';
import { createForgeApi } from '../forgeApi.ts';
import { forgePagesUrl } from '../forgeLocation.ts';
import type { ForgeProblem, ForgeProject, PullRequest } from '../forgeProject.ts';
import { createPullRequestMethods, requireHead } from '../pullRequests.ts';
import { describeRole, ROLES, roleIn } from './roles.ts';
import { readGitLabReports } from './reports.ts';
import { createGitLabRequests, type GitLabRequests } from './requests.ts';
import type { GitLabMergeRequest, GitLabProject } from './schemas.ts';

/** The beginning of every deploy token (https://docs.gitlab.com/security/tokens/). */
const DEPLOY_TOKEN = 'gldt-';

/**
 * The adapter for gitlab.com and for GitLab on servers of one's own. `apiUrl` ends with `/api/v4`.
 * A pull request is a merge request there, and its number is its `iid`.
 */
export const gitlab: ForgeAdapter = {
  connect({ credential, ...apiOptions }) {
    const expected = 'a project or group access token, because deploy tokens are only for git';
    if (credential.kind !== 'token' || credential.token.startsWith(DEPLOY_TOKEN))
      throw wrongCredentialError(credential, expected);
    const tokens = createFixedToken(`Bearer ${credential.token}`);
    const api = createForgeApi({ ...apiOptions, tokens, headers: { accept: 'application/json' } });
    return { api, gitCredential: () => Promise.resolve(credential) };
  },
  create: ({ api, apiUrl, project }) =>
    createGitLabForge({ apiUrl, project, requests: createGitLabRequests(api, project) }),
};

interface GitLabForgeParts {
  apiUrl: string;
  project: string;
  requests: GitLabRequests;
}

function createGitLabForge({ apiUrl, project, requests }: GitLabForgeParts): ForgeProject {
  const pullRequestOf = mergeRequestReader(apiUrl, project);
  return {
    ...createPullRequestMethods(requests, { pullOf: pullRequestOf, openStatus: 409 }),

    reports: (commit, signal) => readGitLabReports(requests, commit, signal),

    merge: (number, head, signal) =>
      mergeGitLabPull({ requests, pullOf: pullRequestOf }, { number, head }, signal),

    check: (branch, signal) => checkGitLabProject(requests, { project, branch }, signal),
  };
}

/** The states in which only checks or approvals are missing, so that GitLab can merge later. */
const waitingStates = [
  'ci_must_pass',
  'ci_still_running',
  'not_approved',
  'requested_changes',
  'status_checks_must_pass',
];

/**
 * Merges a merge request now, or lets GitLab merge it as soon as its pipeline and its approvals
 * allow it. Reading a merge request makes GitLab check in the background whether it can be merged,
 * and a request to merge it fails until this check has ended. So this returns it as it is while its
 * state is `checking`, `unchecked` or `preparing`. GitLab answers 405 or 422 if it can't merge
 * (yet), 409 if the head is another commit, and 401 if the role of the token does not allow it.
 */
async function mergeGitLabPull(
  {
    requests,
    pullOf: pullRequestOf,
  }: { requests: GitLabRequests; pullOf: ReturnType<typeof mergeRequestReader> },
  { number, head }: { number: number; head: string },
  signal: AbortSignal,
): Promise<PullRequest> {
  const pull = await requests.readPull(number, signal);
  const pullRequest = requireHead(pullRequestOf(pull), head);
  const state = pull.detailed_merge_status;
  const mayMergeLater = waitingStates.includes(state) && pull.merge_when_pipeline_succeeds !== true;
  if (pullRequest.state === 'merged' || (state !== 'mergeable' && !mayMergeLater))
    return pullRequest;
  const { squash_option: squashOption } = await requests.readProject(signal);
  const isSquashed = squashOption === 'always' || squashOption === 'default_on';
  const options = {
    sha: head,
    ...(isSquashed && { squash: true as const }),
    ...(mayMergeLater && { auto_merge: true as const }),
  };
  const mergedPull = await requests
    .mergePull(number, options, signal)
    .catch(onStatus([405, 409, 422], null))
    .catch((error: unknown) => throwMergeRefusal(error, pull));
  return requireHead(pullRequestOf(mergedPull ?? (await requests.readPull(number, signal))), head);
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

/**
 * Checks the project. A token gets 404 for everything that its role does not allow it to see. So
 * the role, which every member may read, decides whether a branch is missing or only invisible.
 */
function checkGitLabProject(
  requests: GitLabRequests,
  { project, branch }: { project: string; branch: string },
  signal: AbortSignal,
) {
  let role: number | undefined;
  return checkForge(
    {
      project,
      branch,
      reports: (commit, endSignal) => readGitLabReports(requests, commit, endSignal),
      async readProject() {
        const foundProject = await requests.readProject(signal);
        role = roleIn(foundProject);
        return gitLabProjectProblems(foundProject);
      },
      async readBranch() {
        const foundBranch = await requests.readBranch(branch, signal).catch((error: unknown) => {
          const isInvisible = role !== undefined && role < ROLES.reporter;
          if (isInvisible && refusedStatus(error) === 404) throw invisibleError(error, role);
          throw error;
        });
        return { isProtected: foundBranch.protected, mayPush: foundBranch.can_push };
      },
      tryPush: () => requests.createBranch({ branch, ref: branch }, signal),
      tryPullRequest: () =>
        requests.createPull({ branch, into: branch, title: branch, body: '' }, signal),
      readCommits: (count) => requests.readCommits(branch, count, signal),
    },
    signal,
  );
}

const invisibleError = (cause: unknown, role: number | undefined) =>
  new DomainError(
    'FORGE_REFUSED',
    `The role ${describeRole(role)} does not allow reading the repository`,
    { details: { status: 403 }, cause },
  );

function gitLabProjectProblems(project: GitLabProject): ForgeProblem[] {
  const problems: ForgeProblem[] = [];
  const role = roleIn(project);
  if (project.archived)
    problems.push({
      code: 'project',
      message: 'The project is archived and does not accept changes.',
    });
  if (project.merge_requests_access_level === 'disabled')
    problems.push({
      code: 'project',
      message: 'Merge requests are disabled in the project. Enable them in its settings.',
    });
  if (role !== undefined && role < ROLES.developer)
    problems.push({
      code: 'scope',
      message: `The credential has the role ${describeRole(role)}, and needs at least the role Developer.`,
    });
  return problems;
}

/**
 * Converts GitLab's merge requests. Builds their URLs itself, because the URL in an answer could
 * lead to another host, or be a script.
 */
const mergeRequestReader =
  (apiUrl: string, project: string) =>
  (pull: GitLabMergeRequest): PullRequest => {
    const isMerged = pull.state === 'merged';
    return {
      number: pull.iid,
      url: `${forgePagesUrl(apiUrl)}/${projectPathOf(pull, project)}/-/merge_requests/${pull.iid}`,
      // `locked` means that GitLab is merging it right now
      state: isMerged ? 'merged' : pull.state === 'closed' ? 'closed' : 'open',
      head: pull.sha ?? '',
      // without a merge commit and a squash, the branch was fast-forwarded to the head
      mergeCommit: isMerged ? (pull.merge_commit_sha ?? pull.squash_commit_sha ?? pull.sha) : null,
    };
  };

/** The path of the project. If the site names it by its ID, the reference `team/site!1` has it. */
function projectPathOf({ references }: GitLabMergeRequest, project: string): string {
  if (!/^\d+$/.test(project)) return project;
  const [, path] = /^([\w.-]{1,255}(?:\/[\w.-]{1,255}){1,20})!\d+$/.exec(references.full) ?? [];
  return path ?? project;
}
