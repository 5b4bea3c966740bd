import { createTwoFilesPatch } from 'diff';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../helpers/browser.ts';
import { findProgram } from '../../helpers/programs.ts';
import { folders } from '../sites.ts';
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
  const answers = [verdict?.done, verdict?.rest, verdict?.layout, verdict?.facts].map(marks);
  return `| ${[name, site, wordFor(result), ...answers, usage?.turns ?? '', ...tokens, cost].join(' | ')} |`;
}

export const heading = [
  '| task | site | | done | nothing else | layout, links | facts | turns | tokens in | cached | out | dollars |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
].join('\n');

const costOf = (
  { inputTokens, cachedInputTokens, outputTokens }: NonNullable<Result['outcome']>['usage'],
  [input, cached, output]: Prices,
) => (inputTokens - cachedInputTokens) * input + cachedInputTokens * cached + outputTokens * output;

/** What is wrong with a task, in sentences. */
export const complaintsOf = ({ error, verdict }: Result): string[] =>
  error === undefined ? (Object.values(verdict ?? {}).flat() as string[]) : [error];

/** Writes what a task changed, as a diff and as pictures of the pages before and after. */
export async function keep(folder: string, results: Result[]): Promise<void> {
  const pictures =
    findProgram('Chromium') === undefined
      ? undefined
      : await startBrowser(['--allow-file-access-from-files']);
  try {
    for (const [number, result] of results.entries()) {
      const own = join(folder, `${number + 1}-${result.name.replace(/\W+/g, '-')}`);
      mkdirSync(own, { recursive: true });
      writeFileSync(
        join(own, 'task.txt'),
        [result.asked, wordFor(result), ...complaintsOf(result), ''].join('\n'),
      );
      writeFileSync(join(own, 'changes.diff'), diffOf(result));
      if (pictures) await picture(pictures.browser, own, result);
    }
  } finally {
    await pictures?.close();
  }
}

const diffOf = ({ before, after, outcome }: Result) =>
  [...(outcome?.changed.keys() ?? [])]
    .map((path) => createTwoFilesPatch(path, path, before[path] ?? '', after[path] ?? ''))
    .join('\n');

/** Pages of a task that are pictured. */
const PICTURED = 3;

async function picture(
  browser: Browser,
  folder: string,
  { site, before, after, outcome }: Result,
): Promise<void> {
  const paths = [...(outcome?.changed.keys() ?? [])]
    .filter((path) => extname(path) === '.html')
    .slice(0, PICTURED);
  for (const [name, files] of Object.entries({ before, after })) {
    const copy = join(folder, name);
    if (paths.length > 0) cpSync(folders[site], copy, { recursive: true });
    for (const path of paths.filter((path) => path in files)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), files[path]!);
      await photograph(
        browser,
        join(copy, path),
        join(folder, `${path.replace(/\W+/g, '-')}-${name}.png`),
      );
    }
    rmSync(copy, { recursive: true, force: true });
  }
}

async function photograph(browser: Browser, file: string, to: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  // nothing is loaded but from this folder: pages of packages name hosts of others
  await page.route(/^https?:/, (route) => route.abort());
  await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
  await page.screenshot({ path: to, fullPage: true });
  await page.close();
}
