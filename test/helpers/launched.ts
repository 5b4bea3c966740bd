import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsSchema } from '../../src/config.ts';
import { killProcessesOf, processesOf, signal } from './processes.ts';
import { copyTemplate } from './template.ts';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ENDS_WITHIN_MS = 240_000;
const freePorts = { PORT: '0', TEMPORAL_PORT: '0' };
const noLimits = {
  RATE_LIMIT_CREATE_PER_MINUTE: '100000',
  RATE_LIMIT_READ_PER_MINUTE: '100000',
  TASKS_IN_FLIGHT: '100000',
};

export interface LaunchOptions {
  /** The data folder; by default a new one in the temporary folder, which `end` removes. */
  dataDir?: string;
  /**
   * Whether the new folder is empty, for tests of the first start. Default: a copy of the test
   * run's template.
   */
  isEmpty?: boolean;
  /**
   * Added to DATA_DIR, free ports and high limits; undefined: not set. The tests' own environment
   * adds no setting.
   */
  env?: Record<string, string | undefined>;
  /** What is run in the project's folder; `node src/main.ts` by default. */
  command?: [string, ...string[]];
  /**
   * Whether later test files of this process use it too. It then ends with the process. Where Mocha
   * runs files one after the other in its own process, it ends with the file.
   */
  isShared?: boolean;
}

/** How a process ended. */
export interface ExitResult {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Read at each start: a run of tests sets it after this module was loaded. */
const mainCommand = (): [string, ...string[]] => [
  process.execPath,
  ...(process.env['TEST_NODE_FLAGS']?.split(' ') ?? []),
  'src/main.ts',
];
const launched = new Set<LaunchedProcess>();
process.once('exit', () => {
  for (const one of launched) one.endAtOnce();
});

/** The service's process, ready or not. */
export class LaunchedProcess {
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Resolves when the process has ended and all that it printed is here. */
  readonly ended: Promise<ExitResult>;
  stdout = '';
  stderr = '';
  readonly isShared: boolean;
  private readonly ownFolder: boolean;
  private readonly known: Record<string, unknown>[] = [];
  /** So much of `stdout` stands in `known`. */
  private parsed = 0;

  constructor({
    dataDir,
    isEmpty = false,
    env = {},
    command = mainCommand(),
    isShared = false,
  }: LaunchOptions) {
    this.isShared = isShared && process.env['MOCHA_WORKER_ID'] !== undefined;
    this.ownFolder = dataDir === undefined;
    this.dataDir = dataDir ?? mkdtempSync(join(tmpdir(), 'agent-tasks-e2e-'));
    if (this.ownFolder && !isEmpty) copyTemplate(this.dataDir);
    const [program, ...args] = command;
    this.process = spawn(program, args, {
      cwd: root,
      env: {
        ...withoutSettings(),
        DATA_DIR: this.dataDir,
        ...freePorts,
        ...noLimits,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.process.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.process, 'close').then(([code, name]) => ({ code, signal: name }));
    launched.add(this);
  }

  get pid(): number {
    return this.process.pid!;
  }

  hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /**
   * Waits for the line that says it is ready. Throws with how it ended instead, and what it printed
   * last.
   */
  async ready(withinMs: number): Promise<void> {
    const isReady = () => {
      if (!this.hasEnded()) return this.stderr.includes('\nReady: ');
      const { exitCode, signalCode } = this.process;
      throw new Error(
        `The process ended with ${exitCode ?? signalCode} while starting:\n${this.log().slice(-1_000)}`,
      );
    };
    await until('the line that says it is ready', isReady, withinMs);
  }

  /** Signals the process alone and waits for its end. */
  async stop(name: NodeJS.Signals = 'SIGTERM'): Promise<ExitResult> {
    signal(this.pid, name);
    await until(`the end of the service after ${name}`, () => this.hasEnded(), ENDS_WITHIN_MS);
    return await this.ended;
  }

  /** `kill -9` of the service alone: its Temporal server lives on. */
  kill(): Promise<ExitResult> {
    return this.stop('SIGKILL');
  }

  /** `kill -9` of the service, the Temporal server and every git, and waits until none is left. */
  async killAll(): Promise<void> {
    await killProcessesOf(this.dataDir);
    await this.ended;
  }

  /** Leaves nothing: no process, no folder of its own. */
  async end(): Promise<void> {
    await this.killAll();
    if (this.ownFolder) rmSync(this.dataDir, { recursive: true, force: true });
    launched.delete(this);
  }

  /** The same, for the end of the test's own process, which waits for nothing. */
  endAtOnce(): void {
    for (const { pid } of processesOf(this.dataDir)) signal(pid, 'SIGKILL');
    if (this.ownFolder) rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  /** All that it printed. */
  log(): string {
    return `${this.stdout}${this.stderr}`;
  }

  /** The log's JSON lines. Who waits for one asks again and again: each is parsed once. */
  lines(): Record<string, unknown>[] {
    const end = this.stdout.lastIndexOf('\n') + 1;
    for (const line of this.stdout.slice(this.parsed, end).split('\n'))
      if (line.startsWith('{') && line.endsWith('}'))
        this.known.push(JSON.parse(line) as Record<string, unknown>);
    this.parsed = end;
    return [...this.known];
  }
}

/**
 * For `afterEach` and `after`: ends every service that no other file uses, and shows what they
 * printed where the test failed.
 */
export async function endLaunched(test?: { isFailed(): boolean }): Promise<void> {
  for (const process of [...launched].reverse()) {
    if (test?.isFailed())
      console.error(`--- ${process.pid} in ${process.dataDir}\n${process.log()}`);
    if (!process.isShared) await process.end();
  }
}

function withoutSettings(): NodeJS.ProcessEnv {
  const names = new Set(Object.keys(settingsSchema.describe().keys as object));
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !names.has(name) && !name.startsWith('TEMPORAL_'),
    ),
  );
}
