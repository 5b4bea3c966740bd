import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCli } from '../../src/temporal/server/cliBinary.ts';

/** The pid of the Temporal server on a data folder, undefined where none runs. */
export const pidOf = async (dataDir: string) =>
  (JSON.parse(await readFile(join(dataDir, 'temporal.pid.json'), 'utf8')) as { pid?: number }).pid;
/** Whether a process is a Temporal server. */
export const isRunning = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('start-dev');

/** The Temporal CLI, whose first servers end as a Go program that panics does. */
export async function panicking(dataDir: string, times: number, words: string): Promise<string> {
  const [path, count] = [join(dataDir, 'temporal'), join(dataDir, 'count')];
  const lines = [
    '#!/bin/sh',
    `[ "$1" = server ] || exec '${await findCli()}' "$@"`,
    `echo >> '${count}'; [ "$(wc -l < '${count}')" -gt ${times} ] && exec '${await findCli()}' "$@"`,
    `printf 'panic: ${words}\\n\\ngoroutine 1 [running]:\\nmain.main()\\n\\t/cli/main.go:18 +0x8e\\n' >&2; exit 2`,
  ];
  await writeFile(path, lines.join('\n'), { mode: 0o755 });
  return path;
}
