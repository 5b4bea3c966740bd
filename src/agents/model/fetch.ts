import { DomainError } from '../../errors.ts';

/** Bytes of an answer that are read at most. */
const ANSWER_LIMIT = 8 * 1024 ** 2;

/**
 * Milliseconds in which an answer begins, and between two of its parts; and those of a whole
 * answer.
 */
export const timeouts = { firstChunkMs: 120_000, chunkMs: 60_000, totalMs: 280_000 };

/**
 * The only way out for the packages of the providers: to one address, without redirects, since
 * these would take the key along. An answer begins in time, and is not endless.
 * @param baseUrl the address
 * @param options.firstMs milliseconds until the answer's head
 */
export function createFetch(
  baseUrl: string,
  { firstMs = timeouts.firstChunkMs }: { firstMs?: number },
): typeof fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    if (new URL(input instanceof Request ? input.url : input).origin !== origin)
      throw new DomainError(
        'MODEL_FAILED',
        'A package of a provider asked for another address than the configured one',
      );
    // The SDK's own limit on the first part begins only when the answer's head is there.
    const slow = new AbortController();
    const timer = setTimeout(
      () => slow.abort(new DOMException('No answer began', 'TimeoutError')),
      firstMs,
    );
    const signal = AbortSignal.any([slow.signal, ...(init?.signal ? [init.signal] : [])]);
    try {
      const response = await fetch(input, { ...init, signal, redirect: 'manual' });
      return new Response(response.body?.pipeThrough(limited()) ?? null, response);
    } finally {
      clearTimeout(timer);
    }
  };
}

function limited() {
  let read = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > ANSWER_LIMIT)
        controller.error(new Error(`The answer has more than ${ANSWER_LIMIT} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
