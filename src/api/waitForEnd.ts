import { type ApiContext, identityOf } from './context.ts';
import { questionOf } from '../contract/task.ts';
import { endOf } from './longAnswers.ts';
import type { Needs } from './parts.ts';

/**
 * Waits for the end of a task, or for its question, as long as the client prefers. A task without a
 * callback is over at its end; one with a callback is watched until then.
 * @param wanted.ms milliseconds at most
 * @returns false if the client has as many waiting requests as it may: then it did not wait
 */
export async function waitForEnd(
  ctx: ApiContext,
  { watchers, tasks, waits }: Needs<'watchers' | 'tasks' | 'waits'>,
  { taskId, ms }: { taskId: string; ms: number },
): Promise<boolean> {
  if (waits.isFull(ctx)) return false;
  const ending = endOf(ms, waits.begin(ctx), watchers.closing);
  const watched = await watchers.join(identityOf(ctx).organizationId, taskId, ending.signal);
  const isGoingOn = () => {
    const { view } = watched.latest();
    return view.status === 'running' && !questionOf(view);
  };
  if (!isGoingOn()) return true;
  tasks.closed(taskId, ending.signal).then(
    () => ending.abort(),
    () => undefined, // the watch goes on
  );
  while (isGoingOn() && (await watched.next(ending.signal)));
  return true;
}
