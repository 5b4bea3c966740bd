import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { usualVariables, pickVariables } from '../../childEnvironment.ts';
import { DomainError, doesResolve } from '../../errors.ts';
import { findCli } from './cliBinary.ts';
import { endOrphan, readPidFile, signalGroup, writePidFile } from './pidFile.ts';
import { chooseFreePort } from './ports.ts';
import { type GuardedUi, guardUi } from './guardUi.ts';
import { chooseUiEndpoint, type UiEndpoint } from './uiEndpoint.ts';
import { connectClient } from '../connection.ts';
import { registeredAttributes, RETENTION_DAYS, setupNamespace } from '../searchAttributes.ts';

const READY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 15_000;
const PORT_RACES = 3;
/** Matches the line of the server's log that says that another program took one of its ports. */
const portTakenPattern = /address already in use|bind:|ephemeral port/;

export interface DevServerOptions {
  /** The folder of the database, the pid file and the log. Created if missing. */
  dataDir: string;
  /** gRPC port on 127.0.0.1; 0: the last run's port if it is free, else any free one. */
  port: number;
  /**
   * Port on 127.0.0.1 of the proxy in front of the web UI. 0 means the same as for `port`. The
   * server's own UI gets a port that browsers refuse.
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
 * Starts the embedded server, Temporal's own dev server, in a new process group. First ends a
 * server that a killed service left running on the same data.
 * @returns the server, once gRPC answers and namespace, retention and search attributes are set up
 * @throws DomainError CONFIGURATION: no binary, a port taken, or the server ended while starting or
 *   did not answer within 60 s
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  await mkdir(options.dataDir, { recursive: true });
  const files = serverFiles(options.dataDir);
  const binary = await findCli({
    cliPath: options.cliPath,
    progress: options.progress ?? (() => {}),
  });
  if (await endOrphan(readPidFile(files.pid), files.database))
    options.progress?.('Temporal: stopped the server that an earlier run left behind');
  const ui =
    options.ui ??
    (await guardUi({ port: options.uiPort, preferred: readPidFile(files.pid)?.uiPort }));
  try {
    return await startBehindUi(ui, binary, options, files);
  } catch (error) {
    ui.close();
    throw error;
  }
}

async function startBehindUi(
  ui: GuardedUi,
  binary: string,
  { port, namespace }: DevServerOptions,
  files: ServerFiles,
): Promise<DevServer> {
  for (let attempt = 1; ; attempt++) {
    const ports = await choosePorts(port, ui, files.pid);
    const launched = launchServer(binary, ports, namespace, files);
    try {
      await waitUntilReady(launched, ports.port, namespace, files.log);
      ui.forwardTo(ports.ownUi);
      return runningServer(launched, ports, { ui, namespace, files });
    } catch (error) {
      await endServer(launched);
      const mayRetry = error instanceof DomainError && error.retryable;
      if (!mayRetry || attempt === PORT_RACES) throw error;
    }
  }
}

type ServerFiles = ReturnType<typeof serverFiles>;
interface ServerPorts {
  port: number;
  /** The port at which people open the UI. */
  uiPort: number;
  /** Where the server's own UI listens. */
  ownUi: UiEndpoint;
}

function serverFiles(dataDir: string) {
  const pathInside = (name: string) => resolve(join(dataDir, name));
  return {
    database: pathInside('temporal.db'),
    pid: pathInside('temporal.pid.json'),
    log: pathInside('temporal.log'),
  };
}

async function choosePorts(
  wantedPort: number,
  ui: GuardedUi,
  pidFile: string,
): Promise<ServerPorts> {
  const preferred = readPidFile(pidFile)?.port;
  const port = await chooseFreePort({ setting: 'TEMPORAL_PORT', port: wantedPort, preferred });
  return {
    port,
    uiPort: ui.port,
    ownUi: await chooseUiEndpoint(),
  };
}

/**
 * Starts the server. Its log is a file: a pipe would break when the service is killed, and the
 * server would end at its next log line.
 */
