import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MeasuredPart } from './summary.ts';

const memory = join(import.meta.dirname, '../../.cache/testTimes.json');

/**
 * The files that took longest in earlier runs go first: a run is as long as what it ends with. What
 * no run has measured goes before, the largest files first.
 */
export function longestFirst(files: string[]): string[] {
  const seconds = readTimes();
  const timeOf = (file: string) => seconds[file] ?? Infinity;
  return files.toSorted(
    (a, b) => timeOf(b) - timeOf(a) || statSync(b).size - statSync(a).size || a.localeCompare(b),
  );
}

/** Remembers how long files took, for the order of the next run. */
export function rememberTimes(parts: MeasuredPart[]): void {
  const measured = parts.map(({ name, seconds }) => [name, Math.round(seconds)]);
  mkdirSync(dirname(memory), { recursive: true });
  writeFileSync(memory, JSON.stringify({ ...readTimes(), ...Object.fromEntries(measured) }));
}

function readTimes(): Record<string, number> {
  if (!existsSync(memory)) return {};
  return JSON.parse(readFileSync(memory, 'utf8')) as Record<string, number>;
}
