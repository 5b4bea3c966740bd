import { isIP } from 'node:net';
import { DomainError } from '../errors.ts';
import { isPublicAddress, kindOfAddress } from './publicAddresses.ts';
import { resolveWithDns } from './resolveWithDns.ts';
import type { Resolve } from './resolveWithDns.ts';

export interface CallbackPolicy {
  /** CALLBACK_ALLOW_PRIVATE: allows every address and plain http, for tests on one machine. */
  allowPrivate: boolean;
  /**
   * The service's own host names, without ports. A leading dot means a domain and its subdomains.
   */
  ownHosts: string[];
  /** Resolves a host name. Default: DNS. */
  resolve?: Resolve;
  /** Default: only public addresses are allowed. */
  isAllowedAddress?: (address: string) => boolean;
}

/**
 * Suffixes of host names outside of the public internet (RFC 6761, 6762, 8375; ICANN's .internal).
 */
const internalSuffixes = ['.localhost', '.localdomain', '.local', '.internal', '.home.arpa'];

/**
 * Checks a task's `callbackUrl` at creation (docs/contract.md, section 7.2). Accepts a host name
 * that does not resolve yet, since each connection checks the address again.
 * @throws DomainError INVALID_CALLBACK_URL with the contract's text, and a reason
 */
export async function checkCallbackUrl(url: string, policy: CallbackPolicy): Promise<void> {
  const { hostname } = parseCallbackUrl(url, policy);
  if (policy.allowPrivate || isIP(withoutBrackets(hostname))) return;
  const addresses = await (policy.resolve ?? resolveWithDns)(hostname).catch(() => []);
  const reason = refusedAddress(addresses, policy);
  if (reason) throw invalid(reason);
}

/**
 * Parses a callback URL and checks everything except DNS. The checks apply to the parsed URL, so
 * every spelling of an address (octal, hexadecimal, full-width digits …) counts as that address.
 * @returns the URL, without a trailing dot in its host
 * @throws DomainError INVALID_CALLBACK_URL
 */
export function parseCallbackUrl(text: string, policy: CallbackPolicy): URL {
  if (/[\s\\\p{Cc}]/u.test(text))
    throw invalid('it holds white space, a backslash or a control character');
  if (!URL.canParse(text)) throw invalid('it is no URL');
  const url = new URL(text);
  const reason = refusedUrl(url, policy);
  if (reason) throw invalid(reason);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
}

/**
 * Why a host name is refused: one of its addresses is not allowed. undefined if all are allowed.
 */
export function refusedAddress(addresses: string[], policy: CallbackPolicy): string | undefined {
  const isAllowed = policy.isAllowedAddress ?? isPublicAddress;
  return addresses.every(isAllowed) ? undefined : 'its host has an address that is not public';
}

function refusedUrl(url: URL, policy: CallbackPolicy): string | undefined {
  if (url.protocol !== 'https:' && !(policy.allowPrivate && url.protocol === 'http:'))
    return 'it does not use https';
  if (url.username || url.password) return 'it holds credentials';
  if (url.port === '0') return 'its port is 0';
  const host = withoutBrackets(url.hostname);
  if (isIP(host))
    return policy.allowPrivate || !refusedAddress([host], policy)
      ? undefined
      : refusedLiteral(host);
  return refusedName(host, policy);
}

/** Why a URL is refused whose host is an IP address. */
const refusedLiteral = (address: string) => `its host is ${kindOfAddress(address)}`;

function refusedName(host: string, policy: CallbackPolicy): string | undefined {
  const name = host.replace(/\.$/, '').toLowerCase();
  const labels = name.split('.');
  if (labels.includes('')) return 'its host has an empty label';
  if (policy.allowPrivate) return undefined;
  if (labels.length === 1 || internalSuffixes.some((suffix) => name.endsWith(suffix)))
    return 'its host is internal';
  const isOwn = policy.ownHosts.some((own) =>
    own.startsWith('.') ? `.${name}`.endsWith(own) : name === own,
  );
  return isOwn ? "its host is the service's own" : undefined;
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function invalid(reason: string): DomainError {
  return new DomainError('INVALID_CALLBACK_URL', 'Invalid callback URL', {
    reason,
    cause: new Error(reason),
  });
}
