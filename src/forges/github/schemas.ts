/** The fields of GitHub's answers that we use (https://docs.github.com/rest). */
import type { AnswerOf } from '../documentedAnswers.ts';

const gitHubActorSchema = { login: 'text' } as const;

/** https://docs.github.com/rest/repos/repos#get-a-repository */
export const gitHubProjectSchema = {
  archived: 'flag',
  'allow_merge_commit?': 'flag',
  'allow_squash_merge?': 'flag',
} as const;
export type GitHubProject = AnswerOf<typeof gitHubProjectSchema>;

/** https://docs.github.com/rest/git/refs#create-a-reference */
export const gitHubRefSchema = { ref: 'text' } as const;

/** https://docs.github.com/rest/branches/branches#get-a-branch */
export const gitHubBranchSchema = { protected: 'flag', commit: { sha: 'text' } } as const;

/** https://docs.github.com/rest/repos/rules#get-rules-for-a-branch */
export const gitHubRulesSchema = [{ type: 'text' }] as const;

/** https://docs.github.com/rest/commits/commits#list-commits */
export const gitHubCommitsSchema = [{ sha: 'text' }] as const;

/** https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
export const gitHubPullSchema = {
  number: 'number',
  state: 'text',
  'merged_at?': 'text',
  'merge_commit_sha?': 'text',
  head: { ref: 'text', sha: 'text', 'repo?': { id: 'number' } },
  base: { ref: 'text', repo: { id: 'number' } },
} as const;
export type GitHubPull = AnswerOf<typeof gitHubPullSchema>;

/** https://docs.github.com/rest/pulls/pulls#list-pull-requests */
export const gitHubPullsSchema = [gitHubPullSchema] as const;

/** https://docs.github.com/rest/pulls/pulls#merge-a-pull-request */
export const gitHubMergedSchema = { sha: 'text', merged: 'flag' } as const;

/** https://docs.github.com/rest/deployments/deployments#list-deployments */
export const gitHubDeploymentsSchema = [
  { id: 'number', environment: 'text', 'creator?': gitHubActorSchema },
] as const;
export type GitHubDeployment = AnswerOf<typeof gitHubDeploymentsSchema>[number];

/** https://docs.github.com/rest/deployments/statuses#list-deployment-statuses */
export const gitHubDeploymentStatusesSchema = [
  {
    id: 'number',
    state: 'text',
    'creator?': gitHubActorSchema,
    'description?': 'text',
    'environment_url?': 'text',
    'log_url?': 'text',
    'target_url?': 'text',
  },
] as const;
export type GitHubDeploymentStatus = AnswerOf<typeof gitHubDeploymentStatusesSchema>[number];

/** https://docs.github.com/rest/commits/statuses#list-commit-statuses-for-a-reference */
export const gitHubStatusesSchema = [
  {
    id: 'number',
    state: 'text',
    context: 'text',
    'creator?': gitHubActorSchema,
    'description?': 'text',
    'target_url?': 'text',
  },
] as const;
export type GitHubStatus = AnswerOf<typeof gitHubStatusesSchema>[number];

/** https://docs.github.com/rest/checks/runs#list-check-runs-for-a-git-reference */
export const gitHubCheckRunsSchema = {
  check_runs: [
    {
      id: 'number',
      name: 'text',
      status: 'text',
      'conclusion?': 'text',
      'html_url?': 'text',
      'details_url?': 'text',
      'app?': { 'slug?': 'text' },
    },
  ],
} as const;
export type GitHubCheckRun = AnswerOf<typeof gitHubCheckRunsSchema>['check_runs'][number];

/** https://docs.github.com/rest/apps/apps: Get a repository installation */
export const gitHubInstallationSchema = { id: 'number' } as const;

/** https://docs.github.com/rest/apps/apps: Create an installation access token */
export const gitHubInstallationTokenSchema = { token: 'text', expires_at: 'text' } as const;
