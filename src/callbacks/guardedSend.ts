import { Agent } from 'undici';
import { DomainError } from '../errors.ts';
import type { Incoming, Outgoing, Send } from '../forges/forge.ts';
import { parseCallbackUrl } from './guard.ts';
import {
  AddressRefused,
  type GuardedConnectOptions,
  guardedConnect,
  reasonOf,
} from './guardedConnect.ts';

const DEADLINE_MS = 30_000;
const LONGEST = 8 * 1024 ** 2;
/** Connections to one origin at the same time. */
const CONNECTIONS = 16;

export interface GuardedSendOptions extends GuardedConnectOptions {
  /** Milliseconds for a whole request. Default: 30,000. */
  deadlineMs?: number;
  /** The most bytes of an answer's body that are kept. Default: 8 MB. */
  bytes?: number;
}

export interface GuardedSender {
  /**
   * Sends a request by the rules of callbacks: https only, to allowed addresses only, without
   * following redirects. The rest of a body that is too long is not read.
   * @throws DomainError UNAVAILABLE, retryable unless the address is not allowed; the reason of
   *   `signal` if it is aborted
   */
  send: Send;
  /** Ends requests that are under way. */
  close(): Promise<void>;
}

/** Creates a sender of requests to forges and pages. Connections are kept for a few seconds. */
export function createGuardedSender(options: GuardedSendOptions): GuardedSender {
  const agent = new Agent({
    connect: { ...guardedConnect(options), timeout: options.deadlineMs ?? DEADLINE_MS },
    connections: CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      const url = allowedUrl(request.url, options);
      const timeout = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
      const either = AbortSignal.any([timeout, signal]);
      return receive(agent, { ...request, url }, options.bytes ?? LONGEST, either).catch(
        (error: unknown) => {
          signal.throwIfAborted();
          const what = timeout.aborted ? 'did not answer in time' : `failed: ${reasonOf(error)}`;
          throw failed(url.origin, what, error);
        },
      );
    },
    close: () => agent.destroy(),
  };
}

async function receive(
  agent: Agent,
  { url, method = 'GET', headers, body }: Omit<Outgoing, 'url'> & { url: URL },
  bytes: number,
  signal: AbortSignal,
): Promise<Incoming> {
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { 'user-agent': 'agent-tasks-service', ...headers },
    ...(body !== undefined && { body }),
    signal,
  });
  const chunks: Buffer[] = [];
  let missing = bytes;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, missing));
    missing -= chunk.length;
    if (missing <= 0) break;
  }
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    body: Buffer.concat(chunks),
  };
}

function allowedUrl(text: string, options: GuardedSendOptions): URL {
  try {
    return parseCallbackUrl(text, options);
  } catch (error) {
    const { reason } = error as DomainError;
    const { origin = 'an address' } = URL.parse(text) ?? {};
    throw failed(origin, `is not allowed: ${reason}`, new AddressRefused(reason));
  }
}

/** Paths, queries and header fields may hold secrets: a message names the origin only. */
const failed = (origin: string, what: string, cause: unknown) =>
  new DomainError('UNAVAILABLE', `The request to ${origin} ${what}`, {
    retryable: !(cause instanceof AddressRefused),
    cause,
  });
