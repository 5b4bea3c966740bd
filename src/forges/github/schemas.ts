/** GitHub's answers that are used (https://docs.github.com/rest). Other fields are dropped. */
import Joi from 'joi';

const text = Joi.string().allow('').required();
const optionalText = Joi.string().allow('', null);
const id = Joi.number().integer().required();
const actor = Joi.object({ login: text }).allow(null);

interface Actor {
  login: string;
}

export interface GitHubProject {
  archived: boolean;
  allow_merge_commit?: boolean;
  allow_squash_merge?: boolean;
}

/** https://docs.github.com/rest/repos/repos#get-a-repository */
export const project = Joi.object<GitHubProject>({
  archived: Joi.boolean().required(),
  allow_merge_commit: Joi.boolean(),
  allow_squash_merge: Joi.boolean(),
}).required();

/** https://docs.github.com/rest/git/refs#create-a-reference */
export const ref = Joi.object<{ ref: string }>({ ref: text }).required();

/** https://docs.github.com/rest/branches/branches#get-a-branch */
export const branch = Joi.object<{ protected: boolean; commit: { sha: string } }>({
  protected: Joi.boolean().required(),
  commit: Joi.object({ sha: text }).required(),
}).required();

/** https://docs.github.com/rest/repos/rules#get-rules-for-a-branch */
export const rules: Joi.AnySchema<{ type: string }[]> = Joi.array()
  .items(Joi.object<{ type: string }>({ type: text }))
  .required();

/** https://docs.github.com/rest/commits/commits#list-commits */
export const commits: Joi.AnySchema<{ sha: string }[]> = Joi.array()
  .items(Joi.object<{ sha: string }>({ sha: text }))
  .required();

export interface GitHubPull {
  number: number;
  state: string;
  merged_at: string | null;
  merge_commit_sha: string | null;
  head: { ref: string; sha: string; repo: { id: number } | null };
  base: { ref: string; repo: { id: number } };
}

/** https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
export const pull = Joi.object<GitHubPull>({
  number: id,
  state: text,
  merged_at: Joi.string().allow(null).required(),
  merge_commit_sha: Joi.string().allow(null).required(),
  head: Joi.object({ ref: text, sha: text, repo: Joi.object({ id }).allow(null) }).required(),
  base: Joi.object({ ref: text, repo: Joi.object({ id }).required() }).required(),
}).required();

/** https://docs.github.com/rest/pulls/pulls#list-pull-requests */
export const pulls: Joi.AnySchema<GitHubPull[]> = Joi.array().items(pull.optional()).required();

/** https://docs.github.com/rest/pulls/pulls#merge-a-pull-request */
export const merged = Joi.object<{ sha: string; merged: boolean }>({
  sha: text,
  merged: Joi.boolean().required(),
}).required();

export interface GitHubDeployment {
  id: number;
  environment: string;
  creator: Actor | null;
}

/** https://docs.github.com/rest/deployments/deployments#list-deployments */
export const deployments: Joi.AnySchema<GitHubDeployment[]> = Joi.array()
  .items(Joi.object<GitHubDeployment>({ id, environment: text, creator: actor }))
  .required();

export interface GitHubDeploymentStatus {
  id: number;
  state: string;
  creator: Actor | null;
  description?: string | null;
  environment_url?: string | null;
  log_url?: string | null;
  target_url?: string | null;
}

/** https://docs.github.com/rest/deployments/statuses#list-deployment-statuses */
export const deploymentStatuses: Joi.AnySchema<GitHubDeploymentStatus[]> = Joi.array()
  .items(
    Joi.object<GitHubDeploymentStatus>({
      id,
      state: text,
      creator: actor,
      description: optionalText,
      environment_url: optionalText,
      log_url: optionalText,
      target_url: optionalText,
    }),
  )
  .required();

export interface GitHubStatus {
  id: number;
  state: string;
  context: string;
  creator: Actor | null;
  description?: string | null;
  target_url?: string | null;
}

/** https://docs.github.com/rest/commits/statuses#list-commit-statuses-for-a-reference */
export const statuses: Joi.AnySchema<GitHubStatus[]> = Joi.array()
  .items(
    Joi.object<GitHubStatus>({
      id,
      state: text,
      context: text,
      creator: actor,
      description: optionalText,
      target_url: optionalText,
    }),
  )
  .required();

export interface GitHubCheckRun {
  id: number;
  name: string;
  status: string;
  conclusion: string | null;
  html_url?: string | null;
  details_url?: string | null;
  app: { slug?: string } | null;
}

/** https://docs.github.com/rest/checks/runs#list-check-runs-for-a-git-reference */
export const checkRuns = Joi.object<{ check_runs: GitHubCheckRun[] }>({
  check_runs: Joi.array()
    .items(
      Joi.object({
        id,
        name: text,
        status: text,
        conclusion: optionalText.required(),
        html_url: optionalText,
        details_url: optionalText,
        app: Joi.object({ slug: Joi.string() }).allow(null),
      }),
    )
    .required(),
}).required();

/** https://docs.github.com/rest/apps/apps: Get a repository installation */
export const installation = Joi.object<{ id: number }>({ id }).required();

/** https://docs.github.com/rest/apps/apps: Create an installation access token */
export const installationToken = Joi.object<{ token: string; expires_at: string }>({
  token: Joi.string().required(),
  expires_at: Joi.string().isoDate().required(),
}).required();
