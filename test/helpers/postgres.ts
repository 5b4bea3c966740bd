import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { temporaryFolder } from './database.ts';
import { findProgram } from './programs.ts';

const run = promisify(execFile);
/** PostgreSQL refuses to run as root; this is `nobody`. */
const UNPRIVILEGED = 65_534;

export interface PostgresServer {
  url: string;
  port: number;
  /** Ends the server at once, its connections too. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL server of the test's own, on loopback. Ask `needProgram` first. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = dirname(findProgram('PostgreSQL') ?? '');
  const folder = temporaryFolder();
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if (user.uid) chownSync(folder.path, user.uid, user.gid);
  const data = join(folder.path, 'data');
  const options = { cwd: folder.path, ...user };
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync'], options);
  const port = await freePort();
  const words = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', folder.path, '-F'];
  const server = spawn(join(programs, 'postgres'), words, { ...options, stdio: 'ignore' });
  const stop = async () => {
    server.kill('SIGINT');
    await once(server, 'exit');
    folder.remove();
  };
  const url = `postgres://tester@127.0.0.1:${port}/postgres`;
  await untilAnswered(url);
  return { url, port, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilAnswered(connectionString: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
