import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { type CallbackPolicy, addressRefusal, urlRefusals } from './callbackPolicy.ts';
import { resolveWithDns } from './resolveWithDns.ts';

/**
 * How long a connection attempt may take before the next address is tried. Node's default of 250 ms
 * is too short for distant receivers.
 */
const ADDRESS_TIMEOUT_MS = 3_000;

/**
 * The cipher suites of TLS without finite-field Diffie-Hellman. There the server chooses the group,
 * and one of 10,000 bits takes a second of the main thread for each connection. Browsers do not
 * offer these suites either.
 */
const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`;

export interface GuardedConnectOptions extends CallbackPolicy {
  /** Certificate authorities in PEM, in place of Node's own. */
  ca?: string;
}

/** Most interim responses, with a status of 1xx, before the response. Servers send one or two. */
const MAX_INTERIM_RESPONSES = 20;

/** What is wrong with a server that keeps a request waiting, as the end of a sentence. */
export const TIMEOUT_PROBLEM = 'did not answer in time';
export const INTERIM_FLOOD_PROBLEM = 'it sends too many interim responses';

/** The error for a host name that has no address, or one that is not allowed. */
export class RefusedAddressError extends Error {}

/** undici's options for connections to allowed addresses only. */
export const guardedConnect = (options: GuardedConnectOptions) => ({
  autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  ciphers: CIPHERS,
  ...withoutUndefined({ ca: options.ca }),
  ...(!options.allowPrivate && { lookup: guardedLookup(options) }),
});

/**
 * undici's options of a request that is aborted if the server sends many interim responses. Reading
 * 16,000 of them at once takes almost a second of the main thread.
 */
export function limitInterimResponses(signal: AbortSignal): {
  signal: AbortSignal;
  onInfo: () => void;
} {
  const flood = new AbortController();
  let responses = 0;
  return {
    signal: AbortSignal.any([signal, flood.signal]),
    onInfo() {
      responses++;
      if (responses > MAX_INTERIM_RESPONSES) flood.abort(new Error(INTERIM_FLOOD_PROBLEM));
    },
  };
}

/**
 * The `lookup` function for Node's sockets. Returns a host name's addresses only if all of them are
 * allowed. Node does not call it if the host is an IP address.
 */
function guardedLookup(policy: CallbackPolicy): LookupFunction {
  const resolveAllowed = async (hostname: string) => {
    const addresses = await (policy.resolve ?? resolveWithDns)(hostname);
    const reason =
      addresses.length === 0 ? urlRefusals.noAddress : addressRefusal(addresses, policy);
    if (reason) throw new RefusedAddressError(reason);
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
  return (hostname, { all }, callback) => {
    resolveAllowed(hostname).then(
      (allowedAddresses) =>
        all
          ? callback(null, allowedAddresses)
          : callback(null, allowedAddresses[0]!.address, allowedAddresses[0]!.family),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/**
 * Why a connection failed: the error code of the system or of undici, such as ECONNRESET or
 * CERT_HAS_EXPIRED. For an error without a code, such as our own, its message.
 */
export function connectionErrorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined || code === 'UND_ERR_SOCKET' ? message : code;
}
