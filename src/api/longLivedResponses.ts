import { DomainError } from '../errors.ts';
import { type ApiContext, callerIdentity } from './context.ts';
import { limitKeys, limitMultiples } from './middleware/rateLimit.ts';
import { createKeyPermits } from './keyPermits.ts';

const PER_KEY = 20;
/** Seconds after which a client that is refused may try again. */
const RETRY_S = 2;

/** Limits responses that stay open for long, such as event streams. */
export interface LongLivedResponses {
  /** Whether the client's key, its person or its organization has as many open as it may. */
  isFull(ctx: ApiContext): boolean;
  /**
   * Counts a response until it ends.
   * @returns a signal that aborts when the client has disconnected or the response has ended
   * @throws DomainError TOO_MANY_REQUESTS if the key, person or organization has too many
   */
  begin(ctx: ApiContext): AbortSignal;
}

/** @param responsesName the plural noun for these responses in the error message */
export function createLongLivedResponses(responsesName: string): LongLivedResponses {
  const permits = {
    key: createKeyPermits(PER_KEY),
    person: createKeyPermits(PER_KEY * limitMultiples.person),
    organization: createKeyPermits(PER_KEY * limitMultiples.organization),
  };
  const permitsOf = (ctx: ApiContext) => {
    const identity = callerIdentity(ctx);
    return [
      [permits.key, identity.keyId],
      [permits.person, limitKeys(identity).person],
      [permits.organization, identity.organizationId],
    ] as const;
  };
  const findFullPermits = (ctx: ApiContext) =>
    permitsOf(ctx).find(([permitCounter, key]) => permitCounter.isFull(key));

  return {
    isFull: (ctx) => findFullPermits(ctx) !== undefined,
    begin(ctx) {
      if (ctx.res.closed) return AbortSignal.abort();
      const fullPermits = findFullPermits(ctx);
      if (fullPermits) {
        ctx.set('Retry-After', String(RETRY_S));
        throw new DomainError(
          'TOO_MANY_REQUESTS',
          `There are already ${fullPermits[0].most} ${responsesName}`,
        );
      }
      const ownPermits = permitsOf(ctx);
      for (const [permitCounter, key] of ownPermits) permitCounter.take(key);
      const disconnection = new AbortController();
      ctx.res.once('close', () => {
        for (const [permitCounter, key] of ownPermits) permitCounter.leave(key);
        disconnection.abort();
      });
      return disconnection.signal;
    },
  };
}

/**
 * A controller that aborts after a time, or when one of the given signals does. AbortSignal.any and
 * .timeout would keep their listeners until the time is over, even after a short response.
 * @param milliseconds the time until it aborts
 * @param disconnected aborts when the response has ended
 * @param closing aborts when the service stops
 */
export function abortAfter(
  milliseconds: number,
  disconnected: AbortSignal,
  closing: AbortSignal,
): AbortController {
  const ending = new AbortController();
  const endNow = () => {
    clearTimeout(timer);
    closing.removeEventListener('abort', endNow);
    ending.abort();
  };
  const timer = setTimeout(endNow, milliseconds).unref();
  closing.addEventListener('abort', endNow);
  disconnected.addEventListener('abort', endNow, { once: true });
  // a signal that has already aborted sends no further event
  if (disconnected.aborted || closing.aborted) endNow();
  return ending;
}
