import { CancellationScope, isCancellation, setHandler } from '@temporalio/workflow';
import type { TaskInput } from '../src/contract/task.ts';
import type { Look, Looked } from '../src/hosting/host.ts';
import { looking, refOf, siteOf, summary } from './activities.ts';
import { newsSignal } from './messages.ts';
import type { Progress } from './progress.ts';

/**
 * Waits until the pages of a deployment are online at a host that builds. One activity looks again
 * and again; news from the forge makes it look at once.
 */
export async function waitForPages(
  task: TaskInput,
  look: Look,
  progress: Progress,
): Promise<Looked> {
  const since = new Date().toISOString();
  let isNews = false;
  let current: CancellationScope | undefined;
  setHandler(newsSignal, () => {
    isNews = true;
    current?.cancel();
  });
  progress.waitsFor({ what: look.what, url: look.url, since });
  const title = summary(`Look for ${look.what}, of ${siteOf(task)}`);
  const argument = { task: refOf(task), look, since };
  const lookOnce = () => looking.look.executeWithOptions(title, [argument]);
  try {
    for (;;) {
      isNews = false;
      current = new CancellationScope();
      try {
        return await current.run(lookOnce);
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
