import type { CustomFetch } from 'openid-client';

/** Bytes of an answer that are read at most. */
const LONGEST = 1024 ** 2;

/** Asks an OIDC provider: it follows no redirect, and reads no endless answer. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' });
  const { body, status, headers } = response;
  return new Response(body?.pipeThrough(limited()) ?? null, { status, headers });
};

function limited() {
  let read = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > LONGEST) controller.error(new Error(`The answer has more than ${LONGEST} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
