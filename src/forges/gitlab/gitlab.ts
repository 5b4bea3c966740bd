import { DomainError } from '../../errors.ts';
import { type ForgeAdapter, createFixedToken, wrongCredentialError } from '../adapter.ts';
import { refusedStatus } from '../apiErrors.ts';
import { archivedProblem, checkForge } from '../checkForge.ts';
import { createForgeApi } from '../forgeApi.ts';
import { forgePagesUrl } from '../forgeLocation.ts';
import type { ForgeProblem, ForgeProject, PullRequest } from '../forgeProject.ts';
import { createPullRequestMethods } from '../pullRequests.ts';
import { mergeGitLabPull } from './merge.ts';
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
    const expected =
      'a project or group access token, because a deploy token can neither push nor use the API';
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
  if (project.archived) problems.push(archivedProblem);
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
