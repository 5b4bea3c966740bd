import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { BatchPlan } from '../activities/batches/planRows.ts';
import type { TaskRef } from '../activities/deps.ts';
import type { BatchInput } from '../src/contract/batch.ts';
import type { NextRow } from '../src/contract/batchStore.ts';
import { defined } from '../src/contract/defined.ts';
import { agentOf, gitSteps, siteOf } from './activities.ts';
import { atHome, byAgent } from './atHome.ts';
import type { createDetails } from './currentDetails.ts';
import { messageOf, settle } from './failures.ts';

/** A run of a batch. */
export interface BatchRun {
  batch: BatchInput;
  task: TaskRef;
  details: ReturnType<typeof createDetails>;
  /** The work that a cancel of the batch ends. */
  scope: CancellationScope;
  /** What people asked for: to stop after the window that is being written, or at once. */
  interruption?: 'pause' | 'cancel';
}

/** Pages that are written at the same time, and then committed together. */
const WINDOW = 50;
const LONGEST_HISTORY = 2_000;

/** Decides where the page of each row goes. */
export const planRows = ({ batch, task }: BatchRun) =>
  atHome(batch, gitSteps.planRows, `Plan the pages of ${siteOf(batch)}`, { task });

/**
 * Writes the rows in windows, and commits each window while the next one is written. If a row of
 * the canary fails only in the last commit, another takes its place.
 * @returns `historyFull` if rows are left for a run with a new history
 */
export async function writeRows(
  run: BatchRun,
  plan: BatchPlan,
): Promise<'historyFull' | 'written' | 'interrupted'> {
  const { batch, task } = run;
  let committing = settle(commitRows(run, plan));
  let isLastWindow = false;
  while (run.interruption === undefined && !isHistoryFull(batch)) {
    const title = `Find the next rows of ${siteOf(batch)}`;
    const rows = await atHome(batch, gitSteps.nextRows, title, { task, limit: WINDOW });
    await Promise.all(rows.map((row) => writeRow(run, plan, row)));
    await unsettled(committing);
    if (rows.length === 0 && (isLastWindow || !plan.isCanary)) return 'written';
    isLastWindow = rows.length === 0;
    committing = settle(commitRows(run, plan));
  }
  await unsettled(committing);
  return run.interruption === undefined ? 'historyFull' : 'interrupted';
}

function isHistoryFull({ longestHistory = LONGEST_HISTORY }: BatchInput): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength >= longestHistory || continueAsNewSuggested;
}

/** Waits for work that was settled so that it could fail unwatched. @throws its error */
async function unsettled(work: ReturnType<typeof settle>): Promise<void> {
  const result = await work;
  if (!result.ok) throw result.error;
}

async function commitRows({ batch, task, details }: BatchRun, { templates }: BatchPlan) {
  const title = `Commit written pages to ${siteOf(batch)}`;
  let isLeft: boolean;
  do {
    const done = await atHome(batch, gitSteps.commitRows, title, { task, templates });
    details.set('rows', `${done.total} committed`);
    ({ isLeft } = done);
  } while (isLeft);
}

/** Writes the page of a row. If a model's page is rejected, a second step mends it, once. */
async function writeRow(
  run: BatchRun,
  { templates, base, onWarnings }: BatchPlan,
  row: NextRow,
): Promise<void> {
  const { batch, task } = run;
  const { number, slug, templatePageSlug } = row;
  const { model } = batch;
  const template = templates[templatePageSlug]!;
  const argument = { task, base, template, number, onWarnings, ...defined({ model }) };
  const step = (title: string, more: object = {}) =>
    byAgent(batch, agentOf(batch).writeRow, `${title} ${slug}, row ${number}`, {
      ...argument,
      ...more,
    });
  const write = async () => {
    const { rejected } = await step('Write');
    if (rejected) await step('Mend', { rejected });
  };
  const written = await settle(write());
  if (written.ok) return;
  if (CancellationScope.current().consideredCancelled) throw written.error;
  const rows = [{ number, error: messageOf(written.error) }];
  await atHome(batch, gitSteps.failRows, `Store why row ${number} failed`, { task, rows });
}
