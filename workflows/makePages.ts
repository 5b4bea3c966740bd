import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { BatchInput } from '../src/contract/batch.ts';
import type { NextRow } from '../src/contract/batchStore.ts';
import type { AwaitedPage, Look } from '../src/contract/deployment.ts';
import type { FailureKind } from '../src/contract/task.ts';
import { defined } from '../src/contract/defined.ts';
import type { TaskRef } from '../activities/deps.ts';
import { agentOf, batches, deployment, git, siteOf } from './activities.ts';
import { atHome, byAgent } from './atHome.ts';
import type { createDetails } from './currentDetails.ts';
import { attempt, messageOf } from './failures.ts';
import { codeOf } from './failureKinds.ts';
import { waitForMerge, waitForPages } from './look.ts';

/** A run of a batch. */
export interface Run {
  batch: BatchInput;
  task: TaskRef;
  details: ReturnType<typeof createDetails>;
  work: CancellationScope;
  /** What somebody asked for: to stop after this window, at once, or before it begins. */
  stopped?: 'pause' | 'cancel' | 'tell';
  /** Why it came to nothing. */
  outcome?: FailureKind;
}

/** Pages that are written at the same time, and then committed together. */
const WINDOW = 50;
const LONGEST_HISTORY = 2_000;
/** Attempts to publish before others change one of the pages. */
const PUBLISHES = 3;

type Plan = Awaited<ReturnType<(typeof batches)['planRows']>>;

/**
 * `nothing`: the batch is not to be run. `longHistory`: some pages are still to be made, with a new
 * history. `stopped`: somebody paused or cancelled it before it was published.
 */
type Made = 'nothing' | 'longHistory' | 'stopped' | 'made';

/**
 * Makes the pages of the rows that are left, shows them, and publishes them if it is asked for.
 */
export async function makePages(run: Run): Promise<Made> {
  const { batch, task } = run;
  const site = siteOf(batch);
  const plan = await atHome(batch, batches.planRows, `Plan the pages of ${site}`, { task });
  if (plan.status !== 'running') return 'nothing';
  if ((await writeAll(run, plan)) === 'longHistory') return 'longHistory';
  return showAll(run, plan, PUBLISHES);
}

/**
 * Shows the pages, and publishes them. Where others change one of them meanwhile, it does so again
 * without that one.
 */
async function showAll(run: Run, plan: Plan, publishes: number): Promise<Made> {
  const { batch, task, details } = run;
  const site = siteOf(batch);
  const { templates } = plan;
  const show = `Show the pages of ${site}`;
  const isStopped = run.stopped !== undefined;
  const wanted = { task, templates, publish: plan.publish && !isStopped };
  const shown = await atHome(batch, deployment.showRows, show, wanted);
  const { commit, look } = shown;
  const mayPublish = look
    ? await confirm(run, look, wanted.publish && commit !== undefined)
    : shown.mayPublish;
  details.set('preview', 'shown');
  if (commit !== undefined && mayPublish) {
    const going = { commit, awaited: look?.pages ?? shown.awaited };
    const published = await attempt(publish(run, plan, going));
    if (published.ok) return 'made';
    if (publishes === 1 || codeOf(published.error) !== 'PAGE_CHANGED') throw published.error;
    return showAll(run, plan, publishes - 1);
  }
  // not even a signal may have told that it was stopped: the store knows it
  if (isStopped || (commit !== undefined && plan.publish)) return 'stopped';
  return 'made';
}

/**
 * Writes the rows in windows, and commits each while the next one is written. Where a row of the
 * canary fails only in the last commit, another takes its place.
 */
