import type { ForgeApi } from '../forgeApi.ts';
import { sortNewestFirst } from '../buildReports.ts';
import { forgePath, projectPath } from '../forgePaths.ts';
import { pullRequestPath, createPullRequestClient } from '../pullRequests.ts';
import * as schemas from './schemas.ts';
import type { GiteaStatus } from './schemas.ts';

/** Entries per page: the most that an instance returns, unless it is configured otherwise. */
const LIMIT = 50;

export interface GiteaMergeRequest {
  head_commit_id: string;
  merge_when_checks_succeed?: true;
}

/**
 * The requests to Gitea's API about one project, one function for each endpoint
 * (https://docs.gitea.com/api/).
 */
export function createGiteaRequests(api: ForgeApi, project: string) {
  const projectRoot = projectPath('gitea', project);
  return {
    ...giteaPullRequests(api, projectRoot),

    readProject: (signal: AbortSignal) =>
      api.read(
        { what: 'read the project', path: projectRoot, answer: schemas.giteaProjectSchema },
        signal,
      ),

    readBranch: (name: string, signal: AbortSignal) =>
      api.read(
        {
          what: `read the branch ${name}`,
          path: projectRoot + forgePath`/branches/${name}`,
          answer: schemas.giteaBranchSchema,
        },
        signal,
      ),

    async readCommits(branch: string, count: number, signal: AbortSignal): Promise<string[]> {
      const query = forgePath`?sha=${branch}&limit=${count}&stat=false&verification=false&files=false`;
      const request = { what: 'read the last commits', path: `${projectRoot}/commits${query}` };
      const foundCommits = await api.read(
        { ...request, answer: schemas.giteaCommitsSchema },
        signal,
      );
      return foundCommits.map(({ sha }) => sha);
    },

    /** Reads a commit's statuses, the newest first. */
    async readStatuses(commit: string, signal: AbortSignal): Promise<GiteaStatus[]> {
      const request = {
        what: 'read the commit statuses',
        path: projectRoot + forgePath`/commits/${commit}/statuses?sort=highestindex&limit=${LIMIT}`,
        answer: schemas.giteaStatusesSchema,
      };
      const foundStatuses = (await Array.fromAsync(api.pages(request, signal))).flat();
      return sortNewestFirst(foundStatuses);
    },
  };
}

function giteaPullRequests(api: ForgeApi, projectRoot: string) {
  return {
    ...createPullRequestClient(api, projectRoot, schemas.giteaPullSchema),

    /** The newest pull request of a branch. The API can't filter by branch, so this reads lists. */
    async findPull(branch: string, state: 'open' | 'all', signal: AbortSignal) {
      const request = {
        what: 'read the pull requests',
        path: projectRoot + forgePath`/pulls?state=${state}&sort=recentupdate&limit=${LIMIT}`,
        answer: schemas.giteaPullsSchema,
      };
      for await (const page of api.pages(request, signal)) {
        const branchPulls = page.filter(
          ({ head, base }) => head.label === branch && head.repo_id === base.repo_id,
        );
        const newest = branchPulls.sort((first, second) => second.number - first.number)[0];
        if (newest) return newest;
      }
      return null;
    },

    mergePull: (number: number, body: GiteaMergeRequest & { Do: string }, signal: AbortSignal) =>
      api.write(
        {
          what: `merge pull request #${number}`,
          method: 'POST',
          path: `${pullRequestPath(projectRoot, number)}/merge`,
          body,
          answer: 'nothing',
        },
        signal,
      ),
  };
}

export type GiteaRequests = ReturnType<typeof createGiteaRequests>;
