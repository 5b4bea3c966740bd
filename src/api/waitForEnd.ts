import { type ApiContext, callerIdentity } from './context.ts';
import { currentQuestion } from '../contract/task.ts';
import { abortAfter } from './longLivedResponses.ts';
import type { SomeApiDeps } from './apiDeps.ts';

/**
 * Waits until a task finishes or asks a question, for at most `ms` milliseconds. Temporal says at
 * once when the task's workflow has ended. A watch also reads the task every few seconds, because
 * the workflow continues after the task has finished if it has to send a callback.
 * @returns false without waiting, if the client has too many waiting requests already
 * @throws DomainError NOT_FOUND, UNAVAILABLE
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
    () => undefined, // the watch continues
  );
  while (isStillRunning() && (await watched.next(ending.signal)));
  return true;
}
