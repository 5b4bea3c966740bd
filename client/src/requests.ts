import { AgentTasksError, ApiError, ConnectionError } from './errors.ts';
import { LONGEST_MS, within } from './within.ts';

/** The settings of the client. */
export interface Settings {
  /** An API key of your organization. Omit it if a server between you and the service adds it. */
  apiKey?: string | undefined;
  /**
   * The URL of the service, such as `https://tasks.example.com`. In a web page, it may be a path on
   * the server of the page, such as `/svc/api/v1`.
   */
  baseUrl: string;
  /** How often a request is retried if a retry is safe and may help. Default: 3. */
  maxRetries?: number;
  /**
   * Milliseconds for which a request with an idempotency key is retried while the service cannot
   * be reached, for example during a restart. Default: 30,000.
   */
  restartMs?: number;
  /**
   * Milliseconds that a request may take, in addition to the time that it asks the service to wait.
   * Default: 60,000. If the service asks for a longer pause (`Retry-After`), the call fails at once,
   * and its error has `retryAfterMs`.
   */
  timeoutMs?: number;
  /**
   * Milliseconds after which the client reopens an event stream that sends nothing, not even the
   * service's heartbeat. Default: 45,000.
   */
  idleMs?: number;
  /** The `fetch` to use instead of the global one. */
  fetch?: typeof fetch;
}

/** Options that every call takes. */
export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Query = Record<string, string | number | boolean | null | undefined>;
/** The filters of a list. */
export type FiltersOf<Q> = {
  [Name in keyof Omit<NonNullable<Q>, 'cursor'>]?: NonNullable<Q>[Name] | undefined;
};
/** A table with a header line, as text or as the bytes of a file. */
export type Csv = string | Uint8Array | Blob;

/** A request to the API, with how long and how often to try it. */
export interface Request extends CallOptions {
  method?: Method;
  path: string;
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  csv?: Csv;
  headers?: Record<string, string>;
  /** Milliseconds that the request asks the service to wait before it responds. */
  waitMs?: number;
  /** The longest pause before a retry, in milliseconds. Default: `timeoutMs`. */
  longestPauseMs?: number;
  /** The number of retries, if it is higher than `maxRetries`. */
  retries?: number;
}

export interface Answer<T> {
  headers: Headers;
  body: T;
}

/** Sends requests to the service, and retries them if that is safe and may help. */
export interface Requests {
  /** See `Settings`. */
  readonly idleMs: number;
  /** @throws ApiError, ConnectionError, or the signal's reason */
  send(request: Request): Promise<Response>;
  /** Like `send`, and reads the body as JSON. An incomplete response is retried like a lost one. */
  read<T>(request: Request): Promise<Answer<T>>;
}

const RETRIES = 3;
const RESTART_MS = 30_000;
const TIMEOUT_MS = 60_000;
const IDLE_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** With these statuses, the service did not start the work, or a retry is safe. */
const temporary = new Set([408, 429, 502, 503, 504]);
/** Number of retries while a call waits for an existing task, because a restart takes a while. */
export const PATIENT_RETRIES = 10;

/**
 * Makes the function that sends requests. It adds the key and the base URL, limits the time of each
 * try, and retries requests that only read or have an idempotency key.
 */
