import { CancellationScope } from '@temporalio/workflow';
import type { BatchPlan } from '../activities/batches/planBatch.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { ExpectedPage, DeploymentCheck } from '../src/contract/deployment.ts';
import { deploymentActivities, gitActivities, siteLabel } from './activityProxies.ts';
import { runOnPreferredWorker } from './preferredWorker.ts';
import type { BatchRun } from './batchRows.ts';
import { innermostCode } from './failureKinds.ts';
import { batchSubject, pullRequestEvent } from './eventNotifier.ts';
import { settle } from './failures.ts';
import { waitForMerge, waitForPages } from './waitForHost.ts';

/** Attempts to publish before others change one of the pages. */
const PUBLISH_ATTEMPTS = 3;

/**
 * Shows the written pages in a preview, and publishes them if the batch is to be published. If
 * others change one of the pages on the production branch meanwhile, repeats both without it.
 * @returns `interrupted` if somebody paused or cancelled the batch before it was published
 */
export async function showAndPublish(
  batchRun: BatchRun,
  batchPlan: BatchPlan,
): Promise<'finished' | 'interrupted'> {
  for (let attempt = 1; ; attempt++) {
    const isInterrupted = batchRun.interruption !== undefined;
    const { preview, mayPublish } = await deployPreview(
      batchRun,
      batchPlan,
      batchPlan.publish && !isInterrupted,
    );
    if (!preview || !mayPublish) {
      // a signal may still be on its way when the database already knows of the interruption
      const isHeldBack = isInterrupted || (preview !== undefined && batchPlan.publish);
      return isHeldBack ? 'interrupted' : 'finished';
    }
    const published = await settle(publishRows(batchRun, batchPlan, preview));
    if (published.ok) return 'finished';
    if (attempt === PUBLISH_ATTEMPTS || innermostCode(published.error) !== 'PAGE_CHANGED')
      throw published.error;
  }
}

/** The commit that a preview shows. */
interface ShownCommit {
  commit: string;
  /** The pages that an external host must show, with their new texts. */
  expectedPages: ExpectedPage[] | undefined;
}

/** Deploys the preview, and waits for its build. `preview` is absent if no page was committed. */
async function deployPreview(
  batchRun: BatchRun,
  { templates }: BatchPlan,
  publish: boolean,
): Promise<{ preview?: ShownCommit; mayPublish: boolean }> {
  const { batch, task, details } = batchRun;
  const title = `Deploy the preview of ${siteLabel(batch)}`;
  const shownRows = await runOnPreferredWorker(
    batch,
    deploymentActivities.deployBatchPreview,
    title,
    {
      task,
      templates,
      publish,
    },
  );
  const { commit, deploymentCheck } = shownRows;
  const mayPublish = deploymentCheck
    ? await verifyPages(batchRun, deploymentCheck, publish && commit !== undefined)
    : (shownRows.mayPublish ?? false);
  details.set('preview', 'shown');
  if (commit === undefined) return { mayPublish };
  return {
    preview: { commit, expectedPages: deploymentCheck?.pages ?? shownRows.expectedPages },
    mayPublish,
  };
}

/**
 * Waits until an external host shows some of the pages, and then checks all of them.
 * @returns whether the batch may be published
 */
async function verifyPages(
  batchRun: BatchRun,
  deploymentCheck: DeploymentCheck,
  publish: boolean,
): Promise<boolean> {
  const { batch, task } = batchRun;
  const { unverified } = await waitForPages(batch, deploymentCheck, waitReporter(batchRun));
  const title = `Verify the pages of ${siteLabel(batch)}`;
  const argument = { task, deploymentCheck, isOnline: unverified === undefined, publish };
  return (await runOnPreferredWorker(batch, deploymentActivities.verifyBatchPages, title, argument))
    .mayPublish;
}

const waitReporter = ({ details }: BatchRun) => ({ waitsFor: details.waits });

/**
 * Merges the commit into the production branch, and deploys it. A cancel has no effect. If people
 * merge the pull requests of the site, the run ends with the pull request open. After the merge,
 * the next publish of the batch makes it live.
 */
const publishRows = (
  batchRun: BatchRun,
  { base }: BatchPlan,
  { commit, expectedPages }: ShownCommit,
) =>
  CancellationScope.nonCancellable(async () => {
    const { batch, task, details, notifier } = batchRun;
    const site = siteLabel(batch);
    const mergeTitle = `Merge into the production branch of ${site}`;
    const merged = await runOnPreferredWorker(batch, gitActivities.publish, mergeTitle, {
      task,
      base,
      commit,
    });
    const pullRequest = merged.merge;
    if (pullRequest?.byPeople && !pullRequest.isMerged) {
      const waitsText = 'waiting for a person to merge the pull request';
      details.set('publish', `${waitsText}: ${pullRequest.url}`);
      await notifier.notify(
        pullRequestEvent({ ...batchSubject(batch), pullRequestUrl: pullRequest.url }),
      );
      return;
    }
    const mergedCommit = pullRequest
      ? await waitForMerge(batch, pullRequest, waitReporter(batchRun))
      : merged.commit;
    const deployTitle = `Deploy ${site} at ${mergedCommit.slice(0, 10)} to production`;
    const liveArgument = { task, commit: mergedCommit, ...withoutUndefined({ expectedPages }) };
    const { pages, firstPages, deploymentCheck } = await runOnPreferredWorker(
      batch,
      deploymentActivities.deployBatch,
      deployTitle,
      liveArgument,
    );
    if (deploymentCheck) await verifyPages(batchRun, deploymentCheck, false);
    details.set('publish', `${pages} pages are live`);
    await notifier.notify({
      type: 'page.published',
      eventId: `${batch.taskId}-published-${mergedCommit.slice(0, 12)}`,
      data: { ...batchSubject(batch), pages: firstPages, pageCount: pages },
    });
  });
