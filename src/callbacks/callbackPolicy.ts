import { isIP } from 'node:net';
import { DomainError } from '../errors.ts';
import { isPublicAddress, describeAddressKind } from './publicAddresses.ts';
import { resolveWithDns } from './resolveWithDns.ts';
import type { HostResolver } from './resolveWithDns.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';

/** Which callback URLs are allowed. */
export interface CallbackPolicy {
  /** CALLBACK_ALLOW_PRIVATE: allows every address and plain http, for tests on one machine. */
  allowPrivate: boolean;
  /**
   * The service's own host names, without ports. A leading dot means a domain and its subdomains.
   */
  ownHosts: string[];
  /** Resolves a host name. Default: DNS. */
  resolve?: HostResolver;
  /** Default: only public addresses are allowed. */
  isAllowedAddress?: (address: string) => boolean;
}

/** Why a URL is refused, each as the end of a sentence. */
export const urlRefusals = {
  characters: 'it contains white space, a backslash or a control character',
  syntax: 'it is not a URL',
  scheme: 'it does not use https',
  credentials: 'it contains credentials',
  port: 'its port is 0',
  emptyLabel: 'its host has an empty label',
  internalHost: 'its host is internal',
  ownHost: 'its host is a host of this service',
  noAddress: 'its host has no IP address',
  privateAddress: 'its host has an IP address that is not public',
};

/**
 * Suffixes of host names outside of the public internet (RFC 6761, 6762, 8375; ICANN's .internal).
 */
const internalSuffixes = ['.localhost', '.localdomain', '.local', '.internal', '.home.arpa'];

/**
 * Checks a task's `callbackUrl` at creation (docs/contract.md, section 7.2). Accepts a host name
 * that does not resolve yet, since each connection checks the address again.
 * @throws DomainError INVALID_CALLBACK_URL with the contract's text, and the reason in its `reason`
 */
export async function checkCallbackUrl(url: string, policy: CallbackPolicy): Promise<void> {
  const { hostname } = parseCallbackUrl(url, policy);
  if (policy.allowPrivate || isIP(withoutBrackets(hostname))) return;
  const addresses = await (policy.resolve ?? resolveWithDns)(hostname).catch(() => []);
  const reason = addressRefusal(addresses, policy);
  if (reason) throw invalidCallbackUrl(reason);
}

/**
 * Parses a callback URL and checks everything except DNS. The checks apply to the parsed URL, so
 * every spelling of an address (octal, hexadecimal, full-width digits …) counts as that address.
 * @returns the URL, without a trailing dot in its host
 * @throws DomainError INVALID_CALLBACK_URL
 */
export function parseCallbackUrl(urlText: string, policy: CallbackPolicy): URL {
  if (/[\s\\\p{Cc}]/u.test(urlText)) throw invalidCallbackUrl(urlRefusals.characters);
  const url = parseUrl(urlText);
  if (url === null) throw invalidCallbackUrl(urlRefusals.syntax);
  const reason = urlRefusal(url, policy);
  if (reason) throw invalidCallbackUrl(reason);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
}

/** Why a host is refused: one of its IP addresses is not allowed. undefined if all are allowed. */
export function addressRefusal(addresses: string[], policy: CallbackPolicy): string | undefined {
  const isAllowed = policy.isAllowedAddress ?? isPublicAddress;
  return addresses.every(isAllowed) ? undefined : urlRefusals.privateAddress;
}

function urlRefusal(url: URL, policy: CallbackPolicy): string | undefined {
  if (url.protocol !== 'https:' && !(policy.allowPrivate && url.protocol === 'http:'))
    return urlRefusals.scheme;
  if (url.username || url.password) return urlRefusals.credentials;
  if (url.port === '0') return urlRefusals.port;
  const host = withoutBrackets(url.hostname);
  if (isIP(host))
    return policy.allowPrivate || !addressRefusal([host], policy) ? undefined : ipHostRefusal(host);
  return hostNameRefusal(host, policy);
}

/** Why a URL is refused whose host is an IP address. */
export const ipHostRefusal = (address: string) => `its host is ${describeAddressKind(address)}`;

function hostNameRefusal(host: string, policy: CallbackPolicy): string | undefined {
  const hostName = host.replace(/\.$/, '').toLowerCase();
  const labels = hostName.split('.');
  if (labels.includes('')) return urlRefusals.emptyLabel;
  if (policy.allowPrivate) return undefined;
  if (labels.length === 1 || internalSuffixes.some((suffix) => hostName.endsWith(suffix)))
    return urlRefusals.internalHost;
  const isOwn = policy.ownHosts.some((ownHost) =>
    ownHost.startsWith('.') ? `.${hostName}`.endsWith(ownHost) : hostName === ownHost,
  );
  return isOwn ? urlRefusals.ownHost : undefined;
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function invalidCallbackUrl(reason: string): DomainError {
  return new DomainError('INVALID_CALLBACK_URL', 'Invalid callback URL', {
    reason,
    cause: new Error(reason),
  });
}
