import type { Api } from '../api.ts';
import { path, projectPath } from '../paths.ts';
import { pullPath, pullRequests } from '../pullRequests.ts';
import * as schemas from './schemas.ts';
import type { GiteaStatus } from './schemas.ts';

/** Items of a page: what an instance answers at most, unless it is configured otherwise. */
const LIMIT = 50;

export interface MergeRequest {
  head_commit_id: string;
  merge_when_checks_succeed?: true;
}

/** The requests for one project (https://docs.gitea.com/api/). */
export function giteaRequests(api: Api, project: string) {
  const root = projectPath(project);
  return {
    ...projectPulls(api, root),

    readProject: (signal: AbortSignal) =>
      api.read({ what: 'read the project', path: root, answer: schemas.project }, signal),

    readBranch: (name: string, signal: AbortSignal) =>
      api.read(
        {
          what: `read the branch ${name}`,
          path: root + path`/branches/${name}`,
          answer: schemas.branch,
        },
        signal,
      ),

    async readCommits(branch: string, count: number, signal: AbortSignal): Promise<string[]> {
      const query = path`?sha=${branch}&limit=${count}&stat=false&verification=false&files=false`;
      const request = { what: 'read the last commits', path: `${root}/commits${query}` };
      const found = await api.read({ ...request, answer: schemas.commits }, signal);
      return found.map(({ sha }) => sha);
    },

    /** The newest first. */
    async readStatuses(commit: string, signal: AbortSignal): Promise<GiteaStatus[]> {
      const request = {
        what: 'read the commit statuses',
        path: root + path`/commits/${commit}/statuses?sort=highestindex&limit=${LIMIT}`,
        answer: schemas.statuses,
      };
      const found = (await Array.fromAsync(api.pages(request, signal))).flat();
      return found.sort((a, b) => b.id - a.id);
    },
  };
}

function projectPulls(api: Api, root: string) {
  return {
    ...pullRequests(api, root, schemas.pull),

    /** The newest pull request of a branch. The API can't be asked for one branch's. */
    async findPull(branch: string, state: 'open' | 'all', signal: AbortSignal) {
      const request = {
        what: 'read the pull requests',
        path: root + path`/pulls?state=${state}&sort=recentupdate&limit=${LIMIT}`,
        answer: schemas.pulls,
      };
      for await (const page of api.pages(request, signal)) {
        const ofBranch = page.filter(
          ({ head, base }) => head.label === branch && head.repo_id === base.repo_id,
        );
        const newest = ofBranch.sort((a, b) => b.number - a.number)[0];
        if (newest) return newest;
      }
      return null;
    },

    mergePull: (number: number, body: MergeRequest & { Do: string }, signal: AbortSignal) =>
      api.write(
        {
          what: `merge pull request #${number}`,
          method: 'POST',
          path: `${pullPath(root, number)}/merge`,
          body,
          answer: 'nothing',
        },
        signal,
      ),
  };
}

export type GiteaRequests = ReturnType<typeof giteaRequests>;
