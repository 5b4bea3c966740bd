import { CancellationScope } from '@temporalio/workflow';
import type { BatchPlan } from '../activities/batches/planRows.ts';
import { defined } from '../src/contract/defined.ts';
import type { AwaitedPage, Look } from '../src/contract/deployment.ts';
import { deploymentSteps, gitSteps, siteOf } from './activities.ts';
import { atHome } from './atHome.ts';
import type { BatchRun } from './batchRows.ts';
import { codeOf } from './failureKinds.ts';
import { settle } from './failures.ts';
import { waitForMerge, waitForPages } from './look.ts';

/** Attempts to publish before others change one of the pages. */
const PUBLISH_ATTEMPTS = 3;

/**
 * Shows the written pages in a preview, and publishes them. If others change one of the pages in
 * the meantime, it does both again without that one.
 * @returns `interrupted` if somebody paused or cancelled the batch before it was published
 */
export async function showAndPublish(
  run: BatchRun,
  plan: BatchPlan,
): Promise<'finished' | 'interrupted'> {
  for (let attempt = 1; ; attempt++) {
    const isInterrupted = run.interruption !== undefined;
    const { preview, mayPublish } = await showRows(run, plan, plan.publish && !isInterrupted);
    if (!preview || !mayPublish) {
      // a signal may still be on its way when the database already knows of the interruption
      const isHeldBack = isInterrupted || (preview !== undefined && plan.publish);
      return isHeldBack ? 'interrupted' : 'finished';
    }
    const published = await settle(publishRows(run, plan, preview));
    if (published.ok) return 'finished';
    if (attempt === PUBLISH_ATTEMPTS || codeOf(published.error) !== 'PAGE_CHANGED')
      throw published.error;
  }
}

/** The commit that a preview shows. */
interface ShownCommit {
  commit: string;
  /** The pages that the preview's build had to show. */
  awaited: AwaitedPage[] | undefined;
}

/** Deploys the preview. `preview` is absent if no page was committed. */
async function showRows(
  run: BatchRun,
  { templates }: BatchPlan,
  publish: boolean,
): Promise<{ preview?: ShownCommit; mayPublish: boolean }> {
  const { batch, task, details } = run;
  const title = `Show the pages of ${siteOf(batch)}`;
  const shown = await atHome(batch, deploymentSteps.showRows, title, { task, templates, publish });
  const { commit, look } = shown;
  const mayPublish = look
    ? await confirmRows(run, look, publish && commit !== undefined)
    : (shown.mayPublish ?? false);
  details.set('preview', 'shown');
  if (commit === undefined) return { mayPublish };
  return { preview: { commit, awaited: look?.pages ?? shown.awaited }, mayPublish };
}

/**
 * Waits until some of the pages are online at a host that builds, and then looks at all of them.
 * @returns whether the batch may be published
 */
async function confirmRows(run: BatchRun, look: Look, publish: boolean): Promise<boolean> {
  const { batch, task } = run;
  const { unseen } = await waitForPages(batch, look, waitsIn(run));
  const title = `Look at the pages of ${siteOf(batch)}`;
  const argument = { task, look, isOnline: unseen === undefined, publish };
  return (await atHome(batch, deploymentSteps.confirmRows, title, argument)).mayPublish;
}

const waitsIn = ({ details }: BatchRun) => ({ waitsFor: details.waits });

/**
 * Merges the commit and deploys it. From here on nothing is cancelled. If people merge, the batch
 * ends at its open pull request, and goes live by the next publish after the merge.
 */
const publishRows = (run: BatchRun, { base }: BatchPlan, { commit, awaited }: ShownCommit) =>
  CancellationScope.nonCancellable(async () => {
    const { batch, task, details } = run;
    const site = siteOf(batch);
    const merge = `Merge into the production branch of ${site} and push`;
    const merged = await atHome(batch, gitSteps.publish, merge, { task, base, commit });
    const pull = merged.merge;
    if (pull?.byPeople && !pull.isMerged) {
      const waits = 'live when somebody on the team merges the pull request';
      details.set('publish', `${waits}: ${pull.url}`);
      return;
    }
    const head = pull ? await waitForMerge(batch, pull, waitsIn(run)) : merged.commit;
    const deploy = `Deploy ${head.slice(0, 10)} of ${site} to production`;
    const live = { task, commit: head, ...defined({ awaited }) };
    const { pages, look } = await atHome(batch, deploymentSteps.putRowsLive, deploy, live);
    if (look) await confirmRows(run, look, false);
    details.set('publish', `${pages} pages are live`);
  });
