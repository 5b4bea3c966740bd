/**
 * The fields that we use of the answers of Gitea's and Forgejo's API
 * (https://docs.gitea.com/api/, `/swagger.v1.json` of each instance). Other fields are ignored.
 */
import type { AnswerOf } from '../documentedAnswers.ts';

export const giteaStatusesSchema = [
  {
    id: 'number',
    status: 'text',
    context: 'text',
    'target_url?': 'text',
    'description?': 'text',
    'creator?': { login: 'text' },
  },
] as const;
export type GiteaStatus = AnswerOf<typeof giteaStatusesSchema>[number];

export const giteaPullSchema = {
  number: 'number',
  state: 'text',
  merged: 'flag',
  'merge_commit_sha?': 'text',
  head: { label: 'text', sha: 'text', 'repo_id?': 'number' },
  base: { label: 'text', 'repo_id?': 'number' },
} as const;
export type GiteaPull = AnswerOf<typeof giteaPullSchema>;

export const giteaPullsSchema = [giteaPullSchema] as const;

export const giteaProjectSchema = {
  archived: 'flag',
  has_pull_requests: 'flag',
  'default_merge_style?': 'text',
  'permissions?': { push: 'flag' },
} as const;
export type GiteaProject = AnswerOf<typeof giteaProjectSchema>;

export const giteaBranchSchema = {
  protected: 'flag',
  user_can_push: 'flag',
  user_can_merge: 'flag',
} as const;

export const giteaCommitsSchema = [{ sha: 'text' }] as const;
