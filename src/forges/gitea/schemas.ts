/**
 * Answers of the API of Gitea and Forgejo that are used
 * (https://docs.gitea.com/api/, `/swagger.v1.json` of each instance). Other fields are dropped.
 */
import Joi from 'joi';

const text = Joi.string().allow('').required();
const optionalText = Joi.string().allow('', null);
const sha = Joi.string().hex().min(40).max(64).required();

export interface GiteaStatus {
  id: number;
  status: string;
  context: string;
  target_url?: string | null;
  description?: string | null;
  creator?: { login: string } | null;
}

export const statuses: Joi.AnySchema<GiteaStatus[]> = Joi.array()
  .items(
    Joi.object<GiteaStatus>({
      id: Joi.number().required(),
      status: text,
      context: text,
      target_url: optionalText,
      description: optionalText,
      creator: Joi.object({ login: text }).allow(null),
    }),
  )
  .required();

export interface GiteaPull {
  number: number;
  state: string;
  merged: boolean;
  merge_commit_sha?: string | null;
  head: { label: string; sha: string; repo_id?: number };
  base: { label: string; repo_id?: number };
}

const end = { label: text, repo_id: Joi.number() };
export const pull = Joi.object<GiteaPull>({
  number: Joi.number().integer().required(),
  state: text,
  merged: Joi.boolean().required(),
  merge_commit_sha: optionalText,
  head: Joi.object({ ...end, sha: text }).required(),
  base: Joi.object(end).required(),
}).required();

export const pulls: Joi.AnySchema<GiteaPull[]> = Joi.array().items(pull.optional()).required();

export interface GiteaProject {
  archived: boolean;
  has_pull_requests: boolean;
  default_merge_style?: string;
  permissions?: { push: boolean };
}

export const project = Joi.object<GiteaProject>({
  archived: Joi.boolean().required(),
  has_pull_requests: Joi.boolean().required(),
  default_merge_style: Joi.string().allow(''),
  permissions: Joi.object({ push: Joi.boolean().required() }),
}).required();

export interface GiteaBranch {
  protected: boolean;
  user_can_push: boolean;
  user_can_merge: boolean;
}

export const branch = Joi.object<GiteaBranch>({
  protected: Joi.boolean().required(),
  user_can_push: Joi.boolean().required(),
  user_can_merge: Joi.boolean().required(),
}).required();

export const commits: Joi.AnySchema<{ sha: string }[]> = Joi.array<{ sha: string }[]>()
  .items(Joi.object({ sha }))
  .required();
