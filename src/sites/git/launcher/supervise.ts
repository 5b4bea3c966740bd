import { spawn, type ChildProcess } from 'node:child_process';
import type { Command, Outcome } from './protocol.ts';

const stderrBytes = 64 * 1024;
const graceMs = 2_000;

type Ended = Extract<Outcome, { ended: string }>;

/**
 * Runs a command in a process group of its own, so that its helpers end with it, and collects its output. Ends it when
 * it meets a limit or `end` aborts.
 * @param onStart is told the process group
 */
export function supervise(command: Command, end: AbortSignal, onStart: (group: number) => void): Promise<Outcome> {
  const child = spawn(command.program, command.args, { cwd: '/', detached: true, env: command.env });
  if (child.pid !== undefined) onStart(child.pid);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let read = { stdout: 0, stderr: 0 };
  return new Promise<Outcome>((resolve) => {
    let ending: { outcome: Ended; killer: NodeJS.Timeout } | undefined;
    const stop = (ended: Ended['ended']) => {
      ending ??= { outcome: { ended }, killer: setTimeout(() => killGroup(child, 'SIGKILL'), graceMs) };
      killGroup(child, 'SIGTERM'); // git removes its lock files on this one
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
    child.stdout.on('data', (chunk: Buffer) => {
      read = { ...read, stdout: read.stdout + chunk.length };
      if (read.stdout <= command.maxBytes) stdout.push(chunk);
      else stop('output');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      read = { ...read, stderr: read.stderr + chunk.length };
      if (read.stderr <= stderrBytes) stderr.push(chunk);
    });
    child.stdin.on('error', () => {}); // a command that ends early leaves its input unread: its exit code tells
    child.on('error', (error: NodeJS.ErrnoException) => settle({ notStarted: error.code ?? 'unknown error' }));
    child.on('close', (code) =>
      settle({ code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    );
    child.stdin.end(command.input);
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // the group has ended already
  }
}
