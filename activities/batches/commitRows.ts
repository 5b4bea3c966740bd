import type { Batch, WrittenRow } from '../../src/contract/batch.ts';
import type { Note } from '../../src/contract/task.ts';
import { textsOf } from '../../src/contract/textsOf.ts';
import { defined } from '../../src/contract/defined.ts';
import { commitPart, type NewPages } from '../commitChanges.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';
import { openSite } from '../taskRepository.ts';
import { readTemplate } from '../../src/sites/pages/template.ts';
import { apart } from '../../src/agents/apart.ts';
import { type Measured, measureRows, shareNote } from './measureRows.ts';
import type { BatchPlan } from './planRows.ts';
import { commitEdits, type EditPlace, takeOverEdits } from './takeOverEdits.ts';

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'texts' | 'batches'>;

interface CommitRows extends Pick<BatchPlan, 'templates'> {
  task: TaskRef;
}

/** Rows of a commit. */
const ROWS = 50;

/**
 * Commits rows of a batch on top of its commit, and pushes that to its hidden ref. A row that can't
 * be committed fails alone. Where somebody edited a page meanwhile, it takes the edit over, and the
 * rows are left. Repeatable: the database decides which rows are left, and on which commit. Throws
 * PUSH_REFUSED, GIT_FAILED, CHANGED_BY_DEPLOY.
 */
export function createCommitRows(deps: Deps) {
  return async (
    { task, templates }: CommitRows,
    signal: AbortSignal,
  ): Promise<{ total: number; isLeft: boolean }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const batch = await deps.batches.find(organizationId, batchId);
    const written = await deps.batches.next(batchId, { state: 'written', limit: ROWS });
    const totalOf = async () => {
      const { committed, published } = await deps.batches.counts(batchId);
      return committed + published;
    };
    if (written.length === 0) return { total: await totalOf(), isLeft: false };
    const place = { task, site, repository, batch, templates, signal };
    const pages = await deps.batches.pages(
      batchId,
      written.map(({ number }) => number),
    );
    const measured = await measureNew(deps, place, pages);
    const low = measured.filter(({ ownShare }) => ownShare < (batch.holdBelow ?? 0)).map(numberOf);
    const rows = pages.filter(({ number }) => !low.includes(number));
    const tip = batch.commit ?? batch.base!;
    const { commit, notes, committed } = await commitOnto(deps, place, { tip, rows });
    const warned = newWarnings(batch, measured, notesByRow(rows, notes));
    await hold(deps, place, { numbers: [...low, ...warned.map(numberOf)], notes: warned });
    await keepMeasured(deps, batchId, measured);
    // the next commit is without them
    if (warned.length > 0) return { total: await totalOf(), isLeft: true };
    if (committed.length === 0) return { total: await totalOf(), isLeft: written.length === ROWS };
    const move = { taskId: batchId, commit, expected: batch.shown ?? null };
    if (!(await repository.pushParts(move, signal))) {
      await takeOverEdits(deps, place);
      return { total: await totalOf(), isLeft: true };
    }
    // somebody skipped one of them: the next commit is without it
    if (!(await deps.batches.commitRows(batchId, { commit, numbers: committed })))
      return { total: await totalOf(), isLeft: true };
    await deps.batches.addNotes(batchId, notesByRow(rows, notes));
    return { total: await totalOf(), isLeft: written.length === ROWS };
  };
}

export type Place = EditPlace & Pick<BatchPlan, 'templates'>;

interface Parts {
  commit: string;
  committed: number[];
  notes: Note[];
}

type RowNotes = { number: number; notes: Note[] };

const numberOf = ({ number }: { number: number }) => number;

/**
 * The notes of a commit for which pages are held: those on pages that nobody has seen yet, where
 * warnings hold pages.
 */
function newWarnings({ onWarnings }: Batch, measured: Measured[], notes: RowNotes[]): RowNotes[] {
  const fresh = new Set(measured.map(numberOf));
  return onWarnings === 'hold' ? notes.filter(({ number }) => fresh.has(number)) : [];
}

async function hold(
  { batches }: Deps,
  { task: { taskId } }: Place,
  { numbers, notes }: { numbers: number[]; notes: RowNotes[] },
): Promise<void> {
  await batches.addNotes(taskId, notes);
  await batches.move(taskId, { from: ['written'], to: 'held', numbers });
}

