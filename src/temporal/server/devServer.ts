import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { usual, variables } from '../../environment.ts';
import { DomainError, succeeds } from '../../errors.ts';
import { findCli } from './cliBinary.ts';
import { endOrphan, readPidFile, signalGroup, writePidFile } from './pidFile.ts';
import { choosePort } from './ports.ts';
import { type GuardedUi, guardUi } from './guardUi.ts';
import { chooseUiAddress, type UiAddress } from './uiAddress.ts';
import { connectClient } from '../connection.ts';
import { registeredAttributes, RETENTION_DAYS, setupNamespace } from '../searchAttributes.ts';

const READY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 15_000;
const PORT_RACES = 3;
/** Matches the line of the server's log that says that another program took one of its ports. */
const portTaken = /address already in use|bind:|ephemeral port/;

export interface DevServerOptions {
  /** The folder of the database, the pid file and the log. Created if missing. */
  dataDir: string;
  /** gRPC port on 127.0.0.1; 0: the last run's port if it is free, else any free one. */
  port: number;
  /**
   * Port on 127.0.0.1 of the proxy before the web UI; 0 as for `port`. The server's own UI gets an
   * address that browsers refuse.
   */
  uiPort: number;
  /** The proxy of the server that ended, to be used again for this one. */
  ui?: GuardedUi;
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
  ui: GuardedUi;
  namespace: string;
  /** Resolves, with a one-line reason, if the server ends without `close`. */
  exited: Promise<string>;
  /** Ends the server and its UI, and waits until they are gone. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts the real Temporal dev server in a new process group. First ends a server that a killed
 * service left running on the same data.
 * @returns the server, once gRPC answers and namespace, retention and search attributes are set up
 * @throws DomainError CONFIGURATION: no binary, a port taken, or the server ended while starting or
 *   did not answer within 60 s
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  await mkdir(options.dataDir, { recursive: true });
  const files = filesIn(options.dataDir);
  const binary = await findCli({
    cliPath: options.cliPath,
    progress: options.progress ?? (() => {}),
  });
  if (await endOrphan(readPidFile(files.pid), files.database))
    options.progress?.('Temporal: ended the server that an earlier run left behind');
  const ui =
    options.ui ??
    (await guardUi({ port: options.uiPort, preferred: readPidFile(files.pid)?.uiPort }));
  try {
    return await startBehind(ui, binary, options, files);
  } catch (error) {
    ui.close();
    throw error;
  }
}

async function startBehind(
  ui: GuardedUi,
  binary: string,
  { port, namespace }: DevServerOptions,
  files: Files,
): Promise<DevServer> {
  for (let attempt = 1; ; attempt++) {
    const ports = await choosePorts(port, ui, files.pid);
    const launched = launch(binary, ports, namespace, files);
    try {
      await untilReady(launched, ports.port, namespace, files.log);
      ui.forwardTo(ports.ownUi);
      return running(launched, ports, { ui, namespace, files });
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
  /** The port at which people open the UI. */
  uiPort: number;
  /** Where the server's own UI listens. */
  ownUi: UiAddress;
}

function filesIn(dataDir: string) {
  const inside = (name: string) => resolve(join(dataDir, name));
  return {
    database: inside('temporal.db'),
    pid: inside('temporal.pid.json'),
    log: inside('temporal.log'),
  };
}

async function choosePorts(wanted: number, ui: GuardedUi, pidFile: string): Promise<Ports> {
  const preferred = readPidFile(pidFile)?.port;
  const port = await choosePort({ setting: 'TEMPORAL_PORT', port: wanted, preferred });
  return {
    port,
    uiPort: ui.port,
    ownUi: await chooseUiAddress(),
  };
}

/**
 * Starts the server. Its log is a file: a pipe would break when the service is killed, and the
 * server would end at its next log line.
 */
