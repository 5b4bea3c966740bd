import { type ForgeAdapter, createFixedToken, wrongCredentialError } from '../adapter.ts';
import { createForgeApi } from '../forgeApi.ts';
import { archivedProblem, checkForge } from '../checkForge.ts';
import type { ForgeProject, ForgeProblem, PullRequest } from '../forgeProject.ts';
import { createCredentialLimits } from '../credentialLimits.ts';
import { forgePagesUrl } from '../forgeLocation.ts';
import { blockerOnStatus, createPullRequestMethods, requireHead } from '../pullRequests.ts';
import { appAuthorization, createAppTokens } from './appTokens.ts';
import { readGitHubReports } from './reports.ts';
import { createGitHubRequests, type GitHubRequests } from './requests.ts';
import type { GitHubProject, GitHubPull } from './schemas.ts';

const gitHubHeaders = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
};

/** The user name with which git sends an app's token. */
const TOKEN_USER = 'x-access-token';

/** The types of rules that forbid pushes to a branch, or pushes without checks. */
const protectingRules = ['pull_request', 'update', 'required_status_checks', 'merge_queue'];

/** The adapter for GitHub, and for GitHub Enterprise Server if `apiUrl` ends with `/api/v3`. */
export const github: ForgeAdapter = {
  connect({ credential, project, ...apiOptions }) {
    if (credential.kind === 'token') {
      const tokens = createFixedToken(`Bearer ${credential.token}`);
      const api = createForgeApi({ ...apiOptions, headers: gitHubHeaders, tokens });
      return { api, gitCredential: () => Promise.resolve(credential) };
    }
    if (credential.kind !== 'github-app')
      throw wrongCredentialError(credential, 'a token or a GitHub App');
    const id = `${apiOptions.id} app`;
    const appApi = createForgeApi({
      ...apiOptions,
      id,
      headers: gitHubHeaders,
      tokens: appAuthorization(credential),
      limits: createCredentialLimits(new URL(apiOptions.apiUrl).host),
    });
    const tokens = createAppTokens(appApi, { ...credential, project });
    return {
      api: createForgeApi({ ...apiOptions, headers: gitHubHeaders, tokens }),
      gitCredential: async (signal) => ({
        kind: 'token',
        username: TOKEN_USER,
        token: await tokens.token(signal),
      }),
    };
  },
  create: ({ api, apiUrl, project }) =>
    createGitHubForge({ apiUrl, project, requests: createGitHubRequests(api, project) }),
};

interface GitHubForgeParts {
  apiUrl: string;
  project: string;
  requests: GitHubRequests;
}

function createGitHubForge({ apiUrl, project, requests }: GitHubForgeParts): ForgeProject {
  const pullRequestOf = gitHubPullReader(apiUrl, project);
  return {
    ...createPullRequestMethods(requests, { pullOf: pullRequestOf, openStatus: 422 }),

    reports: (commit, signal) => readGitHubReports(requests, commit, signal),

    merge: (number, head, signal) =>
      mergeGitHubPull({ requests, pullOf: pullRequestOf }, { number, head }, signal),

    check: (branch, signal) => checkGitHubProject(requests, { project, branch }, signal),
  };
}

/**
 * Merges a pull request now, or returns it as it is. Never uses GitHub's auto-merge: that merges
 * whatever the head is later, and does not wait for checks on a branch without protection. GitHub
 * answers 405 if it can't merge (yet), and 409 if the head is another commit.
 */
async function mergeGitHubPull(
  {
    requests,
    pullOf: pullRequestOf,
  }: { requests: GitHubRequests; pullOf: ReturnType<typeof gitHubPullReader> },
  { number, head }: { number: number; head: string },
  signal: AbortSignal,
): Promise<PullRequest> {
  const pull = pullRequestOf(await requests.readPull(number, signal));
  if (requireHead(pull, head).state === 'merged') return pull;
  const project = await requests.readProject(signal);
  const mergedPull = await requests
    .mergePull(number, { sha: head, merge_method: mergeMethodOf(project) }, signal)
    .catch(blockerOnStatus([405, 409]));
  if ('sha' in mergedPull) return { ...pull, state: 'merged', mergeCommit: mergedPull.sha };
  const openPull = requireHead(pullRequestOf(await requests.readPull(number, signal)), head);
  return { ...mergedPull, ...openPull };
}

/** The project's preferred way to merge. Fields that the credential may not see are absent. */
function mergeMethodOf(project: GitHubProject): 'merge' | 'squash' | 'rebase' {
  if (project.allow_merge_commit !== false) return 'merge';
  return project.allow_squash_merge === false ? 'rebase' : 'squash';
}

function checkGitHubProject(
  requests: GitHubRequests,
  { project, branch }: { project: string; branch: string },
  signal: AbortSignal,
) {
  const readBranch = async () => {
    const branchDetails = await requests.readBranch(branch, signal);
    const rules = await requests.readRules(branch, signal);
    const isProtected =
      branchDetails.protected || rules.some((type) => protectingRules.includes(type));
    return { isProtected, mayPush: !isProtected };
  };
  const ownPullRequest = { branch, into: branch, title: branch, body: '' };
  return checkForge(
    {
      project,
      branch,
      reports: (commit, endSignal) => readGitHubReports(requests, commit, endSignal),
      readProject: async () => gitHubProjectProblems(await requests.readProject(signal)),
      readBranch,
      async tryPush() {
        const { commit } = await requests.readBranch(branch, signal);
        return requests.createRef({ ref: `refs/heads/${branch}`, sha: commit.sha }, signal);
      },
      tryPullRequest: () => requests.createPull(ownPullRequest, signal),
      readCommits: (count) => requests.readCommits(branch, count, signal),
    },
    signal,
  );
}

/**
 * Converts GitHub's pull requests. Builds their URLs itself, because the URL in an answer could
 * lead to another host, or be a script.
 */
const gitHubPullReader =
  (apiUrl: string, project: string) =>
  (pull: GitHubPull): PullRequest => ({
    number: pull.number,
    url: `${forgePagesUrl(apiUrl)}/${project}/pull/${pull.number}`,
    state: pull.merged_at !== null ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    head: pull.head.sha,
    mergeCommit: pull.merged_at === null ? null : pull.merge_commit_sha,
  });

const gitHubProjectProblems = ({ archived }: GitHubProject): ForgeProblem[] =>
  archived ? [archivedProblem] : [];
