import { DomainError } from '../../errors.ts';
import { type ForgeAdapter, fixedToken, wrongCredential } from '../adapter.ts';
import { createApi } from '../api.ts';
import { onStatus } from '../apiErrors.ts';
import { checkForge } from '../check.ts';
import type { Forge, ForgeProblem, PullRequest, Report } from '../forge.ts';
import { pagesUrlOf } from '../placeOf.ts';
import { pullRequestMethods, requireHead } from '../pullRequests.ts';
import { firstOfEachName, saysSkipped, webAddress } from '../reports.ts';
import { giteaRequests, type GiteaRequests, type MergeRequest } from './requests.ts';
import type { GiteaProject, GiteaPull, GiteaStatus } from './schemas.ts';

/** Gitea and Forgejo, which have the same API here. `apiUrl` ends with `/api/v1`. */
export const gitea: ForgeAdapter = {
  connect({ credential, ...parts }) {
    if (credential.kind !== 'token') throw wrongCredential(credential, 'a token');
    const tokens = fixedToken(`token ${credential.token}`);
    const api = createApi({ ...parts, tokens, headers: { accept: 'application/json' } });
    return { api, gitCredential: () => Promise.resolve(credential) };
  },
  create: ({ api, apiUrl, project }) =>
    createGiteaForge(giteaRequests(api, project), { apiUrl, project }),
};

function createGiteaForge(
  requests: GiteaRequests,
  { apiUrl, project }: { apiUrl: string; project: string },
): Forge {
  const pullOf = pullReader(apiUrl, project);
  const reports = async (commit: string, signal: AbortSignal): Promise<Report[]> =>
    firstOfEachName(
      (await requests.readStatuses(commit, signal)).map((status) => reportOf(status, apiUrl)),
    );
  return {
    ...pullRequestMethods(requests, { pullOf, openStatus: 409 }),

    reports,

    merge: (number, head, signal) => merge({ requests, pullOf }, { number, head }, signal),

    check: (branch, signal) =>
      checkForge(
        {
          project,
          branch,
          reports,
          readProject: async () => problemsOf(await requests.readProject(signal)),
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

async function merge(
  { requests, pullOf }: { requests: GiteaRequests; pullOf: ReturnType<typeof pullReader> },
  { number, head }: { number: number; head: string },
  signal: AbortSignal,
): Promise<PullRequest> {
  const pull = await requests.readPull(number, signal);
  if (requireHead(pullOf(pull), head).state === 'merged') return pullOf(pull);
  const { default_merge_style: style } = await requests.readProject(signal);
  /** @returns whether the forge did. By 405 and 409 it says that it can't (now). */
  const ask = (how: MergeRequest) =>
    requests
      .mergePull(number, { Do: style || 'merge', ...how }, signal)
      .then(() => true, onStatus([405, 409], false));

  if (!(await ask({ head_commit_id: head })) && (await mayWait(requests, pull, signal)))
    await ask({ head_commit_id: head, merge_when_checks_succeed: true });
  return requireHead(pullOf(await requests.readPull(number, signal)), head);
}

/**
 * Whether the forge may merge by itself once its checks and approvals are there. Where the branch
 * is not protected, it would not wait for any.
 */
async function mayWait(
  requests: GiteaRequests,
  { number, base }: GiteaPull,
  signal: AbortSignal,
): Promise<boolean> {
  const branch = await requests.readBranch(base.label, signal);
  if (branch.user_can_merge) return branch.protected;
  throw new DomainError(
    'FORGE_REFUSED',
    `The credential may not merge pull request #${number} into ${base.label}`,
  );
}

/**
 * How the port names a pull request. Its address is not the one in the forge's answer, which may be
 * of another host, or a script.
 */
const pullReader =
  (apiUrl: string, project: string) =>
  (pull: GiteaPull): PullRequest => ({
    number: pull.number,
    url: `${pagesUrlOf(apiUrl)}/${project}/pulls/${pull.number}`,
    state: pull.merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    head: pull.head.sha,
    mergeCommit: pull.merged ? (pull.merge_commit_sha ?? null) : null,
  });

/** Gitea Actions name their pages by a path of the forge. */
function reportOf(status: GiteaStatus, apiUrl: string): Report {
  const url = webAddress(status.target_url, apiUrl);
  return {
    of: 'status',
    name: status.context,
    creator: status.creator?.login ?? null,
    state: stateOf(status),
    url,
    logUrl: url,
  };
}

function stateOf({ status, description }: GiteaStatus): Report['state'] {
  if (status === 'pending') return 'pending';
  if (status === 'skipped') return 'skipped';
  if (status !== 'success' && status !== 'warning') return 'failure';
  return saysSkipped(description) ? 'skipped' : 'success';
}

function problemsOf(project: GiteaProject): ForgeProblem[] {
  const problems: ForgeProblem[] = [];
  if (project.archived)
    problems.push({ code: 'project', message: 'The project is archived: it takes no changes.' });
  if (!project.has_pull_requests)
    problems.push({
      code: 'project',
      message: 'The project takes no pull requests: turn them on in its settings.',
    });
  if (project.permissions?.push === false)
    problems.push({
      code: 'scope',
      message: "The credential's account may not push to the project: it needs write access.",
    });
  return problems;
}
