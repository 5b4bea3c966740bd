import { type ForgeAdapter, fixedToken, wrongCredential } from '../adapter.ts';
import { createApi } from '../api.ts';
import { onStatus } from '../apiErrors.ts';
import { checkForge } from '../check.ts';
import type { Forge, ForgeProblem, PullRequest } from '../forge.ts';
import { createLimits } from '../limits.ts';
import { pagesUrlOf } from '../placeOf.ts';
import { pullRequestMethods, requireHead } from '../pullRequests.ts';
import { appAuthorization, createAppTokens } from './appTokens.ts';
import { readReports } from './reports.ts';
import { githubRequests, type GitHubRequests } from './requests.ts';
import type { GitHubProject, GitHubPull } from './schemas.ts';

const headers = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
};

/** The user name with which git sends an app's token. */
const TOKEN_USER = 'x-access-token';

/** Rules that keep pushes, or pushes without checks, from a branch. */
const protectingRules = ['pull_request', 'update', 'required_status_checks', 'merge_queue'];

/** GitHub, and GitHub Enterprise Server where `apiUrl` ends with `/api/v3`. */
export const github: ForgeAdapter = {
  connect({ credential, project, ...parts }) {
    if (credential.kind === 'token') {
      const tokens = fixedToken(`Bearer ${credential.token}`);
      const api = createApi({ ...parts, headers, tokens });
      return { api, gitCredential: () => Promise.resolve(credential) };
    }
    if (credential.kind !== 'github-app')
      throw wrongCredential(credential, 'a token or a GitHub App');
    const id = `${parts.id} app`;
    const appApi = createApi({
      ...parts,
      id,
      headers,
      tokens: appAuthorization(credential),
      limits: createLimits(new URL(parts.apiUrl).host),
    });
    const tokens = createAppTokens(appApi, { ...credential, project });
    return {
      api: createApi({ ...parts, headers, tokens }),
      gitCredential: async (signal) => ({
        kind: 'token',
        username: TOKEN_USER,
        token: await tokens.token(signal),
      }),
    };
  },
  create: ({ api, apiUrl, project }) =>
    createGitHubForge({ apiUrl, project, requests: githubRequests(api, project) }),
};

interface Parts {
  apiUrl: string;
  project: string;
  requests: GitHubRequests;
}

function createGitHubForge({ apiUrl, project, requests }: Parts): Forge {
  const pullOf = pullReader(apiUrl, project);
  return {
    ...pullRequestMethods(requests, { pullOf, openStatus: 422 }),

    reports: (commit, signal) => readReports(requests, commit, signal),

    merge: (number, head, signal) => merge({ requests, pullOf }, { number, head }, signal),

    check: (branch, signal) => check(requests, { project, branch }, signal),
  };
}

/**
 * GitHub's auto-merge is never asked for: it merges whatever the head is then, and without
 * protection it waits for no check. By 405 GitHub says that the pull request can't be merged (yet),
 * by 409 that its head is another commit.
 */
async function merge(
  { requests, pullOf }: { requests: GitHubRequests; pullOf: ReturnType<typeof pullReader> },
  { number, head }: { number: number; head: string },
  signal: AbortSignal,
): Promise<PullRequest> {
  const pull = pullOf(await requests.readPull(number, signal));
  if (requireHead(pull, head).state === 'merged') return pull;
  const project = await requests.readProject(signal);
  const done = await requests
    .mergePull(number, { sha: head, merge_method: methodOf(project) }, signal)
    .catch(onStatus([405, 409], null));
  if (done) return { ...pull, state: 'merged', mergeCommit: done.sha };
  return requireHead(pullOf(await requests.readPull(number, signal)), head);
}

/** Fields that the credential may not see are absent. */
function methodOf(project: GitHubProject): 'merge' | 'squash' | 'rebase' {
  if (project.allow_merge_commit !== false) return 'merge';
  return project.allow_squash_merge === false ? 'rebase' : 'squash';
}

function check(
  requests: GitHubRequests,
  { project, branch }: { project: string; branch: string },
  signal: AbortSignal,
) {
  const readBranch = async () => {
    const found = await requests.readBranch(branch, signal);
    const rules = await requests.readRules(branch, signal);
    const isProtected = found.protected || rules.some((type) => protectingRules.includes(type));
    return { isProtected, mayPush: !isProtected };
  };
  const own = { branch, into: branch, title: branch, body: '' };
  return checkForge(
    {
      project,
      branch,
      reports: (commit, end) => readReports(requests, commit, end),
      readProject: async () => problemsOf(await requests.readProject(signal)),
      readBranch,
      async tryPush() {
        const { commit } = await requests.readBranch(branch, signal);
        return requests.createRef({ ref: `refs/heads/${branch}`, sha: commit.sha }, signal);
      },
      tryPullRequest: () => requests.createPull(own, signal),
      readCommits: (count) => requests.readCommits(branch, count, signal),
    },
    signal,
  );
}

/**
 * How the port names a pull request. Its address is not the one in the forge's answer, which may be
 * of another host, or a script.
 */
const pullReader =
  (apiUrl: string, project: string) =>
  (pull: GitHubPull): PullRequest => ({
    number: pull.number,
    url: `${pagesUrlOf(apiUrl)}/${project}/pull/${pull.number}`,
    state: pull.merged_at !== null ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    head: pull.head.sha,
    mergeCommit: pull.merged_at === null ? null : pull.merge_commit_sha,
  });

const problemsOf = ({ archived }: GitHubProject): ForgeProblem[] =>
  archived ? [{ code: 'project', message: 'The project is archived: it takes no changes.' }] : [];
