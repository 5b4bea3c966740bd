import { type ApiContext, identityOf } from './context.ts';
import { endOf } from './longAnswers.ts';
import type { Needs } from './parts.ts';

/**
 * Waits for the end of a task as long as the client prefers. A task without a callback is over at
 * its end; one with a callback is watched until then.
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
  const isRunning = () => watched.latest().view.status === 'running';
  if (!isRunning()) return true;
  tasks.closed(taskId, ending.signal).then(
    () => ending.abort(),
    () => undefined, // the watch goes on
  );
  while (isRunning() && (await watched.next(ending.signal)));
  return true;
}
