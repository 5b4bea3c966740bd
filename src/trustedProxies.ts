import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses of proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = BlockList;

/** An address with a port or in brackets, as some proxies write it (RFC 7239, section 6). */
const decoratedAddress = /^(?:\[([^\]]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/**
 * Parses a list of addresses and ranges.
 * @param text IP addresses and CIDR ranges, separated by commas: `127.0.0.1, 10.0.0.0/8, fd00::/8`
 * @throws Error if an entry is invalid, the list is empty, or a range contains all addresses
 */
export function readProxies(text: string): TrustedProxies {
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  if (entries.length === 0) throw new Error('No address');
  const proxies = new BlockList();
  for (const entry of entries) {
    const { address, kind, bits } = parseRange(entry);
    proxies.addSubnet(address, bits, kind);
  }
  return proxies;
}

function parseRange(entry: string) {
  const [address = '', bits] = entry.split(/\/(.*)/s);
  if (!isIP(address)) throw new Error(`${entry} is not an IP address`);
  const allBits = isIP(address) === 4 ? 32 : 128;
  const [ip, size] = ipaddr.parseCIDR(`${address}/${bits ?? allBits}`);
  const isMapped = ip.kind() === 'ipv6' && (ip as ipaddr.IPv6).isIPv4MappedAddress();
  const plainAddress = isMapped ? (ip as ipaddr.IPv6).toIPv4Address() : ip;
  const range = {
    address: plainAddress.toString(),
    kind: plainAddress.kind(),
    bits: isMapped ? size - 96 : size,
  };
  if (range.bits < 1) throw new Error(`${entry} contains every IP address`);
  return range;
}

/**
 * Finds the IP address of the client that sent a request. Each proxy appends the address of its
 * peer to `X-Forwarded-For`, so the list is read from the right, as long as the proxy that wrote an
 * entry is trusted.
 * @param proxies the trusted proxies
 * @returns an IPv4 address (also if mapped to IPv6), or an IPv6 address in its normal form; '' if
 *   the connection is gone
 */
export function clientIpAddress(
  { headers, socket }: IncomingMessage,
  proxies: TrustedProxies,
): string {
  let address = parseIpAddress(socket.remoteAddress ?? '');
  if (address === undefined) return '';
  const forwardedTexts = String(headers['x-forwarded-for'] ?? '').split(',');
  for (const text of forwardedTexts.flatMap((entry) => entry.trim() || []).reverse()) {
    if (!proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')) break;
    const previousAddress = parseIpAddress(text);
    if (previousAddress === undefined) break;
    address = previousAddress;
  }
  return address;
}

/**
 * Parses an address and drops an IPv6 zone, which is only valid on one machine.
 * @returns undefined if the text is not an address
 */
function parseIpAddress(text: string): string | undefined {
  const [, inBrackets, withPort] = decoratedAddress.exec(text) ?? [];
  const address = inBrackets ?? withPort ?? text;
  return isIP(address) ? ipaddr.process(address.split('%', 1)[0]!).toString() : undefined;
}