async function writeAll(run: Run, plan: Plan): Promise<'longHistory' | 'written'> {
  const { batch, task } = run;
  const { longestHistory = LONGEST_HISTORY } = batch;
  const commit = () => attempt(commitWritten(run, plan));
  let committing = commit();
  let isIdle = false;
  const committed = async () => {
    const done = await committing;
    if (!done.ok) throw done.error;
  };
  while (run.stopped === undefined && workflowInfo().historyLength < longestHistory) {
    const title = `Find the next rows of ${siteOf(batch)}`;
    const rows = await atHome(batch, batches.nextRows, title, { task, limit: WINDOW });
    await Promise.all(rows.map((row) => writeRow(run, plan, row)));
    await committed();
    if (rows.length === 0 && (isIdle || !plan.isCanary)) return 'written';
    isIdle = rows.length === 0;
    committing = commit();
  }
  await committed();
  return run.stopped === undefined ? 'longHistory' : 'written';
}

async function commitWritten({ batch, task, details }: Run, { templates }: Plan): Promise<void> {
  const title = `Commit written pages to ${siteOf(batch)}`;
  let isLeft: boolean;
  do {
    const done = await atHome(batch, git.commitRows, title, { task, templates });
    details.set('rows', `${done.total} committed`);
    ({ isLeft } = done);
  } while (isLeft);
}

/** Writes the page of a row. Where a model's page is rejected, a second step mends it, once. */
async function writeRow(
  run: Run,
  { templates, base, onWarnings }: Plan,
  row: NextRow,
): Promise<void> {
  const { batch, task } = run;
  const { number, slug, templatePageSlug } = row;
  const { model } = batch;
  const template = templates[templatePageSlug]!;
  const argument = { task, base, template, number, onWarnings };
  const step = (title: string, more: object = {}) =>
    byAgent(batch, agentOf(batch).writeRow, `${title} ${slug}, row ${number}`, {
      ...argument,
      ...defined({ model }),
      ...more,
    });
  const write = async () => {
    const { rejected } = await step('Write');
    if (rejected) await step('Mend', { rejected });
  };
  const written = await attempt(write());
  if (written.ok) return;
  if (CancellationScope.current().consideredCancelled) throw written.error;
  const rows = [{ number, error: messageOf(written.error) }];
  await atHome(batch, batches.failRows, `Note why row ${number} failed`, { task, rows });
}

/**
 * Waits until some of the pages are online at a host that builds, and then looks at all of them.
 * @returns whether the batch may be published
 */
async function confirm(run: Run, look: Look, publish: boolean): Promise<boolean> {
  const { batch, task } = run;
  const { unseen } = await waitForPages(batch, look, telling(run));
  const title = `Look at the pages of ${siteOf(batch)}`;
  const argument = { task, look, isOnline: unseen === undefined, publish };
  return (await atHome(batch, deployment.confirmRows, title, argument)).mayPublish;
}

const telling = ({ details }: Run) => ({ waitsFor: details.waits });

interface Going {
  commit: string;
  /** The pages that the preview's look was for. */
  awaited: AwaitedPage[] | undefined;
}

/**
 * From here on nothing is cancelled. Where people merge, the batch ends at its open pull request,
 * and goes live by the next publish after the merge.
 */
function publish(run: Run, { base }: Plan, { commit, awaited }: Going): Promise<void> {
  const { batch, task, details } = run;
  return CancellationScope.nonCancellable(async () => {
    const site = siteOf(batch);
    const merge = `Merge into the production branch of ${site} and push`;
    const merged = await atHome(batch, git.publish, merge, { task, base, commit });
    const pull = merged.merge;
    if (pull?.byPeople && !pull.isMerged)
      return details.set(
        'publish',
        `live when somebody on the team merges the pull request: ${pull.url}`,
      );
    const head = pull ? await waitForMerge(batch, pull, telling(run)) : merged.commit;
    const deploy = `Deploy ${head.slice(0, 10)} of ${site} to production`;
    const live = { task, commit: head, ...defined({ awaited }) };
    const { pages, look } = await atHome(batch, deployment.putRowsLive, deploy, live);
    if (look) await confirm(run, look, false);
    details.set('publish', `${pages} pages are live`);
  });
}
