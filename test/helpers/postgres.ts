import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { temporaryFolder } from './database.ts';
import { freePort } from './ports.ts';
import { findProgram } from './programs.ts';
import { createRunDatabase } from './runDatabase.ts';
import { until } from './until.ts';

const run = promisify(execFile);
/** PostgreSQL refuses to run as root; this is `nobody`. */
const UNPRIVILEGED = 65_534;

export interface PostgresServer {
  url: string;
  port: number;
  /** Of its main process. */
  pid(): number;
  /**
   * Kills the server as a crash does, and starts it again on its files and its port.
   * @param whileDown what is done before it starts again
   */
  restart(whileDown?: () => Promise<unknown>): Promise<void>;
  /**
   * Runs one of PostgreSQL's commands as docs/deployment.md has it, in a folder, on this server.
   */
  execute(command: string, folder: string): Promise<void>;
  /** Ends the server at once, its connections too. */
  stop(): Promise<void>;
}

/** A database on a PostgreSQL server. */
export interface PostgresDatabase {
  url: string;
  /** The server's. */
  port: number;
  stop(): Promise<void>;
}

/**
 * A database of the test's own: on the server that all tests of a run share, or on a server that
 * starts for it. Ask `needProgram` first.
 */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const url = await createRunDatabase('template1');
  if (url === null) return startPostgres();
  return { url, port: Number(new URL(url).port), stop: () => Promise.resolve() };
}

/**
 * Starts a PostgreSQL server of the test's own, on loopback. Ask `needProgram` first.
 * @param connections how many it takes at once
 */
export async function startPostgres({ connections = 100 } = {}): Promise<PostgresServer> {
  const folder = temporaryFolder();
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const programs = readablePrograms(folder.path, user.uid !== undefined);
  if (user.uid) chownSync(folder.path, user.uid, user.gid);
  const data = join(folder.path, 'data');
  const options = { cwd: folder.path, ...user };
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync'],
    options,
  );
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `max_connections=${connections}`,
    'jit=off',
  ].flatMap((value) => ['-c', value]);
  const words = ['-D', data, '-p', String(port), ...settings, '-k', folder.path, '-F'];
  const launch = () => spawn(join(programs, 'postgres'), words, { ...options, stdio: 'ignore' });
  const url = `postgres://tester@127.0.0.1:${port}/postgres`;
  let server = launch();
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  await untilAnswered(url);
  return {
    url,
    port,
    pid: () => server.pid!,
    async restart(whileDown) {
      kill();
      await once(server, 'exit');
      await whileDown?.();
      // a start is refused as long as the old server's processes have not all noticed its end
      server = await until('PostgreSQL after its crash', () => {
        const again = launch();
        return Promise.race([
          once(again, 'exit').then(() => null),
          untilAnswered(url).then(() => again),
        ]);
      });
    },
    async execute(command, cwd) {
      const here = command.replace(/-h \S+ -U postgres/, `-h 127.0.0.1 -p ${port} -U tester`);
      const env = { PATH: `${programs}:${process.env.PATH}`, PGDATABASE: 'postgres' };
      await run('sh', ['-c', here], { cwd, env });
    },
    async stop() {
      process.off('exit', kill);
      server.kill('SIGINT');
      await once(server, 'exit');
      folder.remove();
    },
  };
}

/** Where the programs are. `nobody` cannot read a project in root's home folder. */
function readablePrograms(folder: string, isRoot: boolean): string {
  const programs = dirname(findProgram('PostgreSQL') ?? '');
  if (!isRoot || !programs.includes('node_modules')) return programs;
  const copy = join(folder, 'native');
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
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
