import { CommanderError } from 'commander';
import { resolve } from 'node:path';
import { DomainError } from '../errors.ts';
import { commandTable } from './commands.ts';
import { createProgram } from './program.ts';

/** Exit codes. */
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Runs one command line. Prints the result to standard output as a JSON object, and messages to
 * standard error.
 * @param commandWords the command line's words, without node and the script
 * @param execute runs the command and returns the result to print
 * @returns the exit code: 0, 1 if the command failed, 2 for wrong usage
 */
export async function runCommandLine(
  commandWords: string[],
  execute: (command: string, options: object) => Promise<object>,
): Promise<number> {
  const program = createProgram(commandTable, async (command, options) => {
    console.log(JSON.stringify(await execute(command, withOwnPath(options))));
  });
  try {
    await program.parseAsync(commandWords, { from: 'user' });
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

/** Makes paths absolute, because the service may run in another folder. */
function withOwnPath(options: object): object {
  const entries = Object.entries(options).map(([optionName, value]: [string, unknown]) => {
    const isPath = typeof value === 'string' && optionName === 'repository' && /^[./]/.test(value);
    return [optionName, isPath ? resolve(value) : value];
  });
  return Object.fromEntries(entries) as object;
}

function reportFailure(error: unknown): number {
  // Commander has already written its message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  console.error(error instanceof Error ? error.message : 'unknown reason');
  return error instanceof DomainError && error.code === 'INVALID_INPUT' ? WRONG_USAGE : FAILED;
}
