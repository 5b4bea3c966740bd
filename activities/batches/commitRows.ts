import type { Batch, WrittenRow } from '../../src/contract/batch.ts';
import type { NextRow } from '../../src/contract/batchStore.ts';
import type { Note } from '../../src/contract/task.ts';
import { textsOf } from '../../src/contract/textsOf.ts';
import type { SiteWithRepository } from '../../src/contract/site.ts';
import type { Repository } from '../../src/sites/git/repository.ts';
import { defined } from '../../src/contract/defined.ts';
import { commitPart, type NewPages } from '../commitChanges.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';
import { openSite } from '../taskRepository.ts';
import { readTemplate } from '../../src/sites/pages/template.ts';
import { apart } from '../../src/agents/apart.ts';
import { type Measured, measureRows, shareNote } from './measureRows.ts';
import type { BatchPlan } from './planRows.ts';

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'texts' | 'batches'>;

interface CommitRows extends Pick<BatchPlan, 'templates'> {
  task: TaskRef;
}

/** Rows of a commit. */
const ROWS = 50;

/**
 * Commits rows of a batch on top of its commit, and pushes that to its hidden ref. A row that can't
 * be committed fails alone. Repeatable: the database decides which rows are left, and on which
 * commit. Throws PUSH_REFUSED, GIT_FAILED, CHANGED_BY_DEPLOY.
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
    const rows = await withoutHeld(deps, place, written);
    const tip = batch.commit ?? batch.base!;
    const { commit, notes, committed } = await commitOnto(deps, place, { tip, rows });
    if (committed.length === 0) return { total: await totalOf(), isLeft: written.length === ROWS };
    await repository.pushParts({ taskId: batchId, commit }, signal);
    // somebody skipped one of them: the next commit is without it
    if (!(await deps.batches.commitRows(batchId, { commit, numbers: committed })))
      return { total: await totalOf(), isLeft: true };
    await deps.batches.addNotes(batchId, notesByRow(rows, notes));
    return { total: await totalOf(), isLeft: written.length === ROWS };
  };
}

export interface Place extends Pick<BatchPlan, 'templates'> {
  task: TaskRef;
  site: SiteWithRepository;
  repository: Repository;
  batch: Batch;
  signal: AbortSignal;
}

interface Parts {
  commit: string;
  committed: number[];
  notes: Note[];
}

/** Holds pages that have too little text of their own, unless somebody has seen them. */
async function withoutHeld(deps: Deps, place: Place, written: NextRow[]): Promise<WrittenRow[]> {
  const { taskId: batchId } = place.task;
  const numbers = written.map(({ number }) => number);
  const rows = await deps.batches.pages(batchId, numbers);
  const measured = await measureNew(deps, place, rows);
  const { holdBelow = 0 } = place.batch;
  const low = measured.filter(({ ownShare }) => ownShare < holdBelow).map(({ number }) => number);
  await deps.batches.move(batchId, { from: ['written'], to: 'held', numbers: low });
  return rows.filter(({ number }) => !low.includes(number));
}

/** Measures, once, how much of each page is its own. @returns those that were not measured yet */
export async function measureNew(
  deps: Deps,
  { task, repository, batch, templates, signal }: Place,
  rows: WrittenRow[],
): Promise<Measured[]> {
  const { taskId: batchId, organizationId } = task;
  const tree = await repository.tree({ commit: batch.base!, heldBy: batchId }, signal);
  const pages = deps.pages.for({ organizationId, signal });
  const fresh = new Map(
    rows.filter(({ ownShare }) => ownShare === undefined).map((row) => [row.number, row]),
  );
  const added: Measured[] = [];
  for (const [slug, own] of Map.groupBy(rows, (row) => row.templatePageSlug)) {
    if (!own.some(({ number }) => fresh.has(number))) continue;
    const template = await readTemplate(tree, pages, templates[slug]!.path);
    added.push(...measureRows(template, own).filter(({ number }) => fresh.has(number)));
  }
  await deps.batches.measured(batchId, added);
  const notes = added.map(({ number, ownShare }) => ({
    number,
    notes: [shareNote(fresh.get(number)!.slug, ownShare)],
  }));
  await deps.batches.addNotes(batchId, notes);
  return added;
}

/** Commits rows onto a commit of the batch, those of each template in a commit of their own. */
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
    parts.committed.push(...done.flat().map(({ number }) => number));
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
