import { trimEndCharacters } from '../contract/text/summaries.ts';
import { DomainError } from '../errors.ts';
import type { ForgeApi } from './forgeApi.ts';
import { onStatus, refusalReason, refusedStatus } from './apiErrors.ts';
import type { AnswerOf, AnswerSchema } from './documentedAnswers.ts';
import type { ForgeProject, NewPullRequest, PullRequest } from './forgeProject.ts';
import { forgePath } from './forgePaths.ts';

/** The path of a pull request below a forge's API. */
export const pullRequestPath = (projectRoot: string, number: number) =>
  projectRoot + forgePath`/pulls/${number}`;

/** The requests for pull requests that are the same at GitHub, Gitea and Forgejo. */
export const createPullRequestClient = <Schema extends AnswerSchema>(
  api: ForgeApi,
  projectRoot: string,
  answer: Schema,
) => ({
  readPull: (number: number, signal: AbortSignal): Promise<AnswerOf<Schema>> =>
    api.read(
      { what: `read pull request #${number}`, path: pullRequestPath(projectRoot, number), answer },
      signal,
    ),

  createPull: ({ branch, into, title, body }: NewPullRequest, signal: AbortSignal) =>
    api.write(
      {
        what: 'open a pull request',
        method: 'POST',
        path: `${projectRoot}/pulls`,
        body: { title, body, head: branch, base: into },
        answer,
      },
      signal,
    ),

  closePull: (number: number, signal: AbortSignal) =>
    api.write(
      {
        what: `close pull request #${number}`,
        method: 'PATCH',
        path: pullRequestPath(projectRoot, number),
        body: { state: 'closed' },
        answer,
      },
      signal,
    ),
});

interface PullRequestClient<Pull> extends Pick<
  ReturnType<typeof createPullRequestClient<AnswerSchema>>,
  'closePull'
> {
  findPull(branch: string, state: 'open' | 'all', signal: AbortSignal): Promise<Pull | null>;
  readPull(number: number, signal: AbortSignal): Promise<Pull>;
  createPull(request: NewPullRequest, signal: AbortSignal): Promise<Pull>;
}

/**
 * The methods of `ForgeProject` for pull requests, except `merge`, which differs between forges.
 * @param options.pullOf converts the forge's own type of a pull request
 * @param options.openStatus the status if the branch has an open pull request already
 */
export const createPullRequestMethods = <Pull>(
  requests: PullRequestClient<Pull>,
  { pullOf, openStatus }: { pullOf: (pullRequest: Pull) => PullRequest; openStatus: number },
): Pick<
  ForgeProject,
  'openPullRequest' | 'findPullRequest' | 'pullRequest' | 'closePullRequest'
> => ({
  async openPullRequest(request, signal) {
    const createdPull = await requests.createPull(request, signal).catch(async (error: unknown) => {
      const mayBeOpen = refusedStatus(error) === openStatus;
      const openPull = mayBeOpen && (await requests.findPull(request.branch, 'open', signal));
      if (openPull) return openPull;
      throw error;
    });
    return pullOf(createdPull);
  },

  async findPullRequest(branch, signal) {
    const foundPull = await requests.findPull(branch, 'all', signal);
    return foundPull && pullOf(foundPull);
  },

  pullRequest: async (number, signal) => pullOf(await requests.readPull(number, signal)),

  async closePullRequest(number, signal) {
    const foundPull = await requests.readPull(number, signal).catch(onStatus([404], null));
    if (foundPull && pullOf(foundPull).state === 'open') await requests.closePull(number, signal);
  },
});

/**
 * Returns the pull request if it is merged, or may be merged.
 * @throws DomainError FORGE_REFUSED if it is closed, or its head is another commit
 */
export function requireHead(pullRequest: PullRequest, head: string): PullRequest {
  if (pullRequest.state === 'merged' || (pullRequest.state === 'open' && pullRequest.head === head))
    return pullRequest;
  const reason =
    pullRequest.state === 'closed'
      ? 'it was closed'
      : `its head is ${pullRequest.head.slice(0, 10)}, expected ${head.slice(0, 10)}`;
  throw new DomainError(
    'FORGE_REFUSED',
    `Pull request #${pullRequest.number} can't be merged: ${reason} (${pullRequest.url})`,
  );
}

/**
 * A handler for `catch` of a request to merge. It returns the forge's reason if it refused with one
 * of these statuses, with which it says that it can't merge now.
 */
export const blockerOnStatus =
  (statuses: number[]) =>
  (error: unknown): { blocker?: string } => {
    const reason = refusalReason(onStatus(statuses, error)(error));
    return reason === undefined
      ? {}
      : { blocker: `the forge says: ${trimEndCharacters(reason, '.')}` };
  };
