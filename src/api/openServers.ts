import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The addresses to which browsers resolve `localhost` and every name below it (RFC 6761, section
 * 6.3).
 */
const loopbackAddresses = ['127.0.0.1', '::1'];
/** Number of tries to find a port that is free at every address. */
const ATTEMPTS = 10;
/** Errors that mean the system has no such address, e.g. ::1 without IPv6. */
const absentAddressErrors = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** @param host an IP address, or `localhost` for both loopback addresses */
export const listenAddresses = (host: string): string[] =>
  host === 'localhost' ? loopbackAddresses : [host];

/**
 * Opens a server at each address, all with the same port. Addresses that the system lacks are
 * skipped if at least one works.
 * @param createServer called for each address
 * @param port 0 for a port that is free at all of them
 * @throws the server's own error, e.g. EADDRINUSE. No server is open then.
 */
export async function openServers(createServer: () => Server, addresses: string[], port: number) {
  for (let attempt = 1; ; attempt++)
    try {
      return await openAtEach(createServer, addresses, port);
    } catch (error) {
      const mayRetry = port === 0 && errorCodeOf(error) === 'EADDRINUSE' && attempt < ATTEMPTS;
      if (!mayRetry) throw error;
    }
}

async function openAtEach(createServer: () => Server, addresses: string[], wantedPort: number) {
  const servers: Server[] = [];
  let port = wantedPort;
  let missingAddressError: unknown;
  for (const address of addresses)
    try {
      const server = createServer().listen(port, address);
      await once(server, 'listening');
      servers.push(server);
      ({ port } = server.address() as AddressInfo);
    } catch (error) {
      missingAddressError = error;
      if (absentAddressErrors.includes(errorCodeOf(error))) continue;
      for (const server of servers) server.close();
      throw error;
    }
  if (servers.length === 0) throw missingAddressError;
  return { servers, port };
}

const errorCodeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
