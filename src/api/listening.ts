import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The addresses to which browsers resolve `localhost` and every name below it (RFC 6761, section
 * 6.3).
 */
const loopback = ['127.0.0.1', '::1'];
/** Number of tries to find a port that is free at every address. */
const ATTEMPTS = 10;
/** Errors that mean the system has no such address, e.g. ::1 without IPv6. */
const absent = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** @param host an IP address, or `localhost` for both loopback addresses */
export const addressesOf = (host: string): string[] => (host === 'localhost' ? loopback : [host]);

/**
 * Opens a server at each address, all with the same port. Addresses that the system lacks are
 * skipped if at least one works.
 * @param create called for each address
 * @param port 0 for a port that is free at all of them
 * @throws the server's own error, e.g. EADDRINUSE. No server is open then.
 */
export async function openServers(create: () => Server, addresses: string[], port: number) {
  for (let attempt = 1; ; attempt++)
    try {
      return await openEach(create, addresses, port);
    } catch (error) {
      const mayRetry = port === 0 && codeOf(error) === 'EADDRINUSE' && attempt < ATTEMPTS;
      if (!mayRetry) throw error;
    }
}

async function openEach(create: () => Server, addresses: string[], wanted: number) {
  const servers: Server[] = [];
  let port = wanted;
  let lack: unknown;
  for (const address of addresses)
    try {
      const server = create().listen(port, address);
      await once(server, 'listening');
      servers.push(server);
      ({ port } = server.address() as AddressInfo);
    } catch (error) {
      lack = error;
      if (absent.includes(codeOf(error))) continue;
      for (const server of servers) server.close();
      throw error;
    }
  if (servers.length === 0) throw lack;
  return { servers, port };
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
