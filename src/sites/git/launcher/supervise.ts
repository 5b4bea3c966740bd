import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type LauncherCommand, type CommandOutcome, SECRET_FD } from './protocol.ts';

const stderrBytes = 64 * 1024;
const graceMs = 2_000;

type EarlyEnd = Extract<CommandOutcome, { ended: string }>;

/**
 * Runs a command in a new process group, so that its helpers end with it, and collects its output.
 * Ends the command when it exceeds a limit or `endSignal` aborts.
 * @param onStart called with the process group
 * @returns how the command ended
 */
export function superviseCommand(
  command: LauncherCommand,
  endSignal: AbortSignal,
  onStart: (group: number) => void,
): Promise<CommandOutcome> {
  let child: CommandProcess;
  try {
    child = startProcess(command);
  } catch (error) {
    return Promise.resolve({ code: -1, stdout: Buffer.alloc(0), stderr: String(error) });
  }
  if (child.pid !== undefined) onStart(child.pid);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const readBytes = { stdout: 0, stderr: 0 };
  return new Promise<CommandOutcome>((resolve) => {
    let earlyEnd: { outcome: EarlyEnd; killer: NodeJS.Timeout } | undefined;
    const stopCommand = (ended: EarlyEnd['ended']) => {
      earlyEnd ??= {
        outcome: { ended },
        killer: setTimeout(() => killGroup(child.pid, 'SIGKILL'), graceMs),
      };
      killGroup(child.pid, 'SIGTERM'); // git removes its lock files on SIGTERM
    };
    const onEnd = () => stopCommand('request');
    const timer = setTimeout(() => stopCommand('timeout'), command.timeout);
    if (endSignal.aborted) onEnd();
    endSignal.addEventListener('abort', onEnd);
    const settleOutcome = (outcome: CommandOutcome) => {
      clearTimeout(timer);
      clearTimeout(earlyEnd?.killer);
      endSignal.removeEventListener('abort', onEnd);
      resolve(earlyEnd?.outcome ?? outcome);
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      readBytes.stdout += chunk.length;
      if (readBytes.stdout <= command.maxBytes) stdout.push(chunk);
      else stopCommand('output');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      readBytes.stderr += chunk.length;
      if (readBytes.stderr <= stderrBytes) stderr.push(chunk);
    });
    // a command that ends early leaves its input unread: its exit code reports it
    child.stdin.on('error', () => {});
    child.on('error', (error: NodeJS.ErrnoException) =>
      settleOutcome({ notStarted: error.code ?? 'unknown error' }),
    );
    child.on('close', (code) =>
      settleOutcome({
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

type CommandProcess = ChildProcessByStdio<Writable, Readable | null, Readable>;

/** Throws if the command's output file can't be created. */
function startProcess({ program, args, env, output, secret }: LauncherCommand): CommandProcess {
  const file = output === undefined ? undefined : openSync(output, 'wx', 0o600);
  const pipes = secret === undefined ? [] : ['pipe' as const];
  try {
    const stdio = ['pipe' as const, file ?? ('pipe' as const), 'pipe' as const, ...pipes];
    return spawn(program, args, { cwd: '/', detached: true, env, stdio }) as CommandProcess;
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
