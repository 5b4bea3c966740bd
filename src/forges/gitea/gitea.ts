import { DomainError } from '../../errors.ts';
import { type ForgeAdapter, createFixedToken, wrongCredentialError } from '../adapter.ts';
import { createForgeApi } from '../forgeApi.ts';
import { archivedProblem, checkForge } from '../checkForge.ts';
import type { ForgeProject, ForgeProblem, PullRequest, BuildReport } from '../forgeProject.ts';
import { forgePagesUrl } from '../forgeLocation.ts';
import { blockerOnStatus, createPullRequestMethods, requireHead } from '../pullRequests.ts';
import { firstReportOfEachName, isSkippedDescription, webUrl } from '../buildReports.ts';
import { createGiteaRequests, type GiteaRequests, type GiteaMergeRequest } from './requests.ts';
import type { GiteaProject, GiteaPull, GiteaStatus } from './schemas.ts';

/** The adapter for Gitea and Forgejo, which have the same API. `apiUrl` ends with `/api/v1`. */
export const gitea: ForgeAdapter = {
  connect({ credential, ...apiOptions }) {
    if (credential.kind !== 'token') throw wrongCredentialError(credential, 'a token');
    const tokens = createFixedToken(`token ${credential.token}`);
    const api = createForgeApi({ ...apiOptions, tokens, headers: { accept: 'application/json' } });
    return { api, gitCredential: () => Promise.resolve(credential) };
  },
  create: ({ api, apiUrl, project }) =>
    createGiteaForge(createGiteaRequests(api, project), { apiUrl, project }),
};

function createGiteaForge(
  requests: GiteaRequests,
  { apiUrl, project }: { apiUrl: string; project: string },
): ForgeProject {
  const pullRequestOf = giteaPullReader(apiUrl, project);
  const reports = async (commit: string, signal: AbortSignal): Promise<BuildReport[]> =>
    firstReportOfEachName(
      (await requests.readStatuses(commit, signal)).map((status) => giteaReport(status, apiUrl)),
    );
  return {
    ...createPullRequestMethods(requests, { pullOf: pullRequestOf, openStatus: 409 }),

    reports,

    merge: (number, head, signal) =>
      mergeGiteaPull({ requests, pullOf: pullRequestOf }, { number, head }, signal),

    check: (branch, signal) =>
      checkForge(
        {
          project,
          branch,
          reports,
          readProject: async () => giteaProjectProblems(await requests.readProject(signal)),
          async readBranch() {
            const found = await requests.readBranch(branch, signal);
            return { isProtected: found.protected, mayPush: found.user_can_push };
          },
          tryPullRequest: () =>
            requests.createPull({ branch, into: branch, title: branch, body: '' }, signal),
          readCommits: (count) => requests.readCommits(branch, count, signal),
        },
        signal,
      ),
  };
}

async function mergeGiteaPull(
  {
    requests,
    pullOf: pullRequestOf,
  }: { requests: GiteaRequests; pullOf: ReturnType<typeof giteaPullReader> },
  { number, head }: { number: number; head: string },
  signal: AbortSignal,
): Promise<PullRequest> {
  const pull = await requests.readPull(number, signal);
  if (requireHead(pullRequestOf(pull), head).state === 'merged') return pullRequestOf(pull);
  const { default_merge_style: style } = await requests.readProject(signal);
  /** @returns null, or why the forge can't merge now if it answers 405 or 409 */
  const requestMerge = (mergeOptions: GiteaMergeRequest) =>
    requests
      .mergePull(number, { Do: style || 'merge', ...mergeOptions }, signal)
      .then(() => null, blockerOnStatus([405, 409]));

  const refusal = await requestMerge({ head_commit_id: head });
  if (refusal && (await mayMergeLater(requests, pull, signal)))
    await requestMerge({ head_commit_id: head, merge_when_checks_succeed: true });
  const pullAfterwards = pullRequestOf(await requests.readPull(number, signal));
  return { ...refusal, ...requireHead(pullAfterwards, head) };
}

/**
 * Whether to let the forge merge by itself as soon as checks and approvals allow it. If the branch
 * is not protected, the forge would not wait for them.
 * @throws DomainError FORGE_REFUSED if the credential may not merge
 */
async function mayMergeLater(
  requests: GiteaRequests,
  { number, base }: GiteaPull,
  signal: AbortSignal,
): Promise<boolean> {
  const branch = await requests.readBranch(base.label, signal);
  if (branch.user_can_merge) return branch.protected;
  throw new DomainError(
    'FORGE_REFUSED',
    `The credential does not allow merging pull request #${number} into ${base.label}`,
  );
}

/**
 * Converts the forge's pull requests. Builds their URLs itself, because the URL in an answer could
 * lead to another host, or be a script.
 */
const giteaPullReader =
  (apiUrl: string, project: string) =>
  (pull: GiteaPull): PullRequest => ({
    number: pull.number,
    url: `${forgePagesUrl(apiUrl)}/${project}/pulls/${pull.number}`,
    state: pull.merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    head: pull.head.sha,
    mergeCommit: pull.merged ? (pull.merge_commit_sha ?? null) : null,
  });

/** Converts a commit status. Gitea Actions report a path of the forge in place of a URL. */
function giteaReport(status: GiteaStatus, apiUrl: string): BuildReport {
  const url = webUrl(status.target_url, apiUrl);
  return {
    of: 'status',
    name: status.context,
    creator: status.creator?.login ?? null,
    state: giteaReportState(status),
    url,
    logUrl: url,
  };
}

function giteaReportState({ status, description }: GiteaStatus): BuildReport['state'] {
  if (status === 'pending') return 'pending';
  if (status === 'skipped') return 'skipped';
  if (status !== 'success' && status !== 'warning') return 'failure';
  return isSkippedDescription(description) ? 'skipped' : 'success';
}

export const writeAccessMissing: ForgeProblem = {
  code: 'scope',
  message: 'The account of the credential needs write access to the project.',
};

function giteaProjectProblems(project: GiteaProject): ForgeProblem[] {
  const problems: ForgeProblem[] = [];
  if (project.archived) problems.push(archivedProblem);
  if (!project.has_pull_requests)
    problems.push({
      code: 'project',
      message: 'Pull requests are disabled in the project. Enable them in its settings.',
    });
  if (project.permissions?.push === false) problems.push(writeAccessMissing);
  return problems;
}
