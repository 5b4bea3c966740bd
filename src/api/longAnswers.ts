import { DomainError } from '../errors.ts';
import { type ApiContext, identityOf } from './context.ts';
import { scopesOf, shareOf } from './middleware/rateLimit.ts';
import { createPlaces } from './placesPerKey.ts';

const PER_KEY = 20;
/** Seconds after which a client that is refused may try again. */
const RETRY_S = 2;

/** Answers that stay open for long, such as event streams. */
export interface LongAnswers {
  /** Whether the client's key, its person or its organization has as many open as it may. */
  isFull(ctx: ApiContext): boolean;
  /**
   * Counts an answer until it ends.
   * @returns a signal that aborts when the client has disconnected or the answer has ended
   * @throws DomainError TOO_MANY_REQUESTS if it is one too many
   */
  begin(ctx: ApiContext): AbortSignal;
}

/** @param what names the answers in the error */
export function createLongAnswers(what: string): LongAnswers {
  const places = {
    key: createPlaces(PER_KEY),
    person: createPlaces(PER_KEY * shareOf.person),
    organization: createPlaces(PER_KEY * shareOf.organization),
  };
  const placesOf = (ctx: ApiContext) => {
    const identity = identityOf(ctx);
    return [
      [places.key, identity.keyId],
      [places.person, scopesOf(identity).person],
      [places.organization, identity.organizationId],
    ] as const;
  };
  const fullOf = (ctx: ApiContext) => placesOf(ctx).find(([place, key]) => place.isFull(key));

  return {
    isFull: (ctx) => fullOf(ctx) !== undefined,
    begin(ctx) {
      if (ctx.res.closed) return AbortSignal.abort();
      const full = fullOf(ctx);
      if (full) {
        ctx.set('Retry-After', String(RETRY_S));
        throw new DomainError('TOO_MANY_REQUESTS', `Over ${full[0].most} ${what}`);
      }
      const own = placesOf(ctx);
      for (const [place, key] of own) place.take(key);
      const gone = new AbortController();
      ctx.res.once('close', () => {
        for (const [place, key] of own) place.leave(key);
        gone.abort();
      });
      return gone.signal;
    },
  };
}

/**
 * A controller that aborts after a time, or when one of the given signals does. AbortSignal.any and
 * .timeout would keep their listeners until the time is over, even after a short answer.
 * @param ms milliseconds
 * @param gone aborts when the answer has ended
 */
export function endOf(ms: number, gone: AbortSignal, closing: AbortSignal): AbortController {
  const ending = new AbortController();
  const end = () => {
    clearTimeout(timer);
    closing.removeEventListener('abort', end);
    ending.abort();
  };
  const timer = setTimeout(end, ms).unref();
  closing.addEventListener('abort', end);
  gone.addEventListener('abort', end, { once: true });
  // a signal that has aborted already tells nobody
  if (gone.aborted || closing.aborted) end();
  return ending;
}
