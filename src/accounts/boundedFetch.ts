import type { CustomFetch } from 'openid-client';

/** The most bytes of a response that are read. */
const LONGEST = 1024 ** 2;

/** `fetch` for the OIDC provider. Follows no redirects, and reads no more than 1 MB. */
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
