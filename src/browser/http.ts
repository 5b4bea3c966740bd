import { DisplayString, parseItem } from 'structured-headers';
import { NoPath, type Path } from './path.ts';

/**
 * A request that was refused (`status` 400 and above) or not answered (`status` 0). The message is
 * for people.
 */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refused';
    this.status = status;
  }
}

export interface Asked {
  method?: string;
  /** Fields of the query. Those without a value are left out. */
  query?: Fields;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A POST request with a JSON body. */
export const posting = (body: unknown = {}): Asked => ({ method: 'POST', body });

const unreachable = 'The service does not answer. Check your connection, then try again.';

/**
 * Sends a request to a path of this host, with its body if it has one.
 * @throws Refused with status 0 if the service does not answer; NoPath if no request can have the
 *   path
 */
export async function send(
  to: Path,
  { method = 'GET', query = {}, headers = {}, signal, ...more }: Asked = {},
): Promise<Response> {
  const address = to.address + queryOf(query);
  try {
    return await fetch(address, {
      method,
      ...(signal && { signal }),
      ...withBody(more, headers),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(0, unreachable);
  }
}

function withBody({ body }: Asked, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers };
  return {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

export type Fields = Record<string, string | number | null | undefined>;

/** The query string of the fields that have a value, with its `?`; '' if none has one. */
export function queryOf(fields: Fields): string {
  const given = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text && `?${text}`;
}

/**
 * The JSON of a response; undefined if it has none.
 * @throws Refused for every status of 400 and above
 */
export async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  const json = parsed(text);
  if (response.ok) return json as T;
  throw new Refused(response.status, messageOf(response, json));
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The service's own routes name the text `error`, those for signing in name it `message`. */
function messageOf({ status, headers }: Response, json: unknown): string {
  const { error, message } = (json ?? {}) as { error?: unknown; message?: unknown };
  const text = [error, message].find((each) => typeof each === 'string');
  if (status === 429) {
    const seconds = Number(headers.get('Retry-After')) || 30;
    const [, limit] = /^Too Many Requests: the (.+)$/.exec(text ?? '') ?? [];
    return `${limit ? `The ${limit}` : 'That was a lot at once'}. Try again in ${seconds} seconds.`;
  }
  if (status >= 500 && status !== 503)
    return `Something went wrong in the service. Try again in a moment.${reasonIn(headers)}`;
  return (text ?? `The service answered with status ${status}.`) + reasonIn(headers);
}

/** The text to show a person for any failure. */
export const wordsOf = (error: unknown) =>
  error instanceof Refused || error instanceof NoPath
    ? error.message
    : `Something went wrong in this page: ${String(error)}`;

/**
 * The reason that the `Agent-Tasks-Error` header of a response gives beyond its text, in brackets;
 * '' if it gives none.
 */
export function reasonIn(headers: Headers): string {
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
