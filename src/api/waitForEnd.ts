import { type ApiContext, callerIdentity } from './context.ts';
import { currentQuestion } from '../contract/task.ts';
import { abortAfter } from './longLivedResponses.ts';
import type { SomeApiDeps } from './apiDeps.ts';

/**
 * Waits for the end of a task, or for its question, as long as the client prefers. A task without a
 * callback is over at its end; one with a callback is watched until then.
 * @param wanted.ms milliseconds at most
 * @returns false if the client has as many waiting requests as it may: then it did not wait
 */
export async function waitForEnd(
  ctx: ApiContext,
  { watchers, tasks, waits }: SomeApiDeps<'watchers' | 'tasks' | 'waits'>,
  { taskId, ms: milliseconds }: { taskId: string; ms: number },
): Promise<boolean> {
  if (waits.isFull(ctx)) return false;
  const ending = abortAfter(milliseconds, waits.begin(ctx), watchers.closing);
  const watched = await watchers.join(callerIdentity(ctx).organizationId, taskId, ending.signal);
  const isStillRunning = () => {
    const { view } = watched.latest();
    return view.status === 'running' && !currentQuestion(view);
  };
  if (!isStillRunning()) return true;
  tasks.closed(taskId, ending.signal).then(
    () => ending.abort(),
    () => undefined, // the watch goes on
  );
  while (isStillRunning() && (await watched.next(ending.signal)));
  return true;
}
