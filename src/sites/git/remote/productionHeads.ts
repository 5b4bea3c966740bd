import { setTimeout as delay } from 'node:timers/promises';
import type { OpenableSite } from '../../../contract/site.ts';
import { DomainError, hasErrorCode } from '../../../errors.ts';
import { createSingleFlight } from '../../../singleFlight.ts';
import type { GitRepositories } from '../repository.ts';

const ANSWER_WITHIN_MS = 5_000;

/**
 * Finds the latest commit of sites' production branches for HTTP requests, which can't wait long.
 * @param options.answerWithin milliseconds that a caller waits at most; the fetch continues
 */
export function createProductionHeads(
  repositories: GitRepositories,
  { answerWithin = ANSWER_WITHIN_MS } = {},
) {
  const shareFetch = createSingleFlight<string>();

  return {
    /**
     * Returns the head of the site's production branch, or the head of the last fetch if the remote
     * does not answer in time. Concurrent callers share one fetch.
     * @param signal ends the caller's wait. The fetch ends if all callers abort before they got an
     *   answer. A slow fetch continues: the first one of a large repository outlasts many requests
     * @throws DomainError UNAVAILABLE if there was no fetch yet; CONFLICT if the site's
     *   registration is wrong
     */
    async find(site: OpenableSite, signal?: AbortSignal): Promise<string> {
      const repository = repositories.open(site);
      const [timeoutController, leaveController] = [new AbortController(), new AbortController()];
      const abandonFetch = () => leaveController.abort(signal?.reason);
      signal?.addEventListener('abort', abandonFetch);
      try {
        signal?.throwIfAborted();
        return await Promise.race([
          shareFetch(
            site.siteId,
            (endSignal) => repository.fetchHead(endSignal),
            leaveController.signal,
          ),
          delay(answerWithin, undefined, { signal: timeoutController.signal }).then(() => {
            throw new DomainError('UNAVAILABLE', 'The repository does not respond', {
              retryable: true,
              reason: 'The repository of the site does not respond',
            });
          }),
        ]);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof DomainError) || !error.retryable) throw unreadableSiteError(error);
        const lastHead = await repository.lastHead();
        if (lastHead === null) throw unreadableSiteError(error);
        return lastHead;
      } finally {
        signal?.removeEventListener('abort', abandonFetch);
        timeoutController.abort();
      }
    },
  };
}

export type ProductionHeads = ReturnType<typeof createProductionHeads>;

/**
 * The error of a request whose site can't be read: 503 if a retry may help, else 409 with the
 * reason.
 */
export function unreadableSiteError(error: unknown): unknown {
  if (!hasErrorCode(error, 'GIT_FAILED', 'LIMIT_EXCEEDED', 'UNAVAILABLE')) return error;
  const { retryable, message } = error;
  return new DomainError(retryable ? 'UNAVAILABLE' : 'CONFLICT', message, {
    retryable,
    cause: error,
  });
}
