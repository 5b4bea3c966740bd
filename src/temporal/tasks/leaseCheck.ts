import type { Client } from '@temporalio/client';
import { startRounds } from '../../backgroundRounds.ts';
import type { TaskLeases } from '../../storage/taskLeases.ts';
import { createTemporalCalls } from './temporalCalls.ts';
import { describeWorkflow, taskRecordOf } from './taskRecord.ts';

const EVERY_MS = 10_000;
/** Together with the time between rounds, an orphaned permit stays for at most a minute. */
const OLDER_THAN_MS = 50_000;
const AT_ONCE = 20;

interface LeaseCheckOptions {
  leases: Pick<TaskLeases, 'claimUnchecked' | 'releaseEnded' | 'release'>;
  /** Called with the id of a task or batch that does not run, before its permit is released. */
  onGone?: (taskId: string) => Promise<void>;
  /** Called with the error of a failed round; the next one tries again. */
  onFailure: (error: unknown) => void;
  /** Milliseconds between two rounds. */
  every?: number;
  /** Milliseconds after which a permit is checked. */
  olderThan?: number;
}

/**
 * Releases the permits of tasks that do not run any more, or that wait for people, in the
 * background. (A lease is a permit as the database stores it.) Such a permit is left if the
 * creation of a task failed, an operator ended the task, or its worker died before it reported the
 * end. Describes each task by its id, without a list.
 */
export function startLeaseCheck(client: Client, options: LeaseCheckOptions) {
  const {
    leases,
    onGone,
    onFailure,
    every: everyMs = EVERY_MS,
    olderThan = OLDER_THAN_MS,
  } = options;
  const calls = createTemporalCalls(client);

  async function checkLease(taskId: string): Promise<void> {
    const description = await describeWorkflow(calls, taskId);
    const task = description && taskRecordOf(taskId, description);
    const isRunning = task !== null && task.finished === undefined;
    if (isRunning && !task.releasedPermit) return;
    if (isRunning) return leases.release(taskId);
    await onGone?.(taskId);
    await leases.releaseEnded(taskId);
  }

  async function checkRound(signal: AbortSignal): Promise<void> {
    for (;;) {
      const taskIds = signal.aborted ? [] : await leases.claimUnchecked(olderThan, AT_ONCE);
      await Promise.all(taskIds.map(checkLease));
      if (taskIds.length < AT_ONCE) return;
    }
  }

  return startRounds({ every: everyMs, round: checkRound, onFailure });
}
