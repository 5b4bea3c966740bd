/** The fields of GitLab's answers that we use (https://docs.gitlab.com/api/rest/). */
import type { AnswerOf } from '../documentedAnswers.ts';

const gitLabUserSchema = { username: 'text' } as const;
const gitLabAccessSchema = { access_level: 'number' } as const;

/** https://docs.gitlab.com/api/projects/#retrieve-a-project */
export const gitLabProjectSchema = {
  archived: 'flag',
  'merge_requests_access_level?': 'text',
  'squash_option?': 'text',
  'permissions?': {
    'project_access?': gitLabAccessSchema,
    'group_access?': gitLabAccessSchema,
  },
} as const;
export type GitLabProject = AnswerOf<typeof gitLabProjectSchema>;

/** https://docs.gitlab.com/api/branches/#retrieve-a-repository-branch */
export const gitLabBranchSchema = {
  protected: 'flag',
  can_push: 'flag',
  commit: { id: 'text' },
} as const;

/** https://docs.gitlab.com/api/commits/#list-repository-commits */
export const gitLabCommitsSchema = [{ id: 'text' }] as const;

/** https://docs.gitlab.com/api/merge_requests/#retrieve-a-merge-request */
export const gitLabMergeRequestSchema = {
  iid: 'number',
  state: 'text',
  source_branch: 'text',
  target_branch: 'text',
  'source_project_id?': 'number',
  target_project_id: 'number',
  'sha?': 'text',
  'merge_commit_sha?': 'text',
  'squash_commit_sha?': 'text',
  detailed_merge_status: 'text',
  'merge_when_pipeline_succeeds?': 'flag',
  references: { full: 'text' },
} as const;
export type GitLabMergeRequest = AnswerOf<typeof gitLabMergeRequestSchema>;

/** https://docs.gitlab.com/api/merge_requests/#list-project-merge-requests */
export const gitLabMergeRequestsSchema = [gitLabMergeRequestSchema] as const;

/** https://docs.gitlab.com/api/merge_request_approvals/ */
export const gitLabApprovalsSchema = { 'approvals_left?': 'number' } as const;

/** https://docs.gitlab.com/api/deployments/#list-project-deployments */
export const gitLabDeploymentsSchema = [
  {
    id: 'number',
    sha: 'text',
    status: 'text',
    'user?': gitLabUserSchema,
    environment: { name: 'text', 'external_url?': 'text' },
    'deployable?': { 'web_url?': 'text' },
  },
] as const;
export type GitLabDeployment = AnswerOf<typeof gitLabDeploymentsSchema>[number];

/** https://docs.gitlab.com/api/commits/#list-the-statuses-of-a-commit */
export const gitLabStatusesSchema = [
  {
    id: 'number',
    status: 'text',
    name: 'text',
    'ref?': 'text',
    'target_url?': 'text',
    'description?': 'text',
    'allow_failure?': 'flag',
    'author?': gitLabUserSchema,
  },
] as const;
export type GitLabStatus = AnswerOf<typeof gitLabStatusesSchema>[number];

/** https://docs.gitlab.com/api/pipelines/#list-project-pipelines */
export const gitLabPipelinesSchema = [
  { id: 'number', status: 'text', source: 'text', 'web_url?': 'text' },
] as const;
export type GitLabPipeline = AnswerOf<typeof gitLabPipelinesSchema>[number];

/** https://docs.gitlab.com/api/pages/ */
export const gitLabPagesSchema = {
  url: 'text',
  'deployments?': [{ url: 'text', 'path_prefix?': 'text' }],
} as const;
export type GitLabPages = AnswerOf<typeof gitLabPagesSchema>;
