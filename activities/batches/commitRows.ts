import type { Batch, RowRepair, WrittenRow } from '../../src/contract/batches/batch.ts';
import { creatorIds } from '../../src/contract/creator.ts';
import type { Note } from '../../src/contract/task.ts';
import { committedContent } from '../../src/contract/committedContent.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { commitBatchPages, type NewPages } from '../commitChanges.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { openSite } from '../openSite.ts';
import { readSiteTemplate } from '../../src/sites/pages/templates.ts';
import { splitOnFailure } from '../../src/agents/shared/splitOnFailure.ts';
import { type MeasuredRow, measureRows, ownShareNote } from './measureRows.ts';
import type { BatchPlan } from './planBatch.ts';
import { commitEdits, type BatchEditContext, takeOverEdits } from './takeOverEdits.ts';

type CommitRowsDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'pages' | 'texts' | 'batches' | 'approvals'
>;

interface CommitRowsInput extends Pick<BatchPlan, 'templates'> {
  task: TaskRef;
}

/** Rows that are committed by one call. */
const ROWS_PER_CALL = 50;

/**
 * Commits the next written rows of a batch on top of its commit, and pushes the result to the
 * batch's hidden ref. A row that can't be committed fails alone. Rows with warnings, or with too
 * few words of their own, may be held instead: shown, but not published before somebody approves
 * them. If somebody edited a page meanwhile, takes over the edit first. Repeatable: the database
 * decides which rows are left, and on which commit. Throws PUSH_REFUSED, GIT_FAILED,
 * CHANGED_BY_DEPLOY.
 * @returns how many rows are committed in total, and whether rows are left for another call
 */
export function createCommitRows(deps: CommitRowsDependencies) {
  return async (
    { task, templates }: CommitRowsInput,
    signal: AbortSignal,
  ): Promise<{ total: number; isLeft: boolean }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const batch = await deps.batches.find(organizationId, batchId);
    const writtenRows = await deps.batches.next(batchId, {
      state: 'written',
      limit: ROWS_PER_CALL,
    });
    const countCommitted = async () => {
      const { committed, published } = await deps.batches.counts(batchId);
      return committed + published;
    };
    if (writtenRows.length === 0) return { total: await countCommitted(), isLeft: false };
    const batchContext = { task, site, repository, batch, templates, signal };
    const pages = await deps.batches.pages(
      batchId,
      writtenRows.map(({ number }) => number),
    );
    const measuredRows = await measureNewRows(deps, batchContext, pages);
    const lowShareNumbers = measuredRows
      .filter(({ ownShare }) => ownShare < (batch.holdBelow ?? 0))
      .map(rowNumber);
    const rows = pages.filter(({ number }) => !lowShareNumbers.includes(number));
    const tip = batch.commit ?? batch.base!;
    const { commit, notes, committed } = await commitRowsToBase(deps, batchContext, { tip, rows });
    const warnedRows = newlyWarnedRows(batch, measuredRows, notesByRow(rows, notes));
    await holdRows(deps, batchContext, {
      numbers: [...lowShareNumbers, ...warnedRows.map(rowNumber)],
      notes: warnedRows,
    });
    await storeMeasuredRows(deps, batchId, measuredRows);
    // the next call commits the others without them
    if (warnedRows.length > 0) return { total: await countCommitted(), isLeft: true };
    if (committed.length === 0)
      return { total: await countCommitted(), isLeft: writtenRows.length === ROWS_PER_CALL };
    // `shown` is the commit that the hidden ref has, unless somebody edited a page meanwhile
    const refMove = { taskId: batchId, commit, expected: batch.shown ?? null };
    if (!(await repository.pushBatch(refMove, signal))) {
      await takeOverEdits(deps, batchContext);
      return { total: await countCommitted(), isLeft: true };
    }
    // somebody skipped one of them: the next call commits the others without it
    if (!(await deps.batches.commitRows(batchId, { commit, numbers: committed })))
      return { total: await countCommitted(), isLeft: true };
    await deps.batches.addNotes(batchId, notesByRow(rows, notes));
    return { total: await countCommitted(), isLeft: writtenRows.length === ROWS_PER_CALL };
  };
}

export type BatchCommitContext = BatchEditContext & Pick<BatchPlan, 'templates'>;

interface CommittedRows {
  commit: string;
  committed: number[];
  notes: Note[];
}

type RowNotes = { number: number; notes: Note[] };

const rowNumber = ({ number }: { number: number }) => number;

/**
 * The newly written rows to hold because of their notes, if the batch holds pages with warnings.
 * Rows that were written earlier are not held again, because people have decided about them.
 */
function newlyWarnedRows(
  { onWarnings }: Batch,
  measured: MeasuredRow[],
  notes: RowNotes[],
): RowNotes[] {
  const newNumbers = new Set(measured.map(rowNumber));
  return onWarnings === 'hold' ? notes.filter(({ number }) => newNumbers.has(number)) : [];
}

async function holdRows(
  { batches }: CommitRowsDependencies,
  { task: { taskId } }: BatchCommitContext,
  { numbers, notes }: { numbers: number[]; notes: RowNotes[] },
): Promise<void> {
  await batches.addNotes(taskId, notes);
  await batches.move(taskId, { from: ['written'], to: 'held', numbers });
}

/**
 * Measures the own share of each new page: how many of its words are its own (see `measureRows`).
 * Leaves out rows with a known share: whether these are held is for people to decide.
 */
