import { createServer } from 'node:net';
import { DomainError } from '../../errors.ts';

export interface PortWish {
  /** The setting that names the port, for messages. */
  setting: string;
  /** 0 = any free one. */
  port: number;
  /** Taken for 0 if it is free: the port of the last run. */
  preferred?: number | undefined;
}

/**
 * Finds a port on 127.0.0.1 that can be listened on now.
 * @returns the port; a fixed one as it is
 * @throws DomainError CONFIGURATION when a fixed port is taken
 */
export async function choosePort({ setting, port, preferred }: PortWish): Promise<number> {
  if (port !== 0) {
    if ((await tryListen(port)) === undefined) throw new DomainError('CONFIGURATION', taken(setting, port));
    return port;
  }
  const again = preferred === undefined ? undefined : await tryListen(preferred);
  return again ?? (await tryListen(0))!;
}

function taken(setting: string, port: number): string {
  const advice = `set ${setting} to a free port, or to 0 for any free one`;
  return `${setting}: port ${port} is taken by another program; ${advice}`;
}

/** The port that could be listened on, undefined if it is taken or not allowed. */
async function tryListen(port: number): Promise<number | undefined> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
