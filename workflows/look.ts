import { CancellationScope, isCancellation, setHandler } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { TaskInput } from '../src/contract/task.ts';
import type { Look, Looked, Merge } from '../src/contract/deployment.ts';
import { lookSteps, refOf, siteOf, summary } from './activities.ts';
import { newsSignal } from './messages.ts';
import { MERGE_WAIT_MS } from './policies.ts';
import type { Progress } from './progress.ts';

/** The task, or the batch, that waits. */
type Waiting = Parameters<typeof refOf>[0] & Pick<TaskInput, 'siteName'>;
/** Tells what is waited for. */
type Telling = Pick<Progress, 'waitsFor'>;

/** Waits until the pages of a deployment are online at a host that builds. */
export function waitForPages(task: Waiting, look: Look, progress: Telling): Promise<Looked> {
  const title = summary(`Look for ${look.what}, of ${siteOf(task)}`);
  return waitFor(look, progress, (since) =>
    lookSteps.look.executeWithOptions(title, [{ task: refOf(task), look, since }]),
  );
}

/**
 * Waits until a pull request is merged.
 * @returns the commit of the production branch
 */
export function waitForMerge(task: Waiting, merge: Merge, progress: Telling): Promise<string> {
  const what = merge.byPeople
    ? 'somebody on the team to merge the pull request'
    : 'the merge of the pull request';
  const title = summary(`Wait for ${what}, of ${siteOf(task)}`);
  return waitFor({ what, url: merge.url }, progress, (since) => {
    const until = merge.byPeople
      ? new Date(Date.parse(since) + MERGE_WAIT_MS).toISOString()
      : undefined;
    const argument = { task: refOf(task), merge, since, ...defined({ until }) };
    return lookSteps.mergePullRequest.executeWithOptions(title, [argument]);
  });
}

/** One activity tries again and again. News from the forge make it try at once. */
async function waitFor<T>(
  { what, url }: { what: string; url: string },
  progress: Telling,
  tryOnce: (since: string) => Promise<T>,
): Promise<T> {
  const since = new Date().toISOString();
  let isNews = false;
  let current: CancellationScope | undefined;
  setHandler(newsSignal, () => {
    isNews = true;
    current?.cancel();
  });
  progress.waitsFor({ what, url, since });
  try {
    for (;;) {
      isNews = false;
      current = new CancellationScope();
      try {
        return await current.run(() => tryOnce(since));
      } catch (error) {
        if (!isNews || !isCancellation(error) || CancellationScope.current().consideredCancelled)
          throw error;
      }
    }
  } finally {
    setHandler(newsSignal, undefined);
    progress.waitsFor();
  }
}
