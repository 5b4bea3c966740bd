import type { Client } from '@temporalio/client';
import { startRounds } from '../../rounds.ts';
import type { TaskLeases } from '../../storage/taskLeases.ts';
import { createCalls } from './calls.ts';
import { describeWorkflow, recordOf } from './taskRecord.ts';

const EVERY_MS = 10_000;
/** Together with the time between rounds: an orphaned lease stays a minute at most. */
const OLDER_THAN_MS = 50_000;
const AT_ONCE = 20;

interface Options {
  leases: Pick<TaskLeases, 'unchecked' | 'ended' | 'giveBack'>;
  /** Called with the id of a task, or of a batch, that does not run. Its place is released next. */
  onGone?: (taskId: string) => Promise<void>;
  /** Called with the error of a failed round; the next one tries again. */
  onFailure: (error: unknown) => void;
  /** Milliseconds between two rounds. */
  every?: number;
  /** Milliseconds after which a lease is checked. */
  olderThan?: number;
}

/**
 * Releases the places of tasks that do not run, or that wait for people: their creation failed, an
 * operator ended them, or their worker died before it reported the end. Describes each task by its
 * id, without a list.
 */
export function startLeaseCheck(client: Client, options: Options) {
  const { leases, onGone, onFailure, every = EVERY_MS, olderThan = OLDER_THAN_MS } = options;
  const calls = createCalls(client);

  async function look(taskId: string): Promise<void> {
    const description = await describeWorkflow(calls, taskId);
    const task = description && recordOf(taskId, description);
    const runs = task !== null && task.finished === undefined;
    if (runs && !task.leftPlace) return;
    if (runs) return leases.giveBack(taskId);
    await onGone?.(taskId);
    await leases.ended(taskId);
  }

  async function round(signal: AbortSignal): Promise<void> {
    for (;;) {
      const taskIds = signal.aborted ? [] : await leases.unchecked(olderThan, AT_ONCE);
      await Promise.all(taskIds.map(look));
      if (taskIds.length < AT_ONCE) return;
    }
  }

  return startRounds({ every, round, onFailure });
}
