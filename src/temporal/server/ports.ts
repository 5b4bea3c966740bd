import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { DomainError, doesResolve } from '../../errors.ts';

export interface PortWish {
  /** The setting that names the port, for messages. */
  setting: string;
  /** 0: any free port. */
  port: number;
  /** The last run's port, chosen for 0 if it is free. */
  preferred?: number | undefined;
}

/**
 * Finds a port on 127.0.0.1 that is free now.
 * @returns the port; a fixed one unchanged
 * @throws DomainError CONFIGURATION if a fixed port is taken
 */
export async function chooseFreePort(portWish: PortWish): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server, portWish);
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Listens on 127.0.0.1.
 * @returns the port; a fixed one unchanged
 * @throws DomainError CONFIGURATION if a fixed port is taken
 */
export async function listenLocally(
  server: Server,
  { setting, port, preferred }: PortWish,
): Promise<number> {
  for (const candidate of port === 0 ? [preferred ?? 0, 0] : [port]) {
    const listeningPort = await tryListen(server, candidate);
    if (listeningPort !== undefined) return listeningPort;
  }
  const portAdvice = `set ${setting} to a free port, or to 0 for any free one`;
  throw new DomainError(
    'CONFIGURATION',
    `Port ${port} (${setting}) is used by another program: ${portAdvice}`,
  );
}

/** Whether nothing listens on a port of this machine now. @param host an address of it */
export async function isFreePort(port: number, host: string): Promise<boolean> {
  const server = createServer();
  if ((await tryListen(server, port, host)) === undefined) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** The port that the server now listens on; undefined if it is taken or not allowed. */
async function tryListen(
  server: Server,
  port: number,
  host = '127.0.0.1',
): Promise<number | undefined> {
  server.listen(port, host);
  const address = (await doesResolve(once(server, 'listening'))) ? server.address() : null;
  return typeof address === 'object' ? address?.port : undefined;
}
