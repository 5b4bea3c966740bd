import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../errors.ts';
import { findCli } from './cliBinary.ts';
import { endOrphan, readPidFile, signalGroup, writePidFile } from './pidFile.ts';
import { choosePort } from './ports.ts';
import { connectClient } from '../connection.ts';
import { RETENTION_DAYS, searchAttributes, setupNamespace } from '../searchAttributes.ts';

const READY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 15_000;
const PORT_RACES = 3;
/** The server logs this when another program took a port that it had chosen for an inner service. */
const portTaken = /address already in use|bind:|ephemeral port/;

export interface DevServerOptions {
  /** Folder of the database file, the pid file and the log; made if it is missing. */
  dataDir: string;
  /** gRPC port on 127.0.0.1; 0 = any free one, the last run's if it is free. */
  port: number;
  /** Port of the web UI on 127.0.0.1; 0 as for `port`. */
  uiPort: number;
  namespace: string;
  /** TEMPORAL_CLI_PATH. */
  cliPath?: string | undefined;
  /** Called with one line for each step of the start. */
  progress?: (line: string) => void;
}

export interface DevServer {
  /** `127.0.0.1:<port>` */
  address: string;
  uiUrl: string;
  namespace: string;
  /** Resolves, with one line that says why, if the server ends without `close`. */
  exited: Promise<string>;
  /** Ends the server and waits until it is gone. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts the real Temporal dev server in its own process group. First ends a server that a killed service left on the
 * same data.
 * @returns the server once gRPC answers and namespace, retention and search attributes are there
 * @throws DomainError CONFIGURATION: no binary, a port taken, or the server ended while starting or did not answer
 * within 60 s
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  await mkdir(options.dataDir, { recursive: true });
  const files = filesIn(options.dataDir);
  const binary = await findCli({ cliPath: options.cliPath, progress: options.progress ?? (() => {}) });
  if (await endOrphan(readPidFile(files.pid), files.database))
    options.progress?.('Temporal: ended the server that an earlier run left behind');
  for (let attempt = 1; ; attempt++) {
    const ports = await choosePorts(options, files.pid);
    const launched = launch(binary, ports, options.namespace, files);
    try {
      await untilReady(launched, ports.port, options.namespace, files.log);
      return running(launched, ports, options.namespace, files);
    } catch (error) {
      await end(launched);
      const mayRetry = error instanceof DomainError && error.retryable;
      if (!mayRetry || attempt === PORT_RACES) throw error;
    }
  }
}

type Files = ReturnType<typeof filesIn>;
interface Ports {
  port: number;
  uiPort: number;
}

function filesIn(dataDir: string) {
  const inside = (name: string) => resolve(join(dataDir, name));
  return { database: inside('temporal.db'), pid: inside('temporal.pid.json'), log: inside('temporal.log') };
}

async function choosePorts(options: DevServerOptions, pidFile: string): Promise<Ports> {
  const last = readPidFile(pidFile);
  const port = await choosePort({ setting: 'TEMPORAL_PORT', port: options.port, preferred: last?.port });
  const uiPort = await choosePort({ setting: 'TEMPORAL_UI_PORT', port: options.uiPort, preferred: last?.uiPort });
  return { port, uiPort };
}

/** The log is a file: a pipe would break when the service is killed, and end the server at its next line. */
function launch(binary: string, ports: Ports, namespace: string, files: Files): ChildProcess {
  const log = openSync(files.log, 'w', 0o600);
  const child = spawn(binary, flags(ports, namespace, files.database), {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => {});
  if (child.pid) record(child, child.pid, ports, files.pid);
  return child;
}

/** Keeps the pid file in step with the process, and the process from outliving a service that exits while starting. */
function record(child: ChildProcess, pid: number, ports: Ports, pidFile: string): void {
  writePidFile(pidFile, { pid, ...ports });
  const endWithService = () => signalGroup(pid, 'SIGTERM');
  process.once('exit', endWithService);
  child.once('exit', () => {
    process.off('exit', endWithService);
    if (existsSync(pidFile)) writePidFile(pidFile, ports);
  });
}

/**
 * Durable sqlite that is 1.6 times as fast as the default, no 50 ms ticks between tasks, and fairness keys (design.md,
 * "Temporal").
 */
function flags({ port, uiPort }: Ports, namespace: string, database: string): string[] {
  const repeated = (flag: string, values: string[]) => values.flatMap((value) => [flag, value]);
  return [
    ...['server', 'start-dev', '--log-level', 'error', '--ui-disable-news-fetch'],
    ...['--ip', '127.0.0.1', '--port', String(port), '--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)],
    ...['--db-filename', database, '--namespace', namespace],
    ...repeated('--sqlite-pragma', ['journal_mode=WAL', 'synchronous=FULL']),
    ...repeated('--dynamic-config-value', [
      'history.transferProcessorMaxPollRPS=1000',
      'matching.useNewMatcher=true',
      'matching.enableFairness=true',
    ]),
    ...repeated(
      '--search-attribute',
      Object.entries(searchAttributes).map(([name, type]) => `${name}=${type}`),
    ),
  ];
}

async function untilReady(child: ChildProcess, port: number, namespace: string, log: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  const connection = connectClient({ embeddedAddress: `127.0.0.1:${port}`, environment: {} });
  try {
    for (;;) {
      if (hasEnded(child)) throw await failure('ended while starting', log);
      if (Date.now() > deadline) throw await failure(`did not answer within ${READY_WITHIN_MS / 1000} s`, log);
      const answered = await connection
        .withDeadline(Date.now() + 5_000, () => connection.workflowService.describeNamespace({ namespace }))
        .then(() => true)
        .catch(() => false);
      if (answered) return await setupNamespace(connection, { namespace, retentionDays: RETENTION_DAYS });
      await delay(100);
    }
  } finally {
    await connection.close();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Retryable if only a port was taken. The server's exit code is the same for every failure; only its log differs. */
async function failure(what: string, log: string): Promise<DomainError> {
  const reason = lastWords(await readFile(log, 'utf8').catch(() => ''));
  const message = `The Temporal server ${what}: ${reason || 'it printed nothing'} (${log})`;
  return new DomainError('CONFIGURATION', message, { retryable: portTaken.test(reason) });
}

/** The last line of a log, or of what stands above a Go program's stack traces. */
function lastWords(log: string): string {
  const [words = ''] = log.split(/^goroutine \d+ \[/m);
  return words.trim().split('\n').at(-1)!.trim();
}

function running(child: ChildProcess, ports: Ports, namespace: string, files: Files): DevServer {
  let closing = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!closing) resolve(`The Temporal server ended by itself (${signal ?? `exit code ${code}`}), see ${files.log}`);
    });
  });
  return {
    address: `127.0.0.1:${ports.port}`,
    uiUrl: `http://127.0.0.1:${ports.uiPort}`,
    namespace,
    exited,
    async close() {
      closing = true;
      await end(child);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  signalGroup(child.pid!, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child.pid!, 'SIGKILL'), ENDS_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
