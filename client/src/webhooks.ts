import { AgentTasksError } from './errors.ts';
import type {
  BatchCallback,
  BatchCompletedEvent,
  BatchWaitingEvent,
  CallbackPayload,
  PagePublishedEvent,
  PullRequestWaitingEvent,
  ReviewRequestedEvent,
  TaskCompletedEvent,
  TaskFailedEvent,
  TaskQuestionEvent,
} from './types.ts';

/** An event of your organization. `type` says which one. */
export type OrganizationEvent =
  | TaskCompletedEvent
  | TaskFailedEvent
  | TaskQuestionEvent
  | BatchWaitingEvent
  | BatchCompletedEvent
  | PagePublishedEvent
  | ReviewRequestedEvent
  | PullRequestWaitingEvent
  | { type: 'endpoint.test'; timestamp: string; data: { endpointId: string } };

type HeadersLike = Headers | Record<string, string | readonly string[] | undefined>;

/** The callback is not from the service, is too old, or was changed. Respond to it with a 400. */
export class WrongCallbackError extends AgentTasksError {
  override name = 'WrongCallbackError';
}

/** Seconds that the clocks may differ and that a callback may take (Standard Webhooks). */
const TOLERANCE_S = 5 * 60;
const encoder = new TextEncoder();

/**
 * Checks the signature of a callback (Standard Webhooks, scheme v1), and reads its body.
 * @param rawBody the unparsed body: a parsed and serialized body would have another signature
 * @param headers the header fields of the request
 * @param secret the callback secret of your organization, `whsec_…`
 * @returns the callback of a task (`taskId`) or of a batch (`batchId`)
 * @throws WrongCallbackError
 */
export const unwrap = (
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string,
): Promise<CallbackPayload | BatchCallback> => verify(rawBody, headers, secret);

/**
 * Checks the signature of an event as `unwrap` does, and reads its body. The header `webhook-id` has
 * the event's id: you may get an event twice.
 * @param secret the secret of the webhook endpoint, `whsec_…`
 * @throws WrongCallbackError
 */
export const unwrapEvent = (
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string,
): Promise<OrganizationEvent> => verify(rawBody, headers, secret);

/** @returns the parsed body, whose type only the sender's signature vouches for */
async function verify<Body>(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string,
): Promise<Body> {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new WrongCallbackError(
      'Pass the raw body of the request as text or bytes: the signature of a parsed body cannot be verified',
    );
  const body = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const { id, timestamp, signatures } = signedBy(headers);
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S))
    throw new WrongCallbackError("The callback's timestamp differs too much from the current time");
  const key = await keyOf(secret);
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  const checks = signatures.map((each) => crypto.subtle.verify('HMAC', key, each, signed));
  if (!(await Promise.all(checks)).includes(true))
    throw new WrongCallbackError('The callback has no valid signature');
  return JSON.parse(body) as Body;
}

function signedBy(headers: HeadersLike) {
  const own = isHeaders(headers) ? headers : headersOf(headers);
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    own.get(`webhook-${name}`),
  );
  if (!id || !timestamp || !signature)
    throw new WrongCallbackError(
      'The callback has no webhook-id, webhook-timestamp or webhook-signature',
    );
  const ours = signature.split(' ').filter((each) => each.startsWith('v1,'));
  return { id, timestamp, signatures: ours.map((each) => bytesOf(each.slice(3))) };
}

/** Some libraries have their own class of headers. */
const isHeaders = (headers: HeadersLike): headers is Headers => typeof headers.get === 'function';

const headersOf = (headers: Record<string, string | readonly string[] | undefined>) =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      name.toLowerCase().startsWith('webhook-') ? [[name, String(value)]] : [],
    ),
  );

function keyOf(secret: string) {
  const bytes = bytesOf((secret ?? '').replace(/^whsec_/, ''));
  if (bytes.length === 0)
    throw new WrongCallbackError('The secret must be whsec_ followed by base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/** The bytes of a base64 text. Empty if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
