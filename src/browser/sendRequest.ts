import { DisplayString, parseItem } from 'structured-headers';
import { InvalidPathError, type HostPath } from './hostPath.ts';

/**
 * A request that was refused (`status` 400 and above) or not answered (`status` 0). The message is
 * for people.
 */
export class RefusedRequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refused';
    this.status = status;
  }
}

export interface RequestInput {
  method?: string;
  /** Fields of the query. Those without a value are left out. */
  query?: QueryFields;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether a request other than GET may be sent again, because a second one changes nothing. */
  isRepeatable?: boolean;
}

/** A POST request with a JSON body. */
export const postRequest = (body: unknown = {}): RequestInput => ({ method: 'POST', body });

/** How long a request that may be repeated waits for a service that restarts, in milliseconds. */
const RESTART_MS = 120_000;
const RETRY_EVERY_MS = 1_000;

const unreachableText = 'The service does not answer. Check your connection, then try again.';

/**
 * Sends a request to a path of this service. While the service restarts, GET requests and others
 * that may be repeated wait up to two minutes for it. `src/browser` is the code that both programs
 * in the browser use, the console and the editor: hostPath.ts builds paths, this file sends
 * requests and turns failures into messages for people, modal.tsx shows dialogs, and the others
 * have wordings.
 * `await readResponse(await sendRequest(hostPath`/account`))` → the JSON of the response
 * @throws RefusedRequestError with status 0 if the service does not answer; InvalidPathError as
 *   `HostPath.address`; the reason of an aborted `signal`
 */
export async function sendRequest(
  target: HostPath,
  {
    method = 'GET',
    query = {},
    headers = {},
    signal,
    isRepeatable = method === 'GET',
    ...bodyInput
  }: RequestInput = {},
): Promise<Response> {
  const requestUrl = target.address + queryString(query);
  const deadline = isRepeatable ? Date.now() + RESTART_MS : 0;
  const request = { method, ...(signal && { signal }), ...withBody(bodyInput, headers) };
  for (;;)
    try {
      return await fetch(requestUrl, request);
    } catch (error) {
      if (signal?.aborted) throw error;
      if (Date.now() + RETRY_EVERY_MS > deadline) throw new RefusedRequestError(0, unreachableText);
      await pauseFor(RETRY_EVERY_MS, signal);
    }
}

/** @throws the signal's reason if it is aborted */
async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}

function withBody({ body }: RequestInput, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers };
  return {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

export type QueryFields = Record<string, string | number | null | undefined>;

/** The query string of the fields that have a value, with its `?`; '' if none has one. */
export function queryString(fields: QueryFields): string {
  const givenFields = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(
    givenFields.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text && `?${text}`;
}

/**
 * The JSON of a response; undefined if it has none.
 * @throws RefusedRequestError for every status of 400 and above
 */
export async function readResponse<T>(response: Response): Promise<T> {
  const text = await response.text();
  const responseJson = parseResponseText(text);
  if (response.ok) return responseJson as T;
  throw new RefusedRequestError(response.status, responseMessage(response, responseJson));
}

function parseResponseText(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The message of a refused request for people. The service's own routes have the text in `error`,
 * and those for signing in in `message`.
 */
function responseMessage({ status, headers }: Response, responseJson: unknown): string {
  const { error, message } = (responseJson ?? {}) as { error?: unknown; message?: unknown };
  const text = [error, message].find((candidate) => typeof candidate === 'string');
  if (status === 429) {
    const seconds = Number(headers.get('Retry-After')) || 30;
    const [, limit] = /^Too Many Requests: the ([^.]+)/.exec(text ?? '') ?? [];
    return `${limit ? `The ${limit}` : 'There were too many requests'}. Try again in ${seconds} seconds.`;
  }
  if (status >= 500 && status !== 503)
    return `Something went wrong in the service. Try again in a moment.${reasonInHeaders(headers)}`;
  return (text ?? `The service answered with status ${status}.`) + reasonInHeaders(headers);
}

/** The text to show a person for any failure. */
export const errorText = (error: unknown) =>
  error instanceof RefusedRequestError || error instanceof InvalidPathError
    ? error.message
    : `Something went wrong in this page: ${String(error)}`;

/**
 * The reason that the `Agent-Tasks-Error` header of a response gives beyond its text, in brackets;
 * '' if it gives none.
 */
export function reasonInHeaders(headers: Headers): string {
  try {
    const [, parameters] = parseItem(headers.get('Agent-Tasks-Error') ?? '');
    const reason = parameters.get('reason') as unknown;
    return typeof reason === 'string' || reason instanceof DisplayString
      ? ` (${reason.toString()})`
      : '';
  } catch {
    // A proxy's response has no such header.
    return '';
  }
}
