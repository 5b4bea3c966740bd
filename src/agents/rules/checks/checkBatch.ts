import type { BatchRow } from '../../../contract/batches/batch.ts';
import type { BatchChecker, RowProblem, BatchCheck } from '../../../contract/checks.ts';
import type { DomainError } from '../../../errors.ts';
import { checkSitemap } from '../../../sites/pages/sitemap/deriveSitemap.ts';
import { packFileNames } from '../../../sites/pages/listing/fileNames.ts';
import { readLinkPage } from '../../../sites/pages/links/linkPage.ts';
import type { PageMethods, PagesPool } from '../../../sites/pages/pages.ts';
import type { PageTarget } from '../../../sites/pages/listing/planTargets.ts';
import { findTemplate, readSiteTemplate } from '../../../sites/pages/templates.ts';
import type { GitRepositories } from '../../../sites/git/repository.ts';
import { splitOnFailure } from '../../shared/splitOnFailure.ts';
import { createSiteReader, findWorkProblems, type CheckedSite, tryWork } from './siteReader.ts';
import { pageExistsError } from '../../../sites/pages/listing/pageExists.ts';

interface BatchCheckDependencies {
  repositories: GitRepositories;
  pages: Pick<PagesPool, 'for'>;
}

/** Most rows whose files are planned in one call. */
const ROWS_PER_PLAN = 250;

/**
 * Makes the function that checks a batch (rows of a table, each of which becomes a page) before it
 * is created. It tells which rows would fail on the site, such as those whose page exists already,
 * and estimates a language model's tokens for the others. It generates no page, and changes
 * nothing. It throws UNAVAILABLE or CONFLICT if the repository can't be read, and UNAVAILABLE if
 * the check takes too long.
 */
export function createBatchCheck({ repositories, pages }: BatchCheckDependencies): BatchChecker {
  const readSite = createSiteReader(repositories);
  return ({ site, rows, linkFrom }, jobOwner) =>
    readSite({ site }, jobOwner, async (reading) => {
      const sitePages = pages.for(reading.work);
      const problems = await findWorkProblems(() => Promise.resolve(checkSitemap(reading.tree)));
      const batchResult: BatchCheck = { problems, rows: [], inputTokens: 0, outputTokens: 0 };
      let isUsable = false;
      const names = [...reading.tree.entries.values()];
      for (const [slug, templateRows] of Map.groupBy(rows, (row) => row.templatePageSlug)) {
        const templateCheck = { pages: sitePages, reading, names, linkFrom };
        const templateResult = await checkTemplateRows(templateCheck, slug, templateRows);
        isUsable ||= templateResult.isUsable;
        batchResult.rows.push(...templateResult.rows);
        batchResult.inputTokens += templateResult.inputTokens;
        batchResult.outputTokens += templateResult.outputTokens;
      }
      return isUsable ? batchResult : reportLinkProblemOnce(batchResult);
    });
}

/** Reports for the whole batch, not for each row, that the page `linkFrom` fits no template. */
function reportLinkProblemOnce({ problems, rows, ...tokens }: BatchCheck): BatchCheck {
  const isLinkProblem = ({ problem }: RowProblem) => problem.code === 'LINK_FROM_UNFIT';
  const linkProblems = rows.filter(isLinkProblem).map(({ problem }) => problem);
  return {
    problems: [...problems, ...distinctProblems(linkProblems)],
    rows: rows.filter((row) => !isLinkProblem(row)),
    ...tokens,
  };
}

const distinctProblems = (problems: BatchCheck['problems']) => [
  ...new Map(problems.map((problem) => [problem.message, problem])).values(),
];

interface TemplateCheck {
  pages: PageMethods;
  reading: CheckedSite;
  /** The site's files, and those that are planned for earlier rows. */
  names: PlannedFileName[];
  linkFrom: string | undefined;
}

type PlannedFileName = { path: string; mode: string };

type TemplateCheckResult = Omit<BatchCheck, 'problems'> & { isUsable: boolean };

