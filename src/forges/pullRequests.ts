import { DomainError } from '../errors.ts';
import type { Api } from './api.ts';
import { onStatus, statusOf } from './apiErrors.ts';
import type { AnswerOf, AnswerSchema } from './documentedAnswers.ts';
import type { Forge, NewPullRequest, PullRequest } from './forge.ts';
import { path } from './paths.ts';

/** The path of a pull request, or with what follows it, below the API of a project. */
export const pullPath = (root: string, number: number) => root + path`/pulls/${number}`;

/** The requests for pull requests that are the same at GitHub, Gitea and Forgejo. */
export const pullRequests = <Schema extends AnswerSchema>(
  api: Api,
  root: string,
  answer: Schema,
) => ({
  readPull: (number: number, signal: AbortSignal): Promise<AnswerOf<Schema>> =>
    api.read(
      { what: `read pull request #${number}`, path: pullPath(root, number), answer },
      signal,
    ),

  createPull: ({ branch, into, title, body }: NewPullRequest, signal: AbortSignal) =>
    api.write(
      {
        what: 'open a pull request',
        method: 'POST',
        path: `${root}/pulls`,
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
        path: pullPath(root, number),
        body: { state: 'closed' },
        answer,
      },
      signal,
    ),
});

interface PullRequests<Pull> extends Pick<
  ReturnType<typeof pullRequests<AnswerSchema>>,
  'closePull'
> {
  findPull(branch: string, state: 'open' | 'all', signal: AbortSignal): Promise<Pull | null>;
  readPull(number: number, signal: AbortSignal): Promise<Pull>;
  createPull(request: NewPullRequest, signal: AbortSignal): Promise<Pull>;
}

/**
 * What a forge does with pull requests, but for merging them.
 * @param options.openStatus by which it says that the branch has an open pull request
 */
export const pullRequestMethods = <Pull>(
  requests: PullRequests<Pull>,
  { pullOf, openStatus }: { pullOf: (pull: Pull) => PullRequest; openStatus: number },
): Pick<Forge, 'openPullRequest' | 'findPullRequest' | 'pullRequest' | 'closePullRequest'> => ({
  async openPullRequest(request, signal) {
    const made = await requests.createPull(request, signal).catch(async (error: unknown) => {
      const mayBeOpen = statusOf(error) === openStatus;
      const other = mayBeOpen && (await requests.findPull(request.branch, 'open', signal));
      if (other) return other;
      throw error;
    });
    return pullOf(made);
  },

  async findPullRequest(branch, signal) {
    const found = await requests.findPull(branch, 'all', signal);
    return found && pullOf(found);
  },

  pullRequest: async (number, signal) => pullOf(await requests.readPull(number, signal)),

  async closePullRequest(number, signal) {
    const found = await requests.readPull(number, signal).catch(onStatus([404], null));
    if (found && pullOf(found).state === 'open') await requests.closePull(number, signal);
  },
});

/**
 * A pull request that may be merged, or is.
 * @throws DomainError FORGE_REFUSED if it is closed, or its head is another commit
 */
export function requireHead(pull: PullRequest, head: string): PullRequest {
  if (pull.state === 'merged' || (pull.state === 'open' && pull.head === head)) return pull;
  const why =
    pull.state === 'closed'
      ? 'it was closed'
      : `its head is ${pull.head.slice(0, 10)}, expected ${head.slice(0, 10)}`;
  throw new DomainError(
    'FORGE_REFUSED',
    `Pull request #${pull.number} can't be merged: ${why} (${pull.url})`,
  );
}
