import { buffer } from 'node:stream/consumers';
import { readFile } from 'node:fs/promises';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { AgentTasks } from '../index.ts';

const options = {
  ask: { type: 'boolean' },
  canary: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  hold: { type: 'boolean' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  'link-from': { type: 'string' },
  prompt: { type: 'string' },
  publish: { type: 'boolean' },
  question: { type: 'string' },
  rows: { type: 'string' },
  site: { type: 'string' },
  state: { type: 'string' },
  status: { type: 'string' },
  template: { type: 'string' },
  wait: { type: 'boolean' },
} satisfies ParseArgsOptionsConfig;

/** Parses the command line into its options (`values`) and its other words (`positionals`). */
export const typed = () => parseArgs({ options, allowPositionals: true });

export type Values = ReturnType<typeof typed>['values'];

/** A command of `agent-tasks`, such as `get TASK`. */
export interface Command {
  /** What each word after the command's name is, e.g. `the id of a task`. */
  takes: string[];
  /** Options besides `--json` and `--help`. */
  options: (keyof Values)[];
  /** @returns the exit code */
  run(client: AgentTasks, values: Values, ...words: string[]): Promise<number>;
}

/** The command line is invalid. */
export class WrongCommand extends Error {}

/** @throws WrongCommand if a word or an option is missing, or if the command does not take one */
export function checkTyped(name: string, command: Command, values: Values, words: string[]): void {
  const { takes } = command;
  const missing = takes[words.filter(Boolean).length];
  if (missing !== undefined) throw new WrongCommand(`${name} needs ${missing}`);
  if (words.length > takes.length)
    throw new WrongCommand(
      `${name} takes ${takes.join(' and ') || 'only options'}, but it also got "${words[takes.length]}"`,
    );
  const allowed = new Set<string>(['json', 'help', ...command.options]);
  const other = Object.keys(values).find((option) => !allowed.has(option));
  if (other !== undefined) throw new WrongCommand(`${name} does not have the option --${other}`);
}

/** Prints one line of JSON if `--json` is set, otherwise the lines for people. */
export function print(item: object, { json }: Values, lines: string[]): void {
  console.log(json ? JSON.stringify(item) : lines.join('\n'));
}

/** Prints the first items of a list, as many as `--limit` says, or 20. @returns the exit code 0 */
export async function printAll<T extends object>(
  items: AsyncIterable<T>,
  values: Values,
  lineOf: (item: T) => string,
): Promise<number> {
  let left = wholeNumber('limit', values.limit ?? '20');
  if (left === 0) return 0;
  for await (const item of items) {
    print(item, values, [lineOf(item)]);
    if (--left <= 0) break;
  }
  return 0;
}

export function wholeNumber(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new WrongCommand(`--${option} must be a number, not "${text}"`);
  return Number(text);
}

/** Reads the bytes of a file. `-` means standard input. */
export async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw new WrongCommand((error as Error).message);
  }
}
