import { isIP } from 'node:net';
import { DomainError } from '../errors.ts';
import { type CallbackPolicy, parseCallbackUrl, refusedAddress } from './guard.ts';
import { resolveWithDns } from './resolveWithDns.ts';

/**
 * Resolves a repository's host to the addresses that git may connect to. All of the host's
 * addresses must be public, by the same rules as for callbacks.
 * @param host a name or an address, in any spelling
 * @returns the addresses; null if every address is allowed (CALLBACK_ALLOW_PRIVATE)
 * @throws DomainError GIT_FAILED with a reason: `address` for a host that is not allowed,
 * `unreachable` (retryable) for one that does not resolve
 */
export async function repositoryAddresses(
  host: string,
  policy: CallbackPolicy,
): Promise<string[] | null> {
  const name = checkedHost(host, policy);
  if (policy.allowPrivate) return null;
  const literal = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal)) return [literal];
  const addresses = await (policy.resolve ?? resolveWithDns)(name).catch((cause: unknown) => {
    throw failed(`The host ${name} does not resolve`, 'unreachable', cause);
  });
  const reason = addresses.length === 0 ? 'it has no address' : refusedAddress(addresses, policy);
  if (reason) throw failed(`The host ${name} can't be used: ${reason}`, 'address');
  return addresses;
}

function checkedHost(host: string, policy: CallbackPolicy): string {
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  try {
    if (/[@/?#:]/.test(bracketed.replace(/^\[[0-9a-f:.]*\]$/i, '')) || host.endsWith('.'))
      throw new Error('it is no host');
    return parseCallbackUrl(`https://${bracketed}/`, policy).hostname;
  } catch (error) {
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : 'it is no host';
    throw failed(`The host ${host} can't be used: ${reason}`, 'address');
  }
}

const failed = (message: string, reason: 'address' | 'unreachable', cause?: unknown) =>
  new DomainError('GIT_FAILED', message, {
    retryable: reason === 'unreachable',
    details: { reason },
    cause,
  });