/**
 * Measures how much of each page is its own, unless that is known: only people hold or approve such
 * a page.
 */
export async function measureNew(
  deps: Deps,
  { task, repository, batch, templates, signal }: Place,
  rows: WrittenRow[],
): Promise<Measured[]> {
  const { taskId: batchId, organizationId } = task;
  const tree = await repository.tree({ commit: batch.base!, heldBy: batchId }, signal);
  const pages = deps.pages.for({ organizationId, signal });
  const fresh = new Set(rows.filter(({ ownShare }) => ownShare === undefined).map(numberOf));
  const added: Measured[] = [];
  for (const [slug, own] of Map.groupBy(rows, (row) => row.templatePageSlug)) {
    if (!own.some(({ number }) => fresh.has(number))) continue;
    const template = await readTemplate(tree, pages, templates[slug]!.path);
    const measured = await measureRows(template, own);
    added.push(...measured.filter(({ number }) => fresh.has(number)));
  }
  return added;
}

/** Stores shares: the last step, since it tells that a page was held if it had to be. */
export async function keepMeasured({ batches }: Deps, batchId: string, measured: Measured[]) {
  const notes = measured.map(({ number, slug, ownShare }) => ({
    number,
    notes: [shareNote(slug, ownShare)],
  }));
  await batches.addNotes(batchId, notes);
  await batches.measured(batchId, measured);
}

/**
 * Commits rows onto a commit of the batch, those of each template in a commit of their own. Pages
 * that people edited are edited again, on top.
 */
export async function commitOnto(
  deps: Deps,
  place: Place,
  { tip, rows }: { tip: string; rows: WrittenRow[] },
): Promise<Parts> {
  const { task, templates } = place;
  const parts: Parts = { commit: tip, committed: [], notes: [] };
  for (const [slug, own] of Map.groupBy(rows, (row) => row.templatePageSlug)) {
    const template = templates[slug]!;
    const { done, failed } = await apart(own, async (some) => {
      const { commit, notes } = await commitSome(deps, place, { ...parts, template, rows: some });
      parts.commit = commit ?? parts.commit;
      parts.notes.push(...notes);
      return some;
    });
    const made = done.flat();
    const edits = made.flatMap(({ edit, path, slug: page }) =>
      edit ? [{ ...edit, path, slug: page }] : [],
    );
    parts.commit = await commitEdits(place, parts.commit, edits);
    parts.committed.push(...made.map(({ number }) => number));
    const errors = failed.map(({ one: { number }, error }) => ({ number, error: error.message }));
    await deps.batches.fail(task.taskId, errors);
  }
  return parts;
}

interface Some extends Pick<Parts, 'commit'> {
  template: NewPages['template'];
  rows: WrittenRow[];
}

async function commitSome(
  deps: Deps,
  { task, site, repository, batch, signal }: Place,
  { commit, template, rows }: Some,
) {
  const { taskId: batchId, organizationId } = task;
  const work = { organizationId, signal };
  const base = { commit, heldBy: batchId };
  const tree = await repository.tree(base, signal);
  const pages = rows.map(({ slug, path, page }) => ({
    slug,
    path,
    existing: tree.entries.has(path),
    ...textsOf(page),
  }));
  const context = {
    task,
    site,
    repository,
    base,
    tree,
    threads: { pages: deps.pages.for(work), texts: deps.texts.for(work) },
    request: async () => {
      const items = rows.map(({ number }) => deps.batches.input(batchId, number));
      return (await Promise.all(items)).map(({ context: asked }) => asked).join('\n');
    },
    signal,
  };
  const { linkFrom } = batch;
  return commitPart(context, {
    type: 'generate_pages',
    template,
    pages,
    ...defined({ linkFrom }),
  });
}

function notesByRow(rows: WrittenRow[], notes: Note[]) {
  const numbers = new Map(rows.map(({ slug, number }) => [slug, number]));
  const byRow = Map.groupBy(notes, ({ page = '' }) => numbers.get(page));
  return [...byRow].flatMap(([number, own]) =>
    number === undefined ? [] : [{ number, notes: own }],
  );
}
