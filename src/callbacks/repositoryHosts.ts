import { isIP } from 'node:net';
import { DomainError } from '../errors.ts';
import { type CallbackPolicy, parseCallbackUrl, addressRefusal } from './callbackPolicy.ts';
import { resolveWithDns } from './resolveWithDns.ts';

/**
 * Resolves a repository's host to the IP addresses that git may connect to. All of them must be
 * public, by the same rules as for callbacks.
 * @param host a name or an IP address, in any spelling
 * @returns the addresses; null if every address is allowed (CALLBACK_ALLOW_PRIVATE)
 * @throws DomainError GIT_FAILED with a `reason` in its details: `address` for a host that is not
 *   allowed, `unreachable` (retryable) for one that does not resolve
 */
export async function repositoryAddresses(
  host: string,
  policy: CallbackPolicy,
): Promise<string[] | null> {
  const hostName = parseRepositoryHost(host, policy);
  if (policy.allowPrivate) return null;
  const ipAddress = hostName.replace(/^\[(.*)\]$/, '$1');
  if (isIP(ipAddress)) return [ipAddress];
  const addresses = await (policy.resolve ?? resolveWithDns)(hostName).catch((cause: unknown) => {
    throw hostFailed(`The host ${hostName} does not resolve`, 'unreachable', cause);
  });
  const reason =
    addresses.length === 0 ? 'it has no IP address' : addressRefusal(addresses, policy);
  if (reason) throw hostFailed(`The host ${hostName} can't be used: ${reason}`, 'address');
  return addresses;
}

function parseRepositoryHost(host: string, policy: CallbackPolicy): string {
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  try {
    if (/[@/?#:]/.test(bracketed.replace(/^\[[0-9a-f:.]*\]$/i, '')) || host.endsWith('.'))
      throw new Error('it is not a host name');
    return parseCallbackUrl(`https://${bracketed}/`, policy).hostname;
  } catch (error) {
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : 'it is not a host name';
    throw hostFailed(`The host ${host} can't be used: ${reason}`, 'address');
  }
}

const hostFailed = (message: string, reason: 'address' | 'unreachable', cause?: unknown) =>
  new DomainError('GIT_FAILED', message, {
    retryable: reason === 'unreachable',
    details: { reason },
    cause,
  });
