import type { PlannedBatchRow } from '../../src/contract/batches/batchStore.ts';
import { batchLimits, type RowState } from '../../src/contract/batches/batch.ts';
import type { ExpectedPage, DeployedPage, DeploymentCheck } from '../../src/contract/deployment.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { Tree } from '../../src/sites/git/repository.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import { openSite } from '../openSite.ts';
import { commitRowsToBase, storeMeasuredRows, measureNewRows } from './commitRows.ts';
import { yieldToProduction } from './yieldToProduction.ts';
import type { BatchPlan } from './planBatch.ts';
import { editedAgain, takeOverEdits } from './takeOverEdits.ts';

type BatchPreviewDependencies = Pick<
  ActivityDependencies,
  'sites' | 'repositories' | 'pages' | 'texts' | 'batches' | 'approvals' | 'hosting'
>;

interface BatchPreviewInput extends Pick<BatchPlan, 'templates'> {
  task: TaskRef;
  /** Whether the pages of the batch are published next. */
  publish: boolean;
}

interface ShownRows {
  /** The batch's commit, without the held pages. Absent if no row is committed. */
  commit?: string;
  /** Whether the batch may be published. If so, nobody can pause or cancel it any more. */
  mayPublish?: boolean;
  /** What to wait for at an external host, before `verifyBatchPages`. */
  deploymentCheck?: DeploymentCheck;
  /** The pages to look for on the live site, if the host shows no previews. */
  expectedPages?: ExpectedPage[];
}

/** Pages to wait for at an external host. Once it shows them, the others are checked. */
const SAMPLE = 5;

/** Rows whose pages are in memory at once. */
const ROWS = 50;
const allRows = batchLimits.rows;

/**
 * Deploys the preview of a batch. It shows the pages of the batch's commit and, in a commit on top,
 * the held pages, which wait for an approval. Takes over edits by hand first. Before a publish,
 * fails the rows whose pages others changed on the production branch. Repeatable: the same rows
 * give the same commit. Throws PUSH_REFUSED, GIT_FAILED, DEPLOYMENT_FAILED.
 */
export function createDeployBatchPreview(deps: BatchPreviewDependencies) {
  const { batches } = deps;
  return async (
    { task, templates, publish }: BatchPreviewInput,
    signal: AbortSignal,
  ): Promise<ShownRows> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite(deps, task);
    const storedBatch = await batches.find(organizationId, batchId);
    const editedBatch = await takeOverEdits(deps, {
      task,
      site,
      repository,
      batch: storedBatch,
      signal,
    });
    const editContext = { task, site, repository, batch: editedBatch, signal };
    const batch = publish ? await yieldToProduction(deps, editContext) : editedBatch;
    const batchContext = { task, site, repository, batch, templates, signal };
    const base = batch.base!;
    let shownCommit = batch.commit ?? base;
    const heldRows = await batches.next(batchId, { state: 'held', limit: allRows });
    for (let offset = 0; offset < heldRows.length; offset += ROWS) {
      const numbers = heldRows.slice(offset, offset + ROWS).map(({ number }) => number);
      const rows = await batches.pages(batchId, numbers);
      await storeMeasuredRows(deps, batchId, await measureNewRows(deps, batchContext, rows));
      shownCommit = (await commitRowsToBase(deps, batchContext, { tip: shownCommit, rows })).commit;
    }
    if (shownCommit === base) return {};
    const refMove = { taskId: batchId, commit: shownCommit, expected: batch.shown ?? null };
    if (!(await repository.pushBatch(refMove, signal))) throw editedAgain(batch);
    await batches.change(batchId, { shown: shownCommit });
    const tree = await repository.tree({ commit: shownCommit, retainedBy: batchId }, signal);
    const rows = await rowsInStates(deps, batchId, ['committed', 'published', 'held'], tree);
    const deployed = await deps.hosting.deployPreview(
      {
        site,
        taskId: batchId,
        commit: shownCommit,
        retainedBy: batchId,
        base,
        baseTaskId: undefined,
        pages: rows,
        sample: SAMPLE,
        pullRequestText: { title: batch.title, notes: [] },
      },
      signal,
    );
    await batches.show(batchId, rowUrls(rows, deployed.pages, 'previewUrl'));
    const { commit } = batch;
    const { deploymentCheck, expectedPages, pullRequestUrl } = deployed;
    if (pullRequestUrl !== undefined) await batches.change(batchId, { pullRequestUrl });
    if (deploymentCheck) return { deploymentCheck, ...withoutUndefined({ commit }) };
    if (commit === undefined) return {};
    const mayPublish = publish && (await batches.beginPublish(batchId));
    return { commit, mayPublish, ...withoutUndefined({ expectedPages }) };
  };
}

/** The rows in some states whose pages the commit has. Others may have deleted published pages. */
export async function rowsInStates(
  { batches }: Pick<ActivityDependencies, 'batches'>,
  batchId: string,
  states: RowState[],
  { entries }: Pick<Tree, 'entries'>,
): Promise<PlannedBatchRow[]> {
  const rowQueries = states.map((state) => batches.next(batchId, { state, limit: allRows }));
  return (await Promise.all(rowQueries)).flat().filter(({ path }) => entries.has(path));
}

/** The URLs of deployed pages by the numbers of their rows: `[{ number: 1, previewUrl: … }]`. */
export function rowUrls<Name extends 'previewUrl' | 'publishedUrl'>(
  rows: PlannedBatchRow[],
  deployedPages: DeployedPage[],
  urlField: Name,
) {
  const urls = new Map(deployedPages.map(({ slug, url }) => [slug, url]));
  return rows.flatMap(({ number, slug }) => {
    const url = urls.get(slug);
    return url === undefined || url === null ? [] : [{ number, [urlField]: url }];
  });
}
