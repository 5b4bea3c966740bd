import type { NextRow } from '../../src/contract/batchStore.ts';
import { batchLimits, type RowState } from '../../src/contract/batch.ts';
import type { AwaitedPage, DeployedPage, Look } from '../../src/contract/deployment.ts';
import { defined } from '../../src/contract/defined.ts';
import type { Tree } from '../../src/sites/git/repository.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';
import { openSite } from '../taskRepository.ts';
import { commitOnto, keepMeasured, measureNew } from './commitRows.ts';
import { giveWay } from './giveWay.ts';
import type { BatchPlan } from './planRows.ts';
import { editedAgain, takeOverEdits } from './takeOverEdits.ts';

type Deps = Pick<
  ActivityDeps,
  'sites' | 'repositories' | 'pages' | 'texts' | 'batches' | 'hosting'
>;

interface ShowRows extends Pick<BatchPlan, 'templates'> {
  task: TaskRef;
  /** Whether its pages are published next. */
  publish: boolean;
}

interface Shown {
  /** The batch's commit, without the held pages. Absent if it has no page. */
  commit?: string;
  /** Whether it may be published: from then on nobody can pause or cancel it. */
  mayPublish?: boolean;
  /** What to wait for at a host that builds, before `confirmRows`. */
  look?: Look;
  /** What to look for on the live site, where the host shows no previews. */
  awaited?: AwaitedPage[];
}

/** Rows that tell whether a host has built all. The others are looked at then. */
const SAMPLE = 5;

/** Rows whose pages are in memory at once. */
const ROWS = 50;
const all = batchLimits.rows;

/**
 * Shows all pages of a batch in its preview: those of its commit, and on top of them those that are
 * held. Edits by hand are taken over first. Before a publish, rows fail whose pages others changed.
 * Repeatable. Throws PUSH_REFUSED, GIT_FAILED, DEPLOYMENT_FAILED.
 */
export function createShowRows(deps: Deps) {
  const { batches } = deps;
  return async ({ task, templates, publish }: ShowRows, signal: AbortSignal): Promise<Shown> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const found = await batches.find(organizationId, batchId);
    const taken = await takeOverEdits(deps, { task, site, repository, batch: found, signal });
    const toShow = { task, site, repository, batch: taken, signal };
    const batch = publish ? await giveWay(deps, toShow) : taken;
    const place = { task, site, repository, batch, templates, signal };
    const base = batch.base!;
    let shown = batch.commit ?? base;
    const held = await batches.next(batchId, { state: 'held', limit: all });
    for (let at = 0; at < held.length; at += ROWS) {
      const numbers = held.slice(at, at + ROWS).map(({ number }) => number);
      const rows = await batches.pages(batchId, numbers);
      await keepMeasured(deps, batchId, await measureNew(deps, place, rows));
      shown = (await commitOnto(deps, place, { tip: shown, rows })).commit;
    }
    if (shown === base) return {};
    const move = { taskId: batchId, commit: shown, expected: batch.shown ?? null };
    if (!(await repository.pushParts(move, signal))) throw editedAgain(batch);
    await batches.change(batchId, { shown });
    const tree = await repository.tree({ commit: shown, heldBy: batchId }, signal);
    const rows = await rowsIn(deps, batchId, ['committed', 'published', 'held'], tree);
    const deployed = await deps.hosting.deployPreview(
      {
        site,
        taskId: batchId,
        commit: shown,
        heldBy: batchId,
        base,
        onto: undefined,
        pages: rows,
        sample: SAMPLE,
        says: { title: batch.title, notes: [] },
      },
      signal,
    );
    await batches.show(batchId, addressesOf(rows, deployed.pages, 'previewUrl'));
    const { commit } = batch;
    const { look, awaited, pullRequestUrl } = deployed;
    if (pullRequestUrl !== undefined) await batches.change(batchId, { pullRequestUrl });
    if (look) return { look, ...defined({ commit }) };
    if (commit === undefined) return {};
    const mayPublish = publish && (await batches.beginPublish(batchId));
    return { commit, mayPublish, ...defined({ awaited }) };
  };
}

/** The rows in some states whose pages a commit has: others may have deleted published ones. */
export async function rowsIn(
  { batches }: Pick<ActivityDeps, 'batches'>,
  batchId: string,
  states: RowState[],
  { entries }: Pick<Tree, 'entries'>,
): Promise<NextRow[]> {
  const asked = states.map((state) => batches.next(batchId, { state, limit: all }));
  return (await Promise.all(asked)).flat().filter(({ path }) => entries.has(path));
}

export function addressesOf<Name extends 'previewUrl' | 'publishedUrl'>(
  rows: NextRow[],
  deployed: DeployedPage[],
  name: Name,
) {
  const urls = new Map(deployed.map(({ slug, url }) => [slug, url]));
  return rows.flatMap(({ number, slug }) => {
    const url = urls.get(slug);
    return url === undefined || url === null ? [] : [{ number, [name]: url }];
  });
}
