import type { ForgeApi } from '../forgeApi.ts';
import { onStatus } from '../apiErrors.ts';
import { sortNewestFirst } from '../buildReports.ts';
import type { NewPullRequest } from '../forgeProject.ts';
import { forgePath, projectPath } from '../forgePaths.ts';
import * as schemas from './schemas.ts';
import type { GitLabDeployment, GitLabStatus } from './schemas.ts';

/** Entries per page: the most that GitLab returns. */
const PER_PAGE = 100;
/** Deployments per page. Each has its job, pipeline and commit, which makes it long. */
const DEPLOYMENTS_PER_PAGE = 50;
/** The most pages of deployments that are searched for a commit, because no filter exists. */
const DEPLOYMENT_PAGES = 4;
const LONGEST_TITLE = 255;

interface GitLabMergeOptions {
  sha: string;
  squash?: true;
  auto_merge?: true;
}

/**
 * The requests to GitLab's API about one project, one function for each endpoint
 * (https://docs.gitlab.com/api/rest/). They return the fields that schemas.ts names.
 */
export function createGitLabRequests(api: ForgeApi, project: string) {
  const projectRoot = projectPath('gitlab', project);
  return {
    ...gitLabMergeRequests(api, projectRoot),
    ...gitLabReportRequests(api, projectRoot),

    readProject: (signal: AbortSignal) =>
      api.read(
        { what: 'read the project', path: projectRoot, answer: schemas.gitLabProjectSchema },
        signal,
      ),

    readBranch: (name: string, signal: AbortSignal) =>
      api.read(
        {
          what: `read the branch ${name}`,
          path: projectRoot + forgePath`/repository/branches/${name}`,
          answer: schemas.gitLabBranchSchema,
        },
        signal,
      ),

    /** Creates a branch. GitLab answers 400 if it exists, which `tryPush` of gitlab.ts expects. */
    createBranch: (body: { branch: string; ref: string }, signal: AbortSignal) =>
      api.write(
        {
          what: 'create a branch',
          method: 'POST',
          path: `${projectRoot}/repository/branches`,
          body,
          answer: 'nothing',
        },
        signal,
      ),

    async readCommits(branch: string, count: number, signal: AbortSignal): Promise<string[]> {
      const request = {
        what: 'read the last commits',
        path: projectRoot + forgePath`/repository/commits?ref_name=${branch}&per_page=${count}`,
        answer: schemas.gitLabCommitsSchema,
      };
      return (await api.read(request, signal)).map(({ id }) => id);
    },
  };
}

function gitLabMergeRequests(api: ForgeApi, projectRoot: string) {
  const answer = schemas.gitLabMergeRequestSchema;
  const mergeRequestPath = (number: number) => projectRoot + forgePath`/merge_requests/${number}`;
  return {
    /** Reads a merge request. GitLab then also checks whether it can be merged. */
    readPull: (number: number, signal: AbortSignal) =>
      api.read(
        { what: `read merge request !${number}`, path: mergeRequestPath(number), answer },
        signal,
      ),

    createPull: ({ branch, into, title, body }: NewPullRequest, signal: AbortSignal) =>
      api.write(
        {
          what: 'open a merge request',
          method: 'POST',
          path: `${projectRoot}/merge_requests`,
          body: {
            source_branch: branch,
            target_branch: into,
            title: mergeRequestTitle(title),
            description: body,
          },
          answer,
        },
        signal,
      ),

    closePull: (number: number, signal: AbortSignal) =>
      api.write(
        {
          what: `close merge request !${number}`,
          method: 'PUT',
          path: mergeRequestPath(number),
          body: { state_event: 'close' },
          answer,
        },
        signal,
      ),

    /** The newest merge request of a branch, and none of a fork's branch of the same name. */
    async findPull(branch: string, state: 'open' | 'all', signal: AbortSignal) {
      const listState = state === 'open' ? 'opened' : 'all';
      const query = forgePath`?state=${listState}&source_branch=${branch}&order_by=created_at&sort=desc&per_page=${30}`;
      const request = {
        what: 'read the merge requests',
        path: `${projectRoot}/merge_requests${query}`,
        answer: schemas.gitLabMergeRequestsSchema,
      };
      const branchPulls = (await api.read(request, signal)).filter(
        (pull) =>
          pull.source_branch === branch && pull.source_project_id === pull.target_project_id,
      );
      return branchPulls.sort((first, second) => second.iid - first.iid)[0] ?? null;
    },

    /** Reads how many approvals are missing. Only paid versions of GitLab require approvals. */
    async readApprovalsLeft(number: number, signal: AbortSignal): Promise<number | undefined> {
      const request = {
        what: `read the approvals of merge request !${number}`,
        path: `${mergeRequestPath(number)}/approvals`,
        answer: schemas.gitLabApprovalsSchema,
      };
      return (await api.read(request, signal)).approvals_left ?? undefined;
    },

    mergePull: (number: number, body: GitLabMergeOptions, signal: AbortSignal) =>
      api.write(
        {
          what: `merge merge request !${number}`,
          method: 'PUT',
          path: `${mergeRequestPath(number)}/merge`,
          body,
          answer,
        },
        signal,
      ),
  };
}

