import { limitBodyBytes } from '../../../contract/text/limitBodyBytes.ts';
import { DomainError } from '../../../errors.ts';

/** Most bytes of an answer that are read. */
const ANSWER_LIMIT = 8 * 1024 ** 2;

/** Milliseconds until an answer begins, between two parts of it, and for the whole answer. */
export const modelTimeouts = { firstChunkMs: 120_000, chunkMs: 60_000, totalMs: 280_000 };

/**
 * Makes the only `fetch` that the providers' packages may use. It only sends to the origin of one
 * URL, and follows no redirects, since their targets would get the key. It limits the time until an
 * answer begins, and the answer's size.
 * @param baseUrl the URL of the provider's API
 * @param options.firstMs milliseconds until the answer's head
 */
export function createProviderFetch(
  baseUrl: string,
  { firstMs = modelTimeouts.firstChunkMs }: { firstMs?: number },
): typeof fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    if (new URL(input instanceof Request ? input.url : input).origin !== origin)
      throw new DomainError(
        'MODEL_FAILED',
        'The package of a provider requested another URL than the configured one',
      );
    // The SDK's own limit for the first part only starts after the answer's head.
    const headTimeout = new AbortController();
    const timer = setTimeout(
      () => headTimeout.abort(new DOMException('No answer began', 'TimeoutError')),
      firstMs,
    );
    const signal = AbortSignal.any([headTimeout.signal, ...(init?.signal ? [init.signal] : [])]);
    try {
      const response = await fetch(input, { ...init, signal, redirect: 'manual' });
      return new Response(
        response.body?.pipeThrough(limitBodyBytes(ANSWER_LIMIT)) ?? null,
        response,
      );
    } finally {
      clearTimeout(timer);
    }
  };
}
