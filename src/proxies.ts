import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The addresses of proxies whose word on a client's address counts. */
export type Proxies = BlockList;

/** An address with a port, as some proxies write it, or with brackets (RFC 7239, section 6). */
const decorated = /^(?:\[([^\]]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/**
 * Reads a list of addresses and ranges.
 * @param text IP addresses and CIDR ranges, with commas between, such as `127.0.0.1, 10.0.0.0/8,
 *   fd00::/8`
 * @throws Error for anything else, for no address at all, and for a range that holds every address
 */
export function readProxies(text: string): Proxies {
  const items = text.split(',').flatMap((item) => item.trim() || []);
  if (items.length === 0) throw new Error('No address');
  const proxies = new BlockList();
  for (const item of items) {
    const { address, kind, bits } = rangeOf(item);
    proxies.addSubnet(address, bits, kind);
  }
  return proxies;
}

function rangeOf(item: string) {
  const [address = '', bits] = item.split(/\/(.*)/s);
  if (!isIP(address)) throw new Error(`${item} is no address`);
  const all = isIP(address) === 4 ? 32 : 128;
  const [ip, size] = ipaddr.parseCIDR(`${address}/${bits ?? all}`);
  const isMapped = ip.kind() === 'ipv6' && (ip as ipaddr.IPv6).isIPv4MappedAddress();
  const plain = isMapped ? (ip as ipaddr.IPv6).toIPv4Address() : ip;
  const range = {
    address: plain.toString(),
    kind: plain.kind(),
    bits: isMapped ? size - 96 : size,
  };
  if (range.bits < 1) throw new Error(`${item} holds every address`);
  return range;
}

/**
 * The address of the client that sent a request. Each proxy adds the address that it was asked from
 * at the right end of `X-Forwarded-For`, so the list is read from there, for as long as the one
 * that wrote it is believed.
 * @param proxies nobody else's header counts
 * @returns IPv4, also where it came mapped to IPv6, or IPv6 in its usual form; '' where the
 *   connection is gone
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: Proxies): string {
  let address = parse(socket.remoteAddress ?? '');
  if (address === undefined) return '';
  const named = String(headers['x-forwarded-for'] ?? '').split(',');
  for (const text of named.flatMap((item) => item.trim() || []).reverse()) {
    if (!proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')) break;
    const before = parse(text);
    if (before === undefined) break;
    address = before;
  }
  return address;
}

/**
 * Without the zone, which only names an interface of one machine; undefined for what is no address.
 */
function parse(text: string): string | undefined {
  const [, inBrackets, withPort] = decorated.exec(text) ?? [];
  const address = inBrackets ?? withPort ?? text;
  return isIP(address) ? ipaddr.process(address.split('%', 1)[0]!).toString() : undefined;
}
