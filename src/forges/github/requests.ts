import type { ForgeApi } from '../forgeApi.ts';
import { onStatus } from '../apiErrors.ts';
import { forgePath, projectPath } from '../forgePaths.ts';
import { pullRequestPath, createPullRequestClient } from '../pullRequests.ts';
import * as schemas from './schemas.ts';

/** Entries per page: the most that GitHub returns. */
const PER_PAGE = 100;

/**
 * The requests to GitHub's API about one project, one function for each endpoint
 * (https://docs.github.com/rest). They return the fields that schemas.ts names.
 */
export function createGitHubRequests(api: ForgeApi, project: string) {
  const projectRoot = projectPath('github', project);
  return {
    ...gitHubPullRequests(api, project),
    ...gitHubReportRequests(api, projectRoot),

    readProject: (signal: AbortSignal) =>
      api.read(
        { what: 'read the project', path: projectRoot, answer: schemas.gitHubProjectSchema },
        signal,
      ),

    readBranch: (name: string, signal: AbortSignal) =>
      api.read(
        {
          what: `read the branch ${name}`,
          path: projectRoot + forgePath`/branches/${name}`,
          answer: schemas.gitHubBranchSchema,
        },
        signal,
      ),

    /** The types of the rules for a branch. Empty if the server is too old to have rules. */
    async readRules(branch: string, signal: AbortSignal): Promise<string[]> {
      const request = {
        what: `read the rules of the branch ${branch}`,
        path: projectRoot + forgePath`/rules/branches/${branch}?per_page=${PER_PAGE}`,
        answer: schemas.gitHubRulesSchema,
      };
      const foundRules = await api.read(request, signal).catch(onStatus([403, 404], []));
      return foundRules.map(({ type }) => type);
    },

    async readCommits(branch: string, count: number, signal: AbortSignal): Promise<string[]> {
      const request = {
        what: 'read the last commits',
        path: projectRoot + forgePath`/commits?sha=${branch}&per_page=${count}`,
        answer: schemas.gitHubCommitsSchema,
      };
      return (await api.read(request, signal)).map(({ sha }) => sha);
    },

    /** Creates a branch. GitHub answers 422 if it exists, which `tryPush` of github.ts expects. */
    createRef: (body: { ref: string; sha: string }, signal: AbortSignal) =>
      api.write(
        {
          what: 'create a branch',
          method: 'POST',
          path: `${projectRoot}/git/refs`,
          body,
          answer: schemas.gitHubRefSchema,
        },
        signal,
      ),
  };
}

function gitHubPullRequests(api: ForgeApi, project: string) {
  const projectRoot = projectPath('github', project);
  return {
    ...createPullRequestClient(api, projectRoot, schemas.gitHubPullSchema),

    /**
     * The newest pull request of a branch. Checks the branch of each, because GitHub returns all
     * pull requests if it can't read `head`.
     */
    async findPull(branch: string, state: 'open' | 'all', signal: AbortSignal) {
      const head = `${project.split('/')[0]}:${branch}`;
      const query = forgePath`?state=${state}&head=${head}&sort=created&direction=desc&per_page=${30}`;
      const request = { what: 'read the pull requests', path: `${projectRoot}/pulls${query}` };
      const foundPulls = await api.read({ ...request, answer: schemas.gitHubPullsSchema }, signal);
      const branchPulls = foundPulls.filter(
        ({ head: { ref, repo }, base }) => ref === branch && repo?.id === base.repo.id,
      );
      return branchPulls.sort((first, second) => second.number - first.number)[0] ?? null;
    },

    mergePull: (number: number, body: { sha: string; merge_method: string }, signal: AbortSignal) =>
      api.write(
        {
          what: `merge pull request #${number}`,
          method: 'PUT',
          path: `${pullRequestPath(projectRoot, number)}/merge`,
          body,
          answer: schemas.gitHubMergedSchema,
        },
        signal,
      ),
  };
}

function gitHubReportRequests(api: ForgeApi, projectRoot: string) {
  return {
    async readDeployments(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the deployments',
        path: projectRoot + forgePath`/deployments?sha=${commit}&per_page=${PER_PAGE}`,
        answer: schemas.gitHubDeploymentsSchema,
      };
      return (await Array.fromAsync(api.pages(request, signal))).flat();
    },

    async readDeploymentStatuses(deployment: number, signal: AbortSignal) {
      const request = {
        what: 'read the states of a deployment',
        path: projectRoot + forgePath`/deployments/${deployment}/statuses?per_page=${PER_PAGE}`,
        answer: schemas.gitHubDeploymentStatusesSchema,
      };
      return api.read(request, signal);
    },

    async readStatuses(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the commit statuses',
        path: projectRoot + forgePath`/commits/${commit}/statuses?per_page=${PER_PAGE}`,
        answer: schemas.gitHubStatusesSchema,
      };
      return (await Array.fromAsync(api.pages(request, signal))).flat();
    },

    async readCheckRuns(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the check runs',
        path:
          projectRoot + forgePath`/commits/${commit}/check-runs?filter=latest&per_page=${PER_PAGE}`,
        answer: schemas.gitHubCheckRunsSchema,
      };
      const pages = await Array.fromAsync(api.pages(request, signal));
      return pages.flatMap(({ check_runs: runs }) => runs);
    },
  };
}

export type GitHubRequests = ReturnType<typeof createGitHubRequests>;
