import { Agent } from 'undici';
import { DomainError } from '../errors.ts';
import type { HttpResponse, HttpRequest, SendHttp } from '../forges/forgeProject.ts';
import { parseCallbackUrl } from './callbackPolicy.ts';
import {
  RefusedAddressError,
  TIMEOUT_PROBLEM,
  type GuardedConnectOptions,
  guardedConnect,
  limitInterimResponses,
  connectionErrorReason,
} from './guardedConnect.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';

const DEADLINE_MS = 30_000;
const LONGEST_BODY = 8 * 1024 ** 2;
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
  send: SendHttp;
  /** Ends requests that are under way. */
  close(): Promise<void>;
}

/**
 * Creates a sender of requests to forges and web pages. Its connections stay open for a few
 * seconds.
 */
export function createGuardedSender(options: GuardedSendOptions): GuardedSender {
  const httpAgent = new Agent({
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
      const eitherSignal = AbortSignal.any([timeout, signal]);
      return receiveAnswer(
        httpAgent,
        { ...request, url },
        options.bytes ?? LONGEST_BODY,
        eitherSignal,
      ).catch((error: unknown) => {
        signal.throwIfAborted();
        const problem = timeout.aborted
          ? TIMEOUT_PROBLEM
          : `failed: ${connectionErrorReason(error)}`;
        throw requestFailed(url.origin, problem, error);
      });
    },
    close: () => httpAgent.destroy(),
  };
}

async function receiveAnswer(
  httpAgent: Agent,
  { url, method = 'GET', headers, body }: Omit<HttpRequest, 'url'> & { url: URL },
  maxBytes: number,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const response = await httpAgent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { 'user-agent': 'agent-tasks-service', ...headers },
    ...(body !== undefined && { body }),
    ...limitInterimResponses(signal),
  });
  const chunks: Buffer[] = [];
  let remainingBytes = maxBytes;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, remainingBytes));
    remainingBytes -= chunk.length;
    if (remainingBytes <= 0) break;
  }
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    body: Buffer.concat(chunks),
  };
}

function allowedUrl(urlText: string, options: GuardedSendOptions): URL {
  try {
    return parseCallbackUrl(urlText, options);
  } catch (error) {
    const { reason } = error as DomainError;
    const { origin = 'a URL' } = parseUrl(urlText) ?? {};
    throw requestFailed(origin, `is not allowed: ${reason}`, new RefusedAddressError(reason));
  }
}

/** Paths, queries and header fields may hold secrets: a message names the origin only. */
const requestFailed = (origin: string, problem: string, cause: unknown) =>
  new DomainError('UNAVAILABLE', `The request to ${origin} ${problem}`, {
    retryable: !(cause instanceof RefusedAddressError),
    cause,
  });
