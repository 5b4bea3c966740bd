import type { BatchRow } from '../contract/batch.ts';
import type { CheckBatch, RowProblem, RowsChecked } from '../contract/check.ts';
import { DomainError } from '../errors.ts';
import { checkSitemap } from '../sites/pages/deriveSitemap.ts';
import { fileNames } from '../sites/pages/fileNames.ts';
import { readLinkPage } from '../sites/pages/linkPage.ts';
import type { Pages, PagesPool } from '../sites/pages/pages.ts';
import type { Target } from '../sites/pages/planTargets.ts';
import { findTemplate, readTemplate } from '../sites/pages/template.ts';
import type { Repositories } from '../sites/git/repository.ts';
import { apart } from './apart.ts';
import { createSiteReader, problemsOf, type Reading, trying } from './siteReading.ts';

interface Deps {
  repositories: Repositories;
  pages: Pick<PagesPool, 'for'>;
}

/** Rows whose files are planned at once. */
const ROWS = 250;

/**
 * Tells which rows of a batch would fail on the site, before it is created: missing templates,
 * pages that exist. Writes nothing, and writes no page to see how it comes out.
 * @throws DomainError UNAVAILABLE, CONFLICT if the repository can't be read
 */
export function createBatchCheck({ repositories, pages }: Deps): CheckBatch {
  const read = createSiteReader(repositories);
  return ({ site, rows, linkFrom }, asking) =>
    read({ site }, asking, async (reading) => {
      const own = pages.for(reading.work);
      const problems = await problemsOf(() => Promise.resolve(checkSitemap(reading.tree)));
      const checked: RowsChecked = { problems, rows: [], inputTokens: 0, outputTokens: 0 };
      let isUsable = false;
      const names = [...reading.tree.entries.values()];
      for (const [slug, some] of Map.groupBy(rows, (row) => row.templatePageSlug)) {
        const place = { pages: own, reading, names, linkFrom };
        const found = await checkTemplate(place, slug, some);
        isUsable ||= found.isUsable;
        checked.rows.push(...found.rows);
        checked.inputTokens += found.inputTokens;
        checked.outputTokens += found.outputTokens;
      }
      return isUsable ? checked : withoutLinks(checked);
    });
}

/** With no template that the page `linkFrom` fits, that is the batch's problem. */
function withoutLinks({ problems, rows, ...tokens }: RowsChecked): RowsChecked {
  const isUnfit = ({ problem }: RowProblem) => problem.code === 'LINK_FROM_UNFIT';
  const unfit = rows.filter(isUnfit).map(({ problem }) => problem);
  return {
    problems: [...problems, ...distinct(unfit)],
    rows: rows.filter((row) => !isUnfit(row)),
    ...tokens,
  };
}

const distinct = (problems: RowsChecked['problems']) => [
  ...new Map(problems.map((problem) => [problem.message, problem])).values(),
];

interface Place {
  pages: Pages;
  reading: Reading;
  /** The site's files, and those of rows that were planned. */
  names: FileName[];
  linkFrom: string | undefined;
}

type FileName = { path: string; mode: string };

type TemplateChecked = Omit<RowsChecked, 'problems'> & { isUsable: boolean };

/** Checks the rows of one template. */
async function checkTemplate(
  place: Place,
  slug: string,
  rows: BatchRow[],
): Promise<TemplateChecked> {
  const { pages, reading, linkFrom } = place;
  const { tree } = reading;
  const found = await trying(async () => {
    const path = findTemplate(tree, pages, slug);
    const { slots } = await readTemplate(tree, pages, path);
    if (linkFrom !== undefined)
      await readLinkPage(tree, pages, { linkFrom, template: { slug, path, slots } });
    return { path, slots };
  });
  if ('problem' in found)
    return {
      isUsable: false,
      rows: rows.map(({ number }) => ({ number, problem: found.problem })),
      inputTokens: 0,
      outputTokens: 0,
    };
  const { path, slots } = found.value;
  const failed: RowProblem[] = [];
  for (let at = 0; at < rows.length; at += ROWS)
    failed.push(...(await planSome(place, path, rows.slice(at, at + ROWS))));
  const wrong = new Set(failed.map(({ number }) => number));
  const made = rows.filter(({ number }) => !wrong.has(number));
  return { isUsable: true, rows: failed, ...tokensOf(slots, made) };
}

/** @returns the rows whose pages can't be made */
async function planSome(
  { pages, reading, names }: Place,
  templatePath: string,
  rows: BatchRow[],
): Promise<RowProblem[]> {
  const { repository, base, work } = reading;
  const { done, failed } = await apart(rows, async (some): Promise<(Target & Numbered)[]> => {
    const slugs = some.map(({ targetPageSlug }) => targetPageSlug);
    const targets = await pages.planTargets(fileNames(names), { templatePath, slugs });
    return targets.map((target, i) => ({ ...target, number: some[i]!.number }));
  });
  const problems = failed.map(({ one: { number }, error }) => problemOf(number, error));
  const targets = done.flat();
  const there = targets.filter(({ existing }) => existing).map(({ path }) => path);
  const made = await repository.madeByTasks(base, there, work.signal);
  for (const { existing, path, slug, number } of targets)
    if (existing && !made.has(path))
      problems.push(
        problemOf(number, new DomainError('PAGE_EXISTS', `Page already exists: ${slug}`)),
      );
    else names.push({ path, mode: '100644' });
  return problems;
}

type Numbered = Pick<BatchRow, 'number'>;

const problemOf = (number: number, { code, message }: DomainError): RowProblem => ({
  number,
  problem: { code, message },
});

const CHARACTERS_PER_TOKEN = 4;
/** Characters of the instructions that every request to a model begins with. */
const INSTRUCTIONS = 5_000;
/** Characters of a text's line in a request, and of its name in an answer, beside the text. */
const OF_LINE = 25;
const OF_NAME = 12;

/** What a language model would use for rows' pages, roughly: each is written in one call. */
function tokensOf(slots: readonly { text: string }[], rows: BatchRow[]) {
  const texts = slots.reduce((sum, { text }) => sum + text.length, 0);
  const contexts = rows.reduce((sum, { context }) => sum + context.length, 0);
  const input = rows.length * (INSTRUCTIONS + texts + slots.length * OF_LINE) + contexts;
  const output = rows.length * (texts + slots.length * OF_NAME);
  return {
    inputTokens: Math.ceil(input / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(output / CHARACTERS_PER_TOKEN),
  };
}
