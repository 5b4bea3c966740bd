import { Resolver } from 'node:dns/promises';

const WITHIN_MS = 5_000;

/** Returns the IP addresses of a host name. Throws if it has none. */
export type HostResolver = (hostname: string) => Promise<string[]>;

/**
 * Resolves a host name by asking the DNS servers directly. `dns.lookup` would let a slow, hostile
 * name server block the process's few threads.
 * @param hostname ASCII, without a trailing dot
 * @param servers `address:port` of the name servers; default: the system's
 * @returns every IPv4 and IPv6 address, IPv4 first
 * @throws Error of `node:dns` if there is no address within 5 s
 */
export async function resolveWithDns(hostname: string, servers?: string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), WITHIN_MS);
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  clearTimeout(timer);
  const addresses = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  );
  if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
  return addresses;
}
