import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { BatchPlan } from '../activities/batches/planBatch.ts';
import type { TaskRef } from '../activities/deps.ts';
import type { BatchInput } from '../src/contract/batches/batch.ts';
import type { PlannedBatchRow } from '../src/contract/batches/batchStore.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import { agentActivities, gitActivities, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker, runByAgent } from './preferredWorker.ts';
import type { createDetails } from './currentDetails.ts';
import type { EventNotifier } from './eventNotifier.ts';
import { clientMessage, settle } from './failures.ts';

/** One run of a batch's work, from planning to its end. A batch that is resumed has another run. */
export interface BatchRun {
  batch: BatchInput;
  task: TaskRef;
  details: ReturnType<typeof createDetails>;
  notifier: EventNotifier;
  /** The work that a cancel of the batch ends. */
  scope: CancellationScope;
  /** What people asked for: to stop after the window that is being written, or at once. */
  interruption?: 'pause' | 'cancel';
}

/** A window: rows whose pages are written at the same time, and then committed together. */
const WINDOW = 50;
/** Events of a workflow's history after which the batch continues with a new history. */
const LONGEST_HISTORY = 2_000;

/** Decides where the page of each row goes. */
export const planBatch = ({ batch, task }: BatchRun) =>
  runOnPreferredWorker(batch, gitActivities.planBatch, `Plan the batch for ${siteLabel(batch)}`, {
    task,
  });

/**
 * Writes the rows in windows of 50, and commits each window while the next one is written. Until
 * people approve, only the canary is written: the first rows of the batch. If one of them fails in
 * the last commit, the next row replaces it.
 * @returns `historyFull` if rows are left for a run with a new history; `interrupted` if somebody
 *   paused or cancelled the batch
 */
export async function generateRows(
  batchRun: BatchRun,
  batchPlan: BatchPlan,
): Promise<'historyFull' | 'written' | 'interrupted'> {
  const { batch, task } = batchRun;
  let committing = settle(commitRows(batchRun, batchPlan));
  let isLastWindow = false;
  while (batchRun.interruption === undefined && !isHistoryFull(batch)) {
    const title = `Read the next rows for ${siteLabel(batch)}`;
    const rows = await runOnPreferredWorker(batch, gitActivities.readNextRows, title, {
      task,
      limit: WINDOW,
    });
    await Promise.all(rows.map((row) => generateRow(batchRun, batchPlan, row)));
    await rethrowFailure(committing);
    if (rows.length === 0 && (isLastWindow || !batchPlan.isCanary)) return 'written';
    isLastWindow = rows.length === 0;
    committing = settle(commitRows(batchRun, batchPlan));
  }
  await rethrowFailure(committing);
  return batchRun.interruption === undefined ? 'historyFull' : 'interrupted';
}

function isHistoryFull({ longestHistory = LONGEST_HISTORY }: BatchInput): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength >= longestHistory || continueAsNewSuggested;
}

/** Waits for work that `settle` keeps from rejecting before it is awaited. @throws its error */
async function rethrowFailure(settledWork: ReturnType<typeof settle>): Promise<void> {
  const result = await settledWork;
  if (!result.ok) throw result.error;
}

async function commitRows({ batch, task, details }: BatchRun, { templates }: BatchPlan) {
  const title = `Commit rows to ${siteLabel(batch)}`;
  let isLeft: boolean;
  do {
    const commitResult = await runOnPreferredWorker(batch, gitActivities.commitRows, title, {
      task,
      templates,
    });
    details.set('rows', `${commitResult.total} committed`);
    ({ isLeft } = commitResult);
  } while (isLeft);
}

/**
 * Writes the page of a row. If the model's answer is rejected, a second activity repairs it, once.
 * If the row still fails, stores its error: the other rows continue.
 */
async function generateRow(
  batchRun: BatchRun,
  { templates, base, onWarnings }: BatchPlan,
  row: PlannedBatchRow,
): Promise<void> {
  const { batch, task } = batchRun;
  const { number, slug, templatePageSlug } = row;
  const { model } = batch;
  const template = templates[templatePageSlug]!;
  const argument = { task, base, template, number, onWarnings, ...withoutUndefined({ model }) };
  const runActivity = (title: string, extraArguments: object = {}) =>
    runByAgent(batch, agentActivities(batch).generateRow, `${title} ${slug}, row ${number}`, {
      ...argument,
      ...extraArguments,
    });
  const writeAndRepair = async () => {
    const { rejected } = await runActivity('Write');
    if (rejected) await runActivity('Repair', { rejected });
  };
  const writeResult = await settle(writeAndRepair());
  if (writeResult.ok) return;
  if (CancellationScope.current().consideredCancelled) throw writeResult.error;
  const rows = [{ number, error: clientMessage(writeResult.error) }];
  await runOnPreferredWorker(
    batch,
    gitActivities.markRowsFailed,
    `Store the error of row ${number}`,
    {
      task,
      rows,
    },
  );
}
