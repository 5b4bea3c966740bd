import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type Command, type Outcome, SECRET_FD } from './protocol.ts';

const stderrBytes = 64 * 1024;
const graceMs = 2_000;

type Ended = Extract<Outcome, { ended: string }>;

/**
 * Runs a command in a new process group, so that its helpers end with it, and collects its output.
 * Ends the command when it exceeds a limit or `end` aborts.
 * @param onStart called with the process group
 */
export function supervise(
  command: Command,
  end: AbortSignal,
  onStart: (group: number) => void,
): Promise<Outcome> {
  let child: Started;
  try {
    child = start(command);
  } catch (error) {
    return Promise.resolve({ code: -1, stdout: Buffer.alloc(0), stderr: String(error) });
  }
  if (child.pid !== undefined) onStart(child.pid);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const read = { stdout: 0, stderr: 0 };
  return new Promise<Outcome>((resolve) => {
    let ending: { outcome: Ended; killer: NodeJS.Timeout } | undefined;
    const stop = (ended: Ended['ended']) => {
      ending ??= {
        outcome: { ended },
        killer: setTimeout(() => killGroup(child.pid, 'SIGKILL'), graceMs),
      };
      killGroup(child.pid, 'SIGTERM'); // git removes its lock files on SIGTERM
    };
    const onEnd = () => stop('request');
    const timer = setTimeout(() => stop('timeout'), command.timeout);
    if (end.aborted) onEnd();
    end.addEventListener('abort', onEnd);
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      clearTimeout(ending?.killer);
      end.removeEventListener('abort', onEnd);
      resolve(ending?.outcome ?? outcome);
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      read.stdout += chunk.length;
      if (read.stdout <= command.maxBytes) stdout.push(chunk);
      else stop('output');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      read.stderr += chunk.length;
      if (read.stderr <= stderrBytes) stderr.push(chunk);
    });
    // a command that ends early leaves its input unread: its exit code reports it
    child.stdin.on('error', () => {});
    child.on('error', (error: NodeJS.ErrnoException) =>
      settle({ notStarted: error.code ?? 'unknown error' }),
    );
    child.on('close', (code) =>
      settle({
        code: code ?? -1,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
    child.stdin.end(command.input);
    const pipe = child.stdio[SECRET_FD] as Writable | undefined;
    pipe?.on('error', () => {}); // as with the input: not every command reads the secret
    pipe?.end(command.secret);
  });
}

type Started = ChildProcessByStdio<Writable, Readable | null, Readable>;

/** Throws if the command's output file can't be created. */
function start({ program, args, env, output, secret }: Command): Started {
  const file = output === undefined ? undefined : openSync(output, 'wx', 0o600);
  const pipes = secret === undefined ? [] : ['pipe' as const];
  try {
    const stdio = ['pipe' as const, file ?? ('pipe' as const), 'pipe' as const, ...pipes];
    return spawn(program, args, { cwd: '/', detached: true, env, stdio }) as Started;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Signals a process group, unless it has already ended. */
export function killGroup(group: number | undefined, signal: NodeJS.Signals) {
  try {
    if (group !== undefined) process.kill(-group, signal);
  } catch {
    // it has ended already
  }
}
