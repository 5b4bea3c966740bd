import { Connection } from '@temporalio/client';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCli } from '../../src/temporal/server/cliBinary.ts';
import { type DevServer, startDevServer } from '../../src/temporal/server/devServer.ts';

export const namespace = 'agent-tasks';
export const free = { port: 0, uiPort: 0, namespace };

/**
 * The dev servers of a suite: each test has a data folder of its own, which goes with its servers
 * when it ends.
 */
export function devServers() {
  const servers: DevServer[] = [];
  const suite = {
    dataDir: '',
    start: async (options: Partial<Parameters<typeof startDevServer>[0]> = {}) => {
      const server = await startDevServer({ ...free, dataDir: suite.dataDir, ...options });
      servers.push(server);
      return server;
    },
  };
  beforeEach(async () => {
    suite.dataDir = await mkdtemp(join(tmpdir(), 'dev-server-'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await rm(suite.dataDir, { recursive: true, force: true });
  });
  return suite;
}

export async function connectTo<T>(
  server: DevServer,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** The pid of the Temporal server on a data folder, undefined where none runs. */
export const pidOf = async (dataDir: string) =>
  (JSON.parse(await readFile(join(dataDir, 'temporal.pid.json'), 'utf8')) as { pid?: number }).pid;
/** Whether a process is a Temporal server. */
export const isRunning = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('start-dev');

/** The Temporal CLI, whose first servers end as a Go program that panics does. */
export async function panicking(dataDir: string, times: number, words: string): Promise<string> {
  const [path, count] = [join(dataDir, 'temporal'), join(dataDir, 'count')];
  const lines = [
    '#!/bin/sh',
    `[ "$1" = server ] || exec '${await findCli()}' "$@"`,
    `echo >> '${count}'; [ "$(wc -l < '${count}')" -gt ${times} ] && exec '${await findCli()}' "$@"`,
    `printf 'panic: ${words}\\n\\ngoroutine 1 [running]:\\nmain.main()\\n\\t/cli/main.go:18 +0x8e\\n' >&2; exit 2`,
  ];
  await writeFile(path, lines.join('\n'), { mode: 0o755 });
  return path;
}

/** The Temporal CLI, whose servers after the first one wait to start until `go` was called. */
export async function startingOnce(dataDir: string) {
  const [path, first, gate] = ['temporal', 'first', 'gate'].map((name) => join(dataDir, name));
  const lines = [
    '#!/bin/sh',
    `[ "$1" = server ] && [ -e '${first}' ] && while [ ! -e '${gate}' ]; do sleep 0.1; done`,
    `[ "$1" = server ] && touch '${first}'`,
    `exec '${await findCli()}' "$@"`,
  ];
  await writeFile(path!, lines.join('\n'), { mode: 0o755 });
  return { cliPath: path!, go: () => writeFile(gate!, '') };
}
