import ipaddr from 'ipaddr.js';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * IPv4 ranges without callbacks: the whole IANA Special-Purpose Address Registry (even entries that
 * are globally reachable), multicast (RFC 5771), and 168.63.129.16, where every Azure machine finds
 * its host.
 */
const notForCallbacksV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * The assigned part of IPv6 global unicast (RFC 4291, 2.4). It excludes mapped, compatible, NAT64,
 * unique local and link-local addresses.
 */
const globalV6: [string, number] = ['2000::', 3];
/**
 * Special ranges within 2000::/3: protocol assignments with Teredo and ORCHID, documentation, 6to4,
 * AS112.
 */
const notForCallbacksV6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const blockedV4 = blockListOf('ipv4', notForCallbacksV4);
const allowedV6 = blockListOf('ipv6', [globalV6]);
const blockedV6 = blockListOf('ipv6', notForCallbacksV6);

/**
 * Whether an IP address is that of an ordinary host on the public internet. Callbacks go only to
 * such addresses.
 * @param address in text form, IPv6 without brackets
 * @returns false also for a text that is not an IP address
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blockedV4.check(address, 'ipv4');
  if (isIPv6(address) && !address.includes('%'))
    return allowedV6.check(address, 'ipv6') && !blockedV6.check(address, 'ipv6');
  return false;
}

const addressKinds: Record<string, string> = {
  private: 'a private IP address',
  uniqueLocal: 'a private IP address',
  carrierGradeNat: 'a private IP address',
  loopback: 'a loopback IP address',
  linkLocal: 'a link-local IP address',
  multicast: 'a multicast IP address',
};

/** The kind of an address, in words for an error's reason. */
export const describeAddressKind = (address: string): string =>
  addressKinds[ipaddr.process(address).range()] ?? 'an IP address that is not public';

function blockListOf(family: 'ipv4' | 'ipv6', ranges: [string, number][]): BlockList {
  const blockList = new BlockList();
  for (const [network, bits] of ranges) blockList.addSubnet(network, bits, family);
  return blockList;
}
