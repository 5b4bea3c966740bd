import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

export interface Found {
  pid: number;
  command: string;
}

/**
 * All processes, with any parent, whose command line or environment names the folder, or something in it. From /proc:
 * Linux only.
 */
export function processesOf(folder: string): Found[] {
  const names = (text: string) => text.split(folder).some((after, i) => i > 0 && !/^[\w.-]/.test(after));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ pid: Number(name), command: textOf(name, 'cmdline'), environment: textOf(name, 'environ') }))
    .filter(({ command, environment }) => names(command) || names(environment))
    .map(({ pid, command }) => ({ pid, command }));
}

/** As `kill -9` of all of them in one moment, and of what they begin meanwhile; resolves when none is left. */
export async function killProcessesOf(folder: string): Promise<void> {
  await until(`the end of every process of ${folder}`, () => {
    const found = processesOf(folder);
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

/** Empty for a process that has ended, even if its parent has not waited for it. */
function textOf(pid: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
