import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { Agent } from 'undici';
import { defined } from '../contract/defined.ts';
import { DomainError } from '../errors.ts';
import { parseCallbackUrl, refusedAddress } from './guard.ts';
import type { CallbackPolicy } from './guard.ts';
import { resolveWithDns } from './resolveWithDns.ts';
import { signatureHeaders } from './signature.ts';
import type { SignedMessage } from './signature.ts';

/** Headers of every callback. */
export const fixedHeaders = {
  'content-type': 'application/json',
  'user-agent': 'agent-tasks-service',
};

const DEADLINE_MS = 15_000;
/**
 * How long a connection attempt may take before the next address is tried. Node's default of 250 ms
 * is too short for distant receivers.
 */
const ADDRESS_TIMEOUT_MS = 3_000;

export interface CallbackSenderOptions extends CallbackPolicy {
  /** Certificate authorities in PEM, in place of Node's own. */
  ca?: string;
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

/** Creates a sender that keeps the specification's Sending rules. */
export function createCallbackSender(options: CallbackSenderOptions): CallbackSender {
  const closing = new AbortController();
  return {
    async send({ url: text, ...message }, cancelled = new AbortController().signal) {
      const url = guarded(text, options);
      const timeout = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
      const signal = AbortSignal.any([timeout, cancelled, closing.signal]);
      const status = await post(url, message, options, signal).catch((error: unknown) => {
        cancelled.throwIfAborted();
        throw failed(
          url,
          timeout.aborted ? 'did not answer in time' : `failed: ${reasonOf(error)}`,
          error,
        );
      });
      if (status < 200 || status > 299)
        throw failed(url, `was answered with status ${status}, expected 2xx`, undefined, {
          status,
        });
      return status;
    },
    close: () => closing.abort(new Error('the service is shutting down')),
  };
}

function guarded(text: string, options: CallbackSenderOptions): URL {
  try {
    return parseCallbackUrl(text, options);
  } catch (cause) {
    throw new DomainError('CALLBACK_FAILED', 'The callback URL is not allowed (any more)', {
      cause,
    });
  }
}

/**
 * Posts with a new agent. So no connection or TLS session is reused, and each attempt checks the
 * address and the certificate again.
 */
async function post(
  url: URL,
  message: SignedMessage,
  options: CallbackSenderOptions,
  signal: AbortSignal,
) {
  const connect = {
    signal,
    timeout: 0,
    maxCachedSessions: 0,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    ...defined({ ca: options.ca }),
    ...(!options.allowPrivate && { lookup: guardedLookup(options) }),
  };
  const agent = new Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  try {
    const { statusCode, body } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        ...fixedHeaders,
        ...signatureHeaders(message),
      },
      body: message.body,
      signal,
    });
    body.on('error', () => {}).destroy();
    return statusCode;
  } finally {
    await agent.destroy();
  }
}

/**
 * The `lookup` function for Node's sockets. Returns a host name's addresses only if all of them are
 * allowed. Node does not call it if the host is an IP address.
 */
function guardedLookup(options: CallbackSenderOptions): LookupFunction {
  const addressesOf = async (hostname: string) => {
    const addresses = await (options.resolve ?? resolveWithDns)(hostname);
    const reason =
      addresses.length === 0 ? 'its host has no address' : refusedAddress(addresses, options);
    if (reason) throw new Error(reason);
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (found) =>
        all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function failed(
  url: URL,
  what: string,
  cause?: unknown,
  details?: Record<string, unknown>,
): DomainError {
  const message = `The callback to ${url.origin} ${what}`;
  return new DomainError('CALLBACK_FAILED', message, {
    retryable: true,
    cause,
    ...defined({ details }),
  });
}

/**
 * The error code of the system or of undici (ECONNRESET, CERT_HAS_EXPIRED …). Our own errors have
 * none.
 */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined || code === 'UND_ERR_SOCKET' ? message : code;
}
