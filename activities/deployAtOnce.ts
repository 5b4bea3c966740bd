import { setTimeout } from 'node:timers/promises';
import type { ActivityDeps, TaskRef } from './deps.ts';

/** Milliseconds. A deployment takes a few, behind other work at its site some seconds. */
const MOST_MS = 30_000;

/**
 * The deployment of a commit by the step that made it: a step of its own costs Temporal more than the deployment takes.
 * Where that fails or hangs there is no answer. Then the workflow deploys by a step of its own, with that one's retries
 * and its error. A deployment that goes on meanwhile does no harm: it may be repeated.
 */
export async function deployAtOnce<T>(
  deploying: Promise<T>,
  { task, log, signal, mostMs = MOST_MS }: Pick<ActivityDeps, 'log'> & { task: TaskRef; signal: AbortSignal; mostMs?: number }, // prettier-ignore
): Promise<T | undefined> {
  const end = new AbortController();
  const late = setTimeout(mostMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([deploying, late]);
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ taskId: task.taskId, err: error }, 'a step of its own deploys what could not be deployed at once');
    return undefined;
  } finally {
    end.abort();
  }
}
