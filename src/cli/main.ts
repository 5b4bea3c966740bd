import { CommanderError } from 'commander';
import { resolve } from 'node:path';
import { DomainError } from '../errors.ts';
import { commandTable } from './commands.ts';
import { createProgram } from './program.ts';

/** Exit codes. */
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Runs one command line: a JSON object to standard output, messages to standard error.
 * @param words the command line's words, without node and the script
 * @param execute does the command and returns what is to be printed
 * @returns the exit code: 0, 1 where the command failed, 2 where it was used wrongly
 */
export async function main(
  words: string[],
  execute: (command: string, options: object) => Promise<object>,
): Promise<number> {
  const program = createProgram(commandTable, async (command, options) => {
    console.log(JSON.stringify(await execute(command, withOwnPath(options))));
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

/** The service may run in another folder: a path means the one that it names here. */
function withOwnPath(options: object & { repository?: string }): object {
  return options.repository && /^[./]/.test(options.repository)
    ? { ...options, repository: resolve(options.repository) }
    : options;
}

function reportFailure(error: unknown): number {
  // Commander has already written its message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  console.error(error instanceof Error ? error.message : 'unknown reason');
  return error instanceof DomainError && error.code === 'INVALID_INPUT' ? WRONG_USAGE : FAILED;
}