function launchServer(
  binary: string,
  ports: ServerPorts,
  namespace: string,
  files: ServerFiles,
): ChildProcess {
  const logFile = openSync(files.log, 'w', 0o600);
  const childProcess = spawn(binary, serverFlags(ports, namespace, files.database), {
    detached: true,
    env: pickVariables(...usualVariables),
    stdio: ['ignore', logFile, logFile],
  });
  closeSync(logFile);
  childProcess.on('error', () => {});
  if (childProcess.pid) recordPid(childProcess, childProcess.pid, ports, files.pid);
  return childProcess;
}

/**
 * Keeps the pid file in step with the process. Ends the process if the service exits while
 * starting.
 */
function recordPid(
  childProcess: ChildProcess,
  pid: number,
  { port, uiPort }: ServerPorts,
  pidFile: string,
): void {
  writePidFile(pidFile, { pid, port, uiPort });
  const endWithService = () => signalGroup(pid, 'SIGTERM');
  process.once('exit', endWithService);
  childProcess.once('exit', () => {
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
export function serverFlags(
  { port, ownUi }: ServerPorts,
  namespace: string,
  database: string,
): string[] {
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

async function waitUntilReady(
  childProcess: ChildProcess,
  port: number,
  namespace: string,
  logFile: string,
): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  const connection = connectClient({ embeddedAddress: `127.0.0.1:${port}`, environment: {} });
  try {
    for (;;) {
      if (hasEnded(childProcess)) throw await startFailure('exited while it was starting', logFile);
      if (Date.now() > deadline)
        throw await startFailure(`did not answer within ${READY_WITHIN_MS / 1000} s`, logFile);
      const readyCheck = connection.withDeadline(Date.now() + 5_000, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
      if (await doesResolve(readyCheck))
        return await setupNamespace(connection, { namespace, retentionDays: RETENTION_DAYS });
      await delay(100);
    }
  } finally {
    await connection.close();
  }
}

function hasEnded(childProcess: ChildProcess): boolean {
  return (
    childProcess.pid === undefined ||
    childProcess.exitCode !== null ||
    childProcess.signalCode !== null
  );
}

/**
 * The error for a failed start. Retryable only if a port was taken. The server's exit code is the
 * same for every failure, so the reason is read from its log. After the line that names a taken
 * port, the server may crash because of the missing listener.
 */
async function startFailure(problem: string, logFile: string): Promise<DomainError> {
  const lines = linesBeforeStacks(await readFile(logFile, 'utf8').catch(() => ''));
  const takenPortLine = lines.find((line) => portTakenPattern.test(line));
  const reason = takenPortLine ?? lines.at(-1) ?? 'it printed nothing';
  const message = `The Temporal server ${problem}: ${reason} (${logFile})`;
  return new DomainError('CONFIGURATION', message, { retryable: takenPortLine !== undefined });
}

/** The log's lines before the stack traces of a Go program. */
function linesBeforeStacks(logFile: string): string[] {
  const [logStart = ''] = logFile.split(/^goroutine \d+ \[/m);
  return logStart
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

interface RunningServerParts {
  ui: GuardedUi;
  namespace: string;
  files: ServerFiles;
}

export const unexpectedExit = (end: string, log: string) =>
  `The Temporal server exited unexpectedly (${end}). Its log is ${log}`;

function runningServer(
  childProcess: ChildProcess,
  { port, uiPort }: ServerPorts,
  { ui, namespace, files }: RunningServerParts,
): DevServer {
  let isClosing = false;
  const exited = new Promise<string>((resolve) => {
    childProcess.once('exit', (code, signal) => {
      if (!isClosing) resolve(unexpectedExit(signal ?? `exit code ${code}`, files.log));
    });
  });
  return {
    address: `127.0.0.1:${port}`,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    ui,
    namespace,
    exited,
    async close() {
      isClosing = true;
      ui.close();
      await endServer(childProcess);
    },
  };
}

async function endServer(childProcess: ChildProcess): Promise<void> {
  if (hasEnded(childProcess)) return;
  const exitEvent = once(childProcess, 'exit');
  signalGroup(childProcess.pid!, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(childProcess.pid!, 'SIGKILL'), ENDS_WITHIN_MS);
  await exitEvent;
  clearTimeout(timer);
}
