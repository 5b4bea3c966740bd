import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { DomainError } from '../../../errors.ts';
import { anySignal } from '../../../waitCounters.ts';
import { writeCertificates } from './writeCertificates.ts';
import { gitConfiguration, gitEnvironment } from './gitEnvironment.ts';
import type { CommandEnding, CommandLauncher } from '../launcher/launcher.ts';
import { writeFailure } from '../clones/looseObject.ts';

/** One git command. All of it but `args` is optional. */
export interface GitCommand {
  /** Arguments after `git`; the caller puts `--` before paths and URLs. */
  args: string[];
  /** The repository, as GIT_DIR. If absent, the command runs outside of any repository. */
  dir?: string;
  input?: string | Buffer;
  /** A secret for git's helper programs, which read it from the file descriptor `SECRET_FD`. */
  secret?: string;
  /** A new file for the output, instead of returning it. `maxBytes` does not count it. */
  output?: string;
  env?: Record<string, string>;
  /** More `-c` settings. They must not be secret, because the machine's process list shows them. */
  settings?: string[];
  /** The transport that this command may use; default none. */
  protocol?: string;
  /** Milliseconds until the command is ended; default one minute. */
  timeout?: number;
  /** Bytes of output that are read at most. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/** The result of a command that ran to its end, whatever its exit code. */
export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** Runs system git without a shell. No other code starts git. */
export interface GitRunner {
  /**
   * Runs a command to its end, whatever its exit code. Throws the signal's reason when it aborts,
   * GIT_FAILED (retryable) when the command takes too long, LIMIT_EXCEEDED when it prints too much,
   * CONFIGURATION when git is not installed. When `run` returns or throws, the command's whole
   * process group has ended.
   */
  run(command: GitCommand): Promise<GitResult>;
  /** Starts a long-running command. The caller must end it. */
  start(args: string[], dir: string): ChildProcessWithoutNullStreams;
  /** Ends running commands and refuses new ones. */
  close(): Promise<void>;
}

const defaultTimeout = 60_000;
const defaultMaxBytes = 64 * 1024 * 1024;

interface GitOptions {
  /** Starts the commands of `run`. */
  launcher: CommandLauncher;
  /** The git program; default `git` on PATH. */
  gitPath?: string | undefined;
  /** Where git's file of certificate authorities is written. Default: git uses its own. */
  certificatesFolder?: string;
}

/**
 * Makes the runner of git commands, with settings that keep a repository from running programs. The
 * result of `run({ args: ['--version'] })` has code 0 and the stdout `git version 2.39.5`.
 */
export function createGit({
  launcher,
  gitPath = 'git',
  certificatesFolder,
}: GitOptions): GitRunner {
  const stopController = new AbortController();
  const runningCommands = new Set<Promise<unknown>>();
  let certificates: Promise<string> | undefined;

  const buildProgram = (
    command: Pick<GitCommand, 'args' | 'dir' | 'env' | 'protocol' | 'settings'>,
    certificatesPath?: string,
  ) => ({
    program: gitPath,
    args: [
      ...gitConfiguration,
      ...(command.settings ?? []).flatMap((setting) => ['-c', setting]),
      ...command.args,
    ],
    env: {
      ...gitEnvironment(command.protocol ?? '', certificatesPath),
      ...(command.dir === undefined ? {} : { GIT_DIR: command.dir }),
      ...command.env,
    },
  });

  async function runCommand(command: GitCommand): Promise<GitResult> {
    if (command.protocol === 'https' && certificatesFolder !== undefined)
      certificates ??= writeCertificates(certificatesFolder).catch((error: unknown) => {
        certificates = undefined;
        throw writeFailure(error);
      });
    const certificatesPath = await certificates;
    const { input, secret, output, timeout = defaultTimeout, maxBytes = defaultMaxBytes } = command;
    const endSignal = anySignal(stopController.signal, command.signal);
    endSignal.throwIfAborted();
    const outcome = await launcher.run(
      {
        ...buildProgram(command, certificatesPath),
        ...withoutUndefined({ input, secret, output }),
        timeout,
        maxBytes,
      },
      endSignal,
    );
    if ('code' in outcome) return outcome;
    endSignal.throwIfAborted();
    throw commandFailure(outcome, { ...command, timeout, maxBytes });
  }

  return {
    async run(command) {
      const work = runCommand(command);
      runningCommands.add(work);
      try {
        return await work;
      } finally {
        runningCommands.delete(work);
      }
    },
    start(args, dir) {
      stopController.signal.throwIfAborted();
      const program = buildProgram({ args, dir });
      return spawn(program.program, program.args, { cwd: '/', detached: true, env: program.env });
    },
    async close() {
      stopController.abort(retryableGitError('The service is stopping'));
      await Promise.allSettled(runningCommands);
    },
  };
}

/** The error for a command that was ended, lost or not started. */
function commandFailure(
  outcome: Exclude<CommandEnding, { code: number }>,
  { args, timeout, maxBytes }: Pick<Required<GitCommand>, 'args' | 'timeout' | 'maxBytes'>,
): DomainError {
  const name = `git ${args.find((word) => !word.startsWith('-')) ?? ''}`;
  if ('notStarted' in outcome) return startFailure(outcome.notStarted);
  if ('lost' in outcome || outcome.ended === 'request')
    return retryableGitError(`${name} was interrupted`);
  if (outcome.ended === 'timeout')
    return retryableGitError(`${name} did not finish within ${timeout / 1000} s`);
  return new DomainError('LIMIT_EXCEEDED', `${name} printed more than ${maxBytes} bytes`);
}

const retryableGitError = (message: string) =>
  new DomainError('GIT_FAILED', message, { retryable: true });

export const GIT_MISSING =
  'git was not found. Install git 2.32 or later, and make sure that it is on PATH.';

const startFailure = (code: string) =>
  code === 'ENOENT' || code === 'EACCES'
    ? new DomainError('CONFIGURATION', GIT_MISSING)
    : retryableGitError(`git could not be started: ${code}`);
