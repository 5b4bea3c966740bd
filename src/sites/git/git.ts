import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { DomainError } from '../../errors.ts';
import { certificatesFile } from './certificates.ts';
import { configuration, environment } from './environment.ts';

export interface GitCommand {
  /** Arguments after `git`; the caller puts `--` before paths and URLs. */
  args: string[];
  /** The repository: GIT_DIR. Without it the command runs outside of any. */
  dir?: string;
  input?: string;
  env?: Record<string, string>;
  /** The transport that this command may use; default none. */
  protocol?: string;
  /** Milliseconds until the command is ended; default one minute. */
  timeout?: number;
  /** Bytes of output that are read at most. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** System git without a shell. The one place that starts it. */
export interface Git {
  /**
   * Runs a command to its end, whatever its exit code.
   * Throws the signal's reason when that aborts it, GIT_FAILED (retryable) when it takes too long, LIMIT_EXCEEDED when
   * it prints too much, CONFIGURATION when there is no git. In every case its whole process group has ended by then.
   */
  run(command: GitCommand): Promise<GitResult>;
  /** Starts a long-running command. The caller ends it. */
  start(args: string[], dir: string): ChildProcessWithoutNullStreams;
  /** Ends the commands that run and refuses new ones. */
  close(): Promise<void>;
}

const defaultTimeout = 60_000;
const defaultMaxBytes = 64 * 1024 * 1024;
const stderrBytes = 64 * 1024;
const graceMs = 2_000;

/**
 * @param options.gitPath the git program; default `git` on PATH
 * @param options.certificatesFolder where git's file of certificate authorities is written; default git has its own
 */
export function createGit(options: { gitPath?: string; certificatesFolder?: string } = {}): Git {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const gitPath = options.gitPath ?? 'git';
  let certificates: Promise<string> | undefined;

  const launch = (args: string[], command: Omit<GitCommand, 'args'>, trusted?: string) =>
    spawn(gitPath, [...configuration, ...args], {
      cwd: '/',
      detached: true, // a process group of its own, so that its helpers end with it
      env: {
        ...environment(command.protocol ?? '', trusted),
        ...(command.dir === undefined ? {} : { GIT_DIR: command.dir }),
        ...command.env,
      },
    });

  async function run(command: GitCommand): Promise<GitResult> {
    if (command.protocol === 'https' && options.certificatesFolder !== undefined)
      certificates ??= certificatesFile(options.certificatesFolder);
    const trusted = await certificates;
    stopping.signal.throwIfAborted();
    command.signal?.throwIfAborted();
    const child = launch(command.args, command, trusted);
    const work = supervise(child, command, stopping.signal);
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  return {
    run,
    start(args, dir) {
      stopping.signal.throwIfAborted();
      return launch(args, { dir });
    },
    async close() {
      stopping.abort(new DomainError('GIT_FAILED', 'The service is stopping', { retryable: true }));
      await Promise.allSettled(running);
    },
  };
}

/** Collects a command's output until it ends, and ends it when one of its limits is met. */
function supervise(child: ChildProcessWithoutNullStreams, command: GitCommand, stopping: AbortSignal) {
  const name = command.args.find((word) => !word.startsWith('-')) ?? '';
  const timeout = command.timeout ?? defaultTimeout;
  const maxBytes = command.maxBytes ?? defaultMaxBytes;
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let read = { stdout: 0, stderr: 0 };
  return new Promise<GitResult>((resolve, reject) => {
    let ending: { reason: Error; killer: NodeJS.Timeout } | undefined;
    const end = (reason: Error) => {
      ending ??= { reason, killer: setTimeout(() => killGroup(child, 'SIGKILL'), graceMs) };
      killGroup(child, 'SIGTERM'); // git removes its lock files on this one
    };
    const onAbort = () => end(command.signal?.reason as Error);
    const onStop = () => end(stopping.reason as Error);
    const timer = setTimeout(() => end(failed(`git ${name} did not finish within ${timeout / 1000} s`)), timeout);
    command.signal?.addEventListener('abort', onAbort);
    stopping.addEventListener('abort', onStop);
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(ending?.killer);
      command.signal?.removeEventListener('abort', onAbort);
      stopping.removeEventListener('abort', onStop);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      read = { ...read, stdout: read.stdout + chunk.length };
      if (read.stdout <= maxBytes) stdout.push(chunk);
      else end(new DomainError('LIMIT_EXCEEDED', `git ${name} printed more than ${maxBytes} bytes`));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      read = { ...read, stderr: read.stderr + chunk.length };
      if (read.stderr <= stderrBytes) stderr.push(chunk);
    });
    child.stdin.on('error', () => {}); // a command that ends early leaves its input unread: its exit code tells
    child.on('error', (error: NodeJS.ErrnoException) => {
      settle();
      reject(notStarted(error));
    });
    child.on('close', (code) => {
      settle();
      if (ending) reject(ending.reason);
      else resolve({ code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() });
    });
    child.stdin.end(command.input);
  });
}

function killGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // the group has ended already
  }
}

const failed = (message: string) => new DomainError('GIT_FAILED', message, { retryable: true });

function notStarted(error: NodeJS.ErrnoException): DomainError {
  return error.code === 'ENOENT' || error.code === 'EACCES'
    ? new DomainError('CONFIGURATION', 'git was not found: install git 2.32 or later and have it on PATH')
    : failed(`git could not be started: ${error.code ?? 'unknown error'}`);
}