export async function measureNewRows(
  deps: CommitRowsDependencies,
  { task, repository, batch, templates, signal }: BatchCommitContext,
  rows: WrittenRow[],
): Promise<MeasuredRow[]> {
  const { taskId: batchId, organizationId } = task;
  const tree = await repository.tree({ commit: batch.base!, retainedBy: batchId }, signal);
  const pages = deps.pages.for({ organizationId, signal });
  const newNumbers = new Set(rows.filter(({ ownShare }) => ownShare === undefined).map(rowNumber));
  const newlyMeasured: MeasuredRow[] = [];
  for (const [slug, templateRows] of Map.groupBy(rows, (row) => row.templatePageSlug)) {
    if (!templateRows.some(({ number }) => newNumbers.has(number))) continue;
    const template = await readSiteTemplate(tree, pages, templates[slug]!.path);
    const measured = await measureRows(template, templateRows);
    newlyMeasured.push(...measured.filter(({ number }) => newNumbers.has(number)));
  }
  return newlyMeasured;
}

/** Stores the shares. This comes last: a known share means that its page was held if necessary. */
export async function storeMeasuredRows(
  { batches }: CommitRowsDependencies,
  batchId: string,
  measured: MeasuredRow[],
) {
  const notes = measured.map(({ number, slug, ownShare }) => ({
    number,
    notes: [ownShareNote(slug, ownShare)],
  }));
  await batches.addNotes(batchId, notes);
  await batches.storeShares(batchId, measured);
}

/**
 * Commits rows on top of a commit of the batch, with one commit for each template. Repeats the
 * edits that people made by hand to these pages, in further commits.
 */
export async function commitRowsToBase(
  deps: CommitRowsDependencies,
  batchContext: BatchCommitContext,
  { tip, rows }: { tip: string; rows: WrittenRow[] },
): Promise<CommittedRows> {
  const { task, templates } = batchContext;
  const committedRows: CommittedRows = { commit: tip, committed: [], notes: [] };
  for (const templateRows of groupRows(rows)) {
    const template = templates[templateRows[0]!.templatePageSlug]!;
    const { done, failed } = await splitOnFailure(templateRows, async (rowsToCommit) => {
      const { commit, notes } = await commitTemplateRows(deps, batchContext, {
        ...committedRows,
        template,
        rows: rowsToCommit,
      });
      committedRows.commit = commit ?? committedRows.commit;
      committedRows.notes.push(...notes);
      return rowsToCommit;
    });
    const editableRows = done.flat();
    const handEdits = editableRows.flatMap(({ edit, path, slug: page }) =>
      edit ? [{ ...edit, path, slug: page }] : [],
    );
    committedRows.commit = await commitEdits(batchContext, committedRows.commit, handEdits);
    committedRows.committed.push(...editableRows.map(({ number }) => number));
    const errors = failed.map(({ row: { number }, error }) => ({ number, error: error.message }));
    await deps.batches.fail(task.taskId, errors);
  }
  return committedRows;
}

/** Groups rows by template. Repaired rows come last, because their commits are versions. */
function groupRows(rows: WrittenRow[]): WrittenRow[][] {
  const repairKey = ({ repair }: WrittenRow) => (repair ? JSON.stringify(repair) : '');
  const groups = Map.groupBy(rows, (row) => JSON.stringify([repairKey(row), row.templatePageSlug]));
  return [...groups.values()].toSorted(
    ([first], [second]) => Number(Boolean(first!.repair)) - Number(Boolean(second!.repair)),
  );
}

interface TemplateRows extends Pick<CommittedRows, 'commit'> {
  template: NewPages['template'];
  rows: WrittenRow[];
}

async function commitTemplateRows(
  deps: CommitRowsDependencies,
  { task, site, repository, batch, signal }: BatchCommitContext,
  { commit, template, rows }: TemplateRows,
) {
  const { taskId: batchId, organizationId } = task;
  const jobOwner = { organizationId, signal };
  const base = { commit, retainedBy: batchId };
  const tree = await repository.tree(base, signal);
  const pages = rows.map(({ slug, path, page }) => ({
    slug,
    path,
    existing: tree.entries.has(path),
    ...committedContent(page),
  }));
  const context = {
    task,
    site,
    repository,
    base,
    tree,
    threads: { pages: deps.pages.for(jobOwner), texts: deps.texts.for(jobOwner) },
    request: async () => {
      const items = rows.map(({ number }) => deps.batches.input(batchId, number));
      return (await Promise.all(items)).map(({ context: rowContext }) => rowContext).join('\n');
    },
    signal,
  };
  const { linkFrom } = batch;
  const newPages = {
    type: 'generate_pages' as const,
    template,
    pages,
    ...withoutUndefined({ linkFrom }),
  };
  const repair = rows[0]?.repair;
  return commitBatchPages(context, newPages, repair && signRepair(repair));
}

/** The fields of a commit that make it a version of the batch. */
function signRepair({ by, at }: RowRepair) {
  const { userId, keyId } = creatorIds(by);
  return {
    createdAt: at,
    editor: userId ?? undefined,
    version: { kind: 'repair' as const, ...(keyId !== null && { keyId }) },
  };
}

function notesByRow(rows: WrittenRow[], notes: Note[]) {
  const numbers = new Map(rows.map(({ slug, number }) => [slug, number]));
  const notesByNumber = Map.groupBy(notes, ({ page = '' }) => numbers.get(page));
  return [...notesByNumber].flatMap(([number, rowNotes]) =>
    number === undefined ? [] : [{ number, notes: rowNotes }],
  );
}