export function createRequests({
  apiKey,
  baseUrl,
  maxRetries = RETRIES,
  restartMs = RESTART_MS,
  timeoutMs = TIMEOUT_MS,
  idleMs = IDLE_MS,
  ...rest
}: Settings): Requests {
  // fetch's own error message would show the key
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new AgentTasksError('apiKey must be one line of visible ASCII characters');
  const base = addressOf(baseUrl);
  // a browser's fetch must be called without a receiver
  const fetching = rest.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));

  async function once(request: Request) {
    const { method = 'GET', path, query, headers, signal } = request;
    const sent = bodyOf(request);
    const init: RequestInit = {
      method,
      redirect: 'manual',
      headers: {
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        ...(sent && { 'Content-Type': sent.type }),
        ...headers,
      },
      ...(sent && { body: sent.body }),
      ...(signal && { signal }),
    };
    const response = await fetching(base + path + queryOf(query), init).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new ConnectionError(`No response from ${new URL(base).host}`, { cause });
    });
    if (response.status >= 400) throw new ApiError(response, await response.text().catch(() => ''));
    // following it would turn a POST into a GET, and send the key to another host
    if (response.status >= 300 || response.type === 'opaqueredirect')
      throw new AgentTasksError(
        `${new URL(base).host} redirects to another URL: set baseUrl to that URL`,
      );
    return response;
  }

  async function readOnce<T>(request: Request): Promise<Answer<T>> {
    const response = await once(request);
    try {
      const text = await response.text();
      const isEmpty = text === '' && response.status !== 200;
      return { headers: response.headers, body: (isEmpty ? undefined : JSON.parse(text)) as T };
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw new ConnectionError(
        `The response of ${new URL(base).host} is incomplete or is not JSON`,
        {
          cause,
        },
      );
    }
  }

  function inTime<T>(request: Request, call: (request: Request) => Promise<T>) {
    const ms = timeoutMs + (request.waitMs ?? 0);
    const late = () =>
      new ConnectionError(`No response from ${new URL(base).host} within ${ms} ms`);
    return within(ms, { signal: request.signal, late }, (signal) => call({ ...request, signal }));
  }

  async function repeatedly<T>(request: Request, call: (request: Request) => Promise<T>) {
    const began = Date.now();
    for (let tries = 0; ; tries++)
      try {
        return await inTime(request, call);
      } catch (error) {
        if (error instanceof AgentTasksError) error.idempotencyKey = keyOf(request);
        const { longestPauseMs = timeoutMs, retries = 0 } = request;
        const isOutOfTries = tries >= Math.max(maxRetries, retries);
        const ms = pauseAfter(error, tries, isOutOfTries);
        const mayBeRestarting =
          maxRetries > 0 && Date.now() - began + ms < restartMs && isAway(request, error);
        if ((isOutOfTries && !mayBeRestarting) || ms > longestPauseMs || !mayRepeat(request, error))
          throw error;
        await pause(ms, request.signal);
      }
  }

  return {
    idleMs,
    send: (request) => repeatedly(request, once),
    read: (request) => repeatedly(request, readOnce) as never,
  };
}

/** @returns the URL of the API, without a trailing slash */
function addressOf(baseUrl: string): string {
  const { location } = globalThis as { location?: { origin: string } };
  const url = /^\/(?![/\\])/.test(baseUrl)
    ? URL.parse(baseUrl, location?.origin)
    : /^https?:/i.test(baseUrl) && URL.parse(baseUrl);
  if (!url)
    throw new AgentTasksError(
      'baseUrl must be a URL, such as https://tasks.example.com, or, in a web page, a path on the server of the page',
    );
  const { origin, pathname } = url;
  return `${origin}${pathname.replace(/\/*(?:\/api\/v1\/*)?$/, '')}/api/v1`;
}

const keyOf = ({ headers }: Request) => headers?.['Idempotency-Key'];

/**
 * Whether the same request may be sent again: it only reads, or it has an idempotency key.
 */
const mayRepeat = (request: Request, error: unknown) =>
  ((request.method ?? 'GET') === 'GET' || keyOf(request) !== undefined) &&
  (error instanceof ConnectionError || (error instanceof ApiError && isTemporary(error)));

/** Whether a later retry may succeed. START_FAILED is safe to repeat with the same key. */
const isTemporary = ({ status, code }: ApiError) =>
  temporary.has(status) || code === 'START_FAILED';

/** Whether the service seems to restart: a request with a key got no response, or a proxy's. */
const isAway = (request: Request, error: unknown) =>
  keyOf(request) !== undefined &&
  (error instanceof ConnectionError ||
    (error instanceof ApiError && [502, 503, 504].includes(error.status)));

/**
 * The pause before a retry in milliseconds: the one that the service requests, or else twice the
 * previous one, minus up to a quarter. After the usual number of retries, the client ignores a
 * shorter request, so that it does not call a proxy in a loop while the service restarts.
 */
function pauseAfter(error: unknown, tries: number, isOutOfTries: boolean): number {
  const said = error instanceof ApiError ? error.retryAfterMs : undefined;
  const own = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
  const varied = own * (1 - Math.random() / 4);
  return isOutOfTries ? Math.max(said ?? 0, varied) : (said ?? varied);
}

/** Waits for some milliseconds. Rejects with the signal's reason when it aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_MS));
    signal?.addEventListener('abort', end);
  });
}

type Body = NonNullable<RequestInit['body']>;

function bodyOf({ csv, body }: Request): { type: string; body: Body } | undefined {
  if (csv !== undefined) return { type: 'text/csv', body: csv as Body };
  return body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) };
}

function queryOf(query: Request['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