/** Checks the rows of one template. If the template is unusable, all of them have this problem. */
async function checkTemplateRows(
  templateCheck: TemplateCheck,
  slug: string,
  rows: BatchRow[],
): Promise<TemplateCheckResult> {
  const { pages, reading, linkFrom } = templateCheck;
  const { tree } = reading;
  const templateResult = await tryWork(async () => {
    const path = findTemplate(tree, pages, slug);
    const { slots } = await readSiteTemplate(tree, pages, path);
    if (linkFrom !== undefined)
      await readLinkPage(tree, pages, { linkFrom, template: { slug, path, slots } });
    return { path, slots };
  });
  if ('problem' in templateResult)
    return {
      isUsable: false,
      rows: rows.map(({ number }) => ({ number, problem: templateResult.problem })),
      inputTokens: 0,
      outputTokens: 0,
    };
  const { path, slots } = templateResult.value;
  const failedRows: RowProblem[] = [];
  for (let firstIndex = 0; firstIndex < rows.length; firstIndex += ROWS_PER_PLAN)
    failedRows.push(
      ...(await planTemplateRows(
        templateCheck,
        path,
        rows.slice(firstIndex, firstIndex + ROWS_PER_PLAN),
      )),
    );
  const failedNumbers = new Set(failedRows.map(({ number }) => number));
  const usableRows = rows.filter(({ number }) => !failedNumbers.has(number));
  return { isUsable: true, rows: failedRows, ...estimateBatchTokens(slots, usableRows) };
}

/** Plans the rows' files, and adds those to `names`. Returns the rows that have problems. */
async function planTemplateRows(
  { pages, reading, names }: TemplateCheck,
  templatePath: string,
  rows: BatchRow[],
): Promise<RowProblem[]> {
  const { repository, base, work } = reading;
  const { done, failed } = await splitOnFailure(
    rows,
    async (plannedRows): Promise<(PageTarget & NumberedRow)[]> => {
      const slugs = plannedRows.map(({ targetPageSlug }) => targetPageSlug);
      const targets = await pages.planTargets(packFileNames(names), { templatePath, slugs });
      return targets.map((target, index) => ({ ...target, number: plannedRows[index]!.number }));
    },
  );
  const problems = failed.map(({ row: { number }, error }) => createRowProblem(number, error));
  const targets = done.flat();
  const existingPaths = targets.filter(({ existing }) => existing).map(({ path }) => path);
  const pathsMadeByTasks = await repository.madeByTasks(base, existingPaths, work.signal);
  for (const { existing, path, slug, number } of targets)
    if (existing && !pathsMadeByTasks.has(path))
      problems.push(createRowProblem(number, pageExistsError(slug)));
    else names.push({ path, mode: '100644' });
  return problems;
}

type NumberedRow = Pick<BatchRow, 'number'>;

const createRowProblem = (number: number, { code, message }: DomainError): RowProblem => ({
  number,
  problem: { code, message },
});

const CHARACTERS_PER_TOKEN = 4;
/** Characters of the instructions that every request to a model begins with. */
const INSTRUCTION_CHARACTERS = 5_000;
/** Characters of a text's line in a request, and of its name in an answer, beside the text. */
const CHARACTERS_PER_LINE = 25;
const CHARACTERS_PER_NAME = 12;

/** Estimates a language model's tokens for the rows' pages. Each page is written in one call. */
function estimateBatchTokens(slots: readonly { text: string }[], rows: BatchRow[]) {
  const textCharacters = slots.reduce((sum, { text }) => sum + text.length, 0);
  const contextCharacters = rows.reduce((sum, { context }) => sum + context.length, 0);
  const inputCharacters =
    rows.length * (INSTRUCTION_CHARACTERS + textCharacters + slots.length * CHARACTERS_PER_LINE) +
    contextCharacters;
  const outputCharacters = rows.length * (textCharacters + slots.length * CHARACTERS_PER_NAME);
  return {
    inputTokens: Math.ceil(inputCharacters / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(outputCharacters / CHARACTERS_PER_TOKEN),
  };
}
