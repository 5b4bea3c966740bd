import { Agent } from 'undici';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { DomainError } from '../errors.ts';
import { parseCallbackUrl } from './callbackPolicy.ts';
import {
  type GuardedConnectOptions,
  TIMEOUT_PROBLEM,
  guardedConnect,
  limitInterimResponses,
  connectionErrorReason,
} from './guardedConnect.ts';
import { signatureHeaders } from './signature.ts';
import type { SignedMessage } from './signature.ts';

/**
 * Sends callbacks, and guards each connection to an address that a customer chose.
 *
 * - `callbackBody.ts` and `signature.ts` make the JSON and the signature of a callback.
 * - `callbackSender.ts` makes one delivery attempt. `sendTest.ts` sends an example to try a URL
 *   out.
 * - `callbackPolicy.ts` and `publicAddresses.ts` decide which URLs and IP addresses are allowed.
 * - `guardedConnect.ts` and `resolveWithDns.ts` check the addresses again at each connection, since
 *   a host name may resolve to an internal address only after its URL was accepted.
 * - `guardedSend.ts` and `repositoryHosts.ts` apply the same rules to forges, pages and git.
 *
 * For example, `send({ url: 'https://acme.example/hook', body, webhookId: 'bg-9l00', … })` posts
 * the body and returns 204. If the receiver answers with status 500, it throws CALLBACK_FAILED,
 * which is retryable.
 */

/** Headers of every callback. */
export const callbackHeaders = {
  'content-type': 'application/json',
  'user-agent': 'agent-tasks-service',
};

const DEADLINE_MS = 15_000;
/** Why an attempt fails that runs when the service closes. */
export const CLOSING_REASON = 'the service is shutting down';

export interface CallbackSenderOptions extends GuardedConnectOptions {
  /**
   * Milliseconds for a whole attempt, including name resolution and handshakes. Default: 15,000.
   */
  deadlineMs?: number;
}

export interface CallbackSender {
  /**
   * Makes one delivery attempt: a POST. Any 2xx status acknowledges it. Follows no redirects, and
   * does not read the response's body.
   * @returns the response's status
   * @throws DomainError CALLBACK_FAILED; the reason of `signal` if it is aborted
   */
  send(delivery: SignedMessage & { url: string }, signal?: AbortSignal): Promise<number>;
  /** Ends running attempts with a retryable error. */
  close(): void;
}

/** Creates a sender of callbacks (docs/contract.md, section 7). */
export function createCallbackSender(options: CallbackSenderOptions): CallbackSender {
  const closing = new AbortController();
  return {
    async send({ url: urlText, ...message }, cancelled = new AbortController().signal) {
      const url = allowedCallbackUrl(urlText, options);
      const timeout = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
      const signal = AbortSignal.any([timeout, cancelled, closing.signal]);
      const status = await postCallback(url, message, options, signal).catch((error: unknown) => {
        cancelled.throwIfAborted();
        throw callbackFailedError(
          url,
          timeout.aborted ? TIMEOUT_PROBLEM : `failed: ${connectionErrorReason(error)}`,
          error,
        );
      });
      if (status < 200 || status > 299)
        throw callbackFailedError(url, unexpectedStatus(status), undefined, { status });
      return status;
    },
    close: () => closing.abort(new Error(CLOSING_REASON)),
  };
}

function allowedCallbackUrl(urlText: string, options: CallbackSenderOptions): URL {
  try {
    return parseCallbackUrl(urlText, options);
  } catch (cause) {
    throw new DomainError('CALLBACK_FAILED', 'The callback URL is not allowed', {
      cause,
    });
  }
}

/**
 * Posts with a new agent. So no connection or TLS session is reused, and each attempt checks the
 * address and the certificate again.
 */
async function postCallback(
  url: URL,
  message: SignedMessage,
  options: CallbackSenderOptions,
  signal: AbortSignal,
) {
  const connect = { ...guardedConnect(options), signal, timeout: 0, maxCachedSessions: 0 };
  const httpAgent = new Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  try {
    const { statusCode, body } = await httpAgent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        ...callbackHeaders,
        ...signatureHeaders(message),
      },
      body: message.body,
      ...limitInterimResponses(signal),
    });
    body.on('error', () => {}).destroy();
    return statusCode;
  } finally {
    await httpAgent.destroy();
  }
}

/** What is wrong with a receiver that does not acknowledge a callback, as the end of a sentence. */
export const unexpectedStatus = (status: number) =>
  `was answered with status ${status} instead of 2xx`;

export function callbackFailedError(
  url: URL,
  problem: string,
  cause?: unknown,
  details?: Record<string, unknown>,
): DomainError {
  const message = `The callback to ${url.origin} ${problem}`;
  return new DomainError('CALLBACK_FAILED', message, {
    retryable: true,
    cause,
    ...withoutUndefined({ details }),
  });
}