function launch(binary: string, ports: Ports, namespace: string, files: Files): ChildProcess {
  const log = openSync(files.log, 'w', 0o600);
  const child = spawn(binary, flags(ports, namespace, files.database), {
    detached: true,
    env: variables(...usual),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('error', () => {});
  if (child.pid) record(child, child.pid, ports, files.pid);
  return child;
}

/**
 * Keeps the pid file in step with the process. Ends the process if the service exits while
 * starting.
 */
function record(child: ChildProcess, pid: number, { port, uiPort }: Ports, pidFile: string): void {
  writePidFile(pidFile, { pid, port, uiPort });
  const endWithService = () => signalGroup(pid, 'SIGTERM');
  process.once('exit', endWithService);
  child.once('exit', () => {
    process.off('exit', endWithService);
    if (existsSync(pidFile)) writePidFile(pidFile, { port, uiPort });
  });
}

/**
 * The embedded server's command line: durable sqlite that is 1.6 times as fast as the default, no
 * 50 ms ticks between tasks, and fairness keys. The server's HTTP API can't be switched off, so it
 * refuses every `Host`. docker-compose.temporal.yml has the same dynamic configuration. A test
 * compares both.
 */
export function flags({ port, ownUi }: Ports, namespace: string, database: string): string[] {
  const repeated = (flag: string, values: string[]) => values.flatMap((value) => [flag, value]);
  return [
    'server',
    'start-dev',
    '--log-level',
    'error',
    '--ui-disable-news-fetch',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--ui-ip',
    ownUi.host,
    '--ui-port',
    String(ownUi.port),
    '--db-filename',
    database,
    '--namespace',
    namespace,
    ...repeated('--sqlite-pragma', ['journal_mode=WAL', 'synchronous=FULL']),
    ...repeated('--dynamic-config-value', [
      'frontend.httpAllowedHosts=[]',
      'history.transferProcessorMaxPollRPS=1000',
      'matching.useNewMatcher=true',
      'matching.enableFairness=true',
    ]),
    ...repeated(
      '--search-attribute',
      registeredAttributes.map(({ name, type }) => `${name}=${type.name}`),
    ),
  ];
}

async function untilReady(
  child: ChildProcess,
  port: number,
  namespace: string,
  log: string,
): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  const connection = connectClient({ embeddedAddress: `127.0.0.1:${port}`, environment: {} });
  try {
    for (;;) {
      if (hasEnded(child)) throw await failure('ended while starting', log);
      if (Date.now() > deadline)
        throw await failure(`did not answer within ${READY_WITHIN_MS / 1000} s`, log);
      const asking = connection.withDeadline(Date.now() + 5_000, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
      if (await succeeds(asking))
        return await setupNamespace(connection, { namespace, retentionDays: RETENTION_DAYS });
      await delay(100);
    }
  } finally {
    await connection.close();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/**
 * The error for a failed start. Retryable only if a port was taken. The server's exit code is the
 * same for every failure, so only its log tells. After the line that names a taken port, it may
 * crash over the listener that is missing.
 */
async function failure(what: string, log: string): Promise<DomainError> {
  const lines = linesBeforeStacks(await readFile(log, 'utf8').catch(() => ''));
  const taken = lines.find((line) => portTaken.test(line));
  const reason = taken ?? lines.at(-1) ?? 'it printed nothing';
  const message = `The Temporal server ${what}: ${reason} (${log})`;
  return new DomainError('CONFIGURATION', message, { retryable: taken !== undefined });
}

/** The log's lines before the stack traces of a Go program. */
function linesBeforeStacks(log: string): string[] {
  const [words = ''] = log.split(/^goroutine \d+ \[/m);
  return words
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

interface Around {
  ui: GuardedUi;
  namespace: string;
  files: Files;
}

function running(
  child: ChildProcess,
  { port, uiPort }: Ports,
  { ui, namespace, files }: Around,
): DevServer {
  let closing = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!closing)
        resolve(
          `The Temporal server ended by itself (${signal ?? `exit code ${code}`}), see ${files.log}`,
        );
    });
  });
  return {
    address: `127.0.0.1:${port}`,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    ui,
    namespace,
    exited,
    async close() {
      closing = true;
      ui.close();
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
