import { readdirSync, readFileSync } from 'node:fs';
import { countOrphans } from './cpuTime.ts';
import { until } from './until.ts';

export interface FoundProcess {
  pid: number;
  command: string;
}

/**
 * All processes, with any parent, whose command line or environment names the folder, or something
 * in it. From /proc: Linux only.
 */
export function processesOf(folder: string): FoundProcess[] {
  const names = (text: string) =>
    text.split(folder).some((after, i) => i > 0 && !/^[\w.-]/.test(after));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({
      pid: Number(name),
      command: textOf(name, 'cmdline'),
      environment: textOf(name, 'environ'),
    }))
    .filter(({ command, environment }) => names(command) || names(environment))
    .map(({ pid, command }) => ({ pid, command }));
}

/**
 * As `kill -9` of all of them in one moment, and of what they begin meanwhile; resolves when none
 * is left.
 */
export async function killProcessesOf(folder: string): Promise<void> {
  await until(`the end of every process of ${folder}`, () => {
    const found = processesOf(folder);
    countOrphans(found.map(({ pid }) => pid));
    for (const { pid } of found) signal(pid, 'SIGKILL');
    return found.length === 0;
  });
}

/** Signals one process, and says nothing if it is gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const textOf = (pid: string, file: 'cmdline' | 'environ') =>
  rawTextOf(pid, file).replaceAll('\0', ' ').trim();

/** Empty for a process that has ended, even if its parent has not waited for it. */
function rawTextOf(pid: string, file: 'cmdline' | 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** What a process was started with, and what it runs. */
export interface Program extends FoundProcess {
  /** Its environment, by name. */
  environment: Record<string, string>;
}

/**
 * The programs that a process and its descendants run now. One that has been started only, and so
 * still runs its parent's program with its parent's environment, is none. From /proc: Linux only.
 */
export function programsBelow(pid: number): Program[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const byParent = Map.groupBy(processes, parentOf);
  const below = (parent: number): number[] =>
    (byParent.get(parent) ?? []).flatMap((child) => [Number(child), ...below(Number(child))]);
  const own = textOf(String(pid), 'cmdline');
  return below(pid)
    .map(programOf)
    .filter(({ command }) => command !== '' && command !== own);
}

/** The command line goes first: whose command line is its own has an environment of its own. */
function programOf(pid: number): Program {
  const command = textOf(String(pid), 'cmdline');
  const pairs = rawTextOf(String(pid), 'environ').split('\0').filter(Boolean);
  const environment = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  return { pid, command, environment: environment as Record<string, string> };
}

/** The program's name, which comes before, may hold brackets and spaces. */
function parentOf(pid: string): number {
  const [, rest = ''] = /.*\)(.*)/s.exec(rawTextOf(pid, 'stat')) ?? [];
  return Number(rest.trim().split(' ')[1]);
}