/** GitLab never merges a draft, which every title with such a beginning is. */
const draftPattern = /^\s*(?:\[draft\]|\(draft\)|draft:|draft -)/i;

const mergeRequestTitle = (title: string) =>
  (draftPattern.test(title) ? `Task: ${title}` : title).slice(0, LONGEST_TITLE).toWellFormed();

function gitLabReportRequests(api: ForgeApi, projectRoot: string) {
  return {
    /** Reads a commit's deployments among the newest 200, the newest first. */
    async readDeployments(commit: string, signal: AbortSignal): Promise<GitLabDeployment[]> {
      const query = forgePath`?order_by=id&sort=desc&per_page=${DEPLOYMENTS_PER_PAGE}`;
      const request = {
        what: 'read the deployments',
        path: `${projectRoot}/deployments${query}`,
        answer: schemas.gitLabDeploymentsSchema,
      };
      const foundDeployments: GitLabDeployment[] = [];
      let pageCount = 0;
      for await (const page of api.pages(request, signal)) {
        foundDeployments.push(...page.filter(({ sha }) => sha === commit));
        if (++pageCount === DEPLOYMENT_PAGES) break;
      }
      return sortNewestFirst(foundDeployments);
    },

    /**
     * Reads a commit's statuses, the newest first: those of hosts, and those of jobs. GitLab may
     * not know a commit yet that was just pushed.
     */
    async readStatuses(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the commit statuses',
        path: projectRoot + forgePath`/repository/commits/${commit}/statuses?per_page=${PER_PAGE}`,
        answer: schemas.gitLabStatusesSchema,
      };
      const pages = await Array.fromAsync(api.pages(request, signal)).catch(
        onStatus<GitLabStatus[][]>([404], []),
      );
      return sortNewestFirst(pages.flat());
    },

    /** Reads where Pages shows the project. Only a Maintainer may read it. */
    readPages: (signal: AbortSignal) =>
      api
        .read(
          {
            what: 'read the settings of Pages',
            path: `${projectRoot}/pages`,
            answer: schemas.gitLabPagesSchema,
          },
          signal,
        )
        .catch(onStatus([403, 404], null)),

    /** Reads a commit's pipelines, the newest first. */
    async readPipelines(commit: string, signal: AbortSignal) {
      const request = {
        what: 'read the pipelines',
        path: projectRoot + forgePath`/pipelines?sha=${commit}&per_page=${PER_PAGE}`,
        answer: schemas.gitLabPipelinesSchema,
      };
      return sortNewestFirst(await api.read(request, signal));
    },
  };
}

export type GitLabRequests = ReturnType<typeof createGitLabRequests>;
