import { createTwoFilesPatch } from 'diff';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Result, wordFor } from './run.ts';

/** Dollars for a million tokens: read, read from the cache, written. */
export type Prices = [input: number, cached: number, output: number];

const marks = (found: string[] | undefined) =>
  found === undefined ? '' : found.length === 0 ? 'yes' : 'no';

/** One line of the table, in Markdown. */
export function rowOf(result: Result, prices?: Prices): string {
  const { name, site, verdict, outcome } = result;
  const usage = outcome?.usage;
  const tokens = usage
    ? [usage.inputTokens, usage.cachedInputTokens, usage.outputTokens]
    : ['', '', ''];
  const cost = usage && prices ? (costOf(usage, prices) / 1e6).toFixed(4) : '';
  const answers = [verdict?.done, verdict?.rest, verdict?.layout].map(marks);
  return `| ${[name, site, wordFor(result), ...answers, usage?.turns ?? '', ...tokens, cost].join(' | ')} |`;
}

export const heading = [
  '| task | site | | done | nothing else | layout, links | turns | tokens in | cached | out | dollars |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
].join('\n');

const costOf = (
  { inputTokens, cachedInputTokens, outputTokens }: NonNullable<Result['outcome']>['usage'],
  [input, cached, output]: Prices,
) => (inputTokens - cachedInputTokens) * input + cachedInputTokens * cached + outputTokens * output;

/** What is wrong with a task, in sentences. */
export const complaintsOf = ({ error, verdict }: Result): string[] =>
  error === undefined ? (Object.values(verdict ?? {}).flat() as string[]) : [error];

/** Writes what each task was asked, what was wrong with it, and what it changed. */
export function keep(folder: string, results: Result[]): void {
  for (const [number, result] of results.entries()) {
    const own = join(folder, `${number + 1}-${result.name.replace(/\W+/g, '-')}`);
    mkdirSync(own, { recursive: true });
    writeFileSync(
      join(own, 'task.txt'),
      [result.asked, wordFor(result), ...complaintsOf(result), ''].join('\n'),
    );
    writeFileSync(join(own, 'changes.diff'), diffOf(result));
  }
}

const diffOf = ({ before, after, outcome }: Result) =>
  [...(outcome?.changed.keys() ?? [])]
    .map((path) => createTwoFilesPatch(path, path, before[path] ?? '', after[path] ?? ''))
    .join('\n');
