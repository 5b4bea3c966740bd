import { setTimeout as delay } from 'node:timers/promises';
import type { OpenableSite } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Repositories, Repository } from './repository.ts';

const ANSWER_WITHIN_MS = 5_000;

/**
 * Finds the production head of sites for people who wait for an answer.
 * @param options.answerWithin milliseconds after which the caller stops waiting, while the fetch goes on
 */
export function createHeads(repositories: Repositories, { answerWithin = ANSWER_WITHIN_MS } = {}) {
  const underWay = new Map<string, Promise<string>>();

  /** One fetch for all who ask at the same time: the first fetch of a large repository outlasts many requests. */
  function fetchHead({ siteId }: OpenableSite, repository: Repository): Promise<string> {
    const fetching = underWay.get(siteId) ?? repository.fetchHead().finally(() => underWay.delete(siteId));
    underWay.set(siteId, fetching);
    fetching.catch(() => undefined);
    return fetching;
  }

  return {
    /**
     * The head of the site's production branch; while the remote does not answer, the one that was fetched last.
     * @throws DomainError UNAVAILABLE where none was fetched yet; CONFLICT where the site's registration
     * is wrong
     */
    async find(site: OpenableSite): Promise<string> {
      const repository = repositories.open(site);
      const late = new AbortController();
      try {
        return await Promise.race([
          fetchHead(site, repository),
          delay(answerWithin, undefined, { signal: late.signal }).then(() => {
            throw new DomainError('UNAVAILABLE', 'The repository does not answer', { retryable: true });
          }),
        ]);
      } catch (error) {
        if (!(error instanceof DomainError) || !error.retryable) throw unreadable(error);
        const last = await repository.lastHead();
        if (last === null) throw unreadable(error);
        return last;
      } finally {
        late.abort();
      }
    },
  };
}

export type Heads = ReturnType<typeof createHeads>;

/** How a request fails whose site can't be read: 503 where asking again may help, else 409 with the reason. */
export function unreadable(error: unknown): unknown {
  if (!(error instanceof DomainError) || !['GIT_FAILED', 'LIMIT_EXCEEDED', 'UNAVAILABLE'].includes(error.code))
    return error;
  const { retryable, message } = error;
  return new DomainError(retryable ? 'UNAVAILABLE' : 'CONFLICT', message, { retryable, cause: error });
}
