import type { Api } from '../api.ts';
import { onStatus } from '../apiErrors.ts';
import { path, projectPath } from '../paths.ts';
import { pullPath, pullRequests } from '../pullRequests.ts';
import * as schemas from './schemas.ts';

/** Items of a page: what GitHub gives at most. */
const PER_PAGE = 100;

/** The requests for one project (https://docs.github.com/rest). */
export function githubRequests(api: Api, project: string) {
  const root = projectPath(project);
  return {
    ...projectPulls(api, project),
    ...reportRequests(api, root),

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

    /** The types of rules that hold for a branch. None where the forge is older than rulesets. */
    async readRules(branch: string, signal: AbortSignal): Promise<string[]> {
      const request = {
        what: `read the rules of the branch ${branch}`,
        path: root + path`/rules/branches/${branch}?per_page=${PER_PAGE}`,
        answer: schemas.rules,
      };
      const found = await api.read(request, signal).catch(onStatus([403, 404], []));
      return found.map(({ type }) => type);
    },

    async readCommits(branch: string, count: number, signal: AbortSignal): Promise<string[]> {
      const request = {
        what: 'read the last commits',
        path: root + path`/commits?sha=${branch}&per_page=${count}`,
        answer: schemas.commits,
      };
      return (await api.read(request, signal)).map(({ sha }) => sha);
    },

    /** https://docs.github.com/rest/git/refs#create-a-reference: 422 if it is there */
    createRef: (body: { ref: string; sha: string }, signal: AbortSignal) =>
      api.write(
        {
          what: 'take a branch',
          method: 'POST',
          path: `${root}/git/refs`,
          body,
          answer: schemas.ref,
        },
        signal,
      ),
  };
}

function projectPulls(api: Api, project: string) {
  const root = projectPath(project);
  return {
    ...pullRequests(api, root, schemas.pull),

    /** The newest pull request of a branch. GitHub ignores a `head` that it can't read. */
    async findPull(branch: string, state: 'open' | 'all', signal: AbortSignal) {
      const head = `${project.split('/')[0]}:${branch}`;
      const query = path`?state=${state}&head=${head}&sort=created&direction=desc&per_page=${30}`;
      const request = { what: 'read the pull requests', path: `${root}/pulls${query}` };
      const found = await api.read({ ...request, answer: schemas.pulls }, signal);
      const ofBranch = found.filter(
        ({ head: { ref, repo }, base }) => ref === branch && repo?.id === base.repo.id,
      );
      return ofBranch.sort((a, b) => b.number - a.number)[0] ?? null;
    },

    mergePull: (number: number, body: { sha: string; merge_method: string }, signal: AbortSignal) =>
      api.write(
        {
          what: `merge pull request #${number}`,
          method: 'PUT',
          path: `${pullPath(root, number)}/merge`,
          body,
          answer: schemas.merged,
        },
        signal,
      ),
  };
}

function reportRequests(api: Api, root: string) {
  return {
    async readDeployments(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the deployments',
        path: root + path`/deployments?sha=${commit}&per_page=${PER_PAGE}`,
        answer: schemas.deployments,
      };
      return (await Array.fromAsync(api.pages(request, signal))).flat();
    },

    async readDeploymentStatuses(deployment: number, signal: AbortSignal) {
      const request = {
        what: 'read the states of a deployment',
        path: root + path`/deployments/${deployment}/statuses?per_page=${PER_PAGE}`,
        answer: schemas.deploymentStatuses,
      };
      return api.read(request, signal);
    },

    async readStatuses(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the commit statuses',
        path: root + path`/commits/${commit}/statuses?per_page=${PER_PAGE}`,
        answer: schemas.statuses,
      };
      return (await Array.fromAsync(api.pages(request, signal))).flat();
    },

    async readCheckRuns(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the check runs',
        path: root + path`/commits/${commit}/check-runs?filter=latest&per_page=${PER_PAGE}`,
        answer: schemas.checkRuns,
      };
      const pages = await Array.fromAsync(api.pages(request, signal));
      return pages.flatMap(({ check_runs: runs }) => runs);
    },
  };
}

export type GitHubRequests = ReturnType<typeof githubRequests>;
