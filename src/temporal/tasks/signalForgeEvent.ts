import { WorkflowNotFoundError } from '@temporalio/client';
import { FORGE_EVENT_SIGNAL } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { TemporalCalls } from './temporalCalls.ts';
import { mapConcurrently } from '../../mapConcurrently.ts';

const WITHIN_MS = 4_000;

/** Signals an event of the forge to tasks. Skips tasks that have ended. Throws UNAVAILABLE. */
export async function signalForgeEvent(calls: TemporalCalls, taskIds: string[]): Promise<void> {
  const signalTask = async (taskId: string) => {
    const sendSignal = () => calls.client.workflow.getHandle(taskId).signal(FORGE_EVENT_SIGNAL);
    await calls.within(WITHIN_MS, sendSignal).catch((cause: unknown) => {
      if (cause instanceof WorkflowNotFoundError) return;
      throw new DomainError('UNAVAILABLE', 'Temporal did not accept the signal', {
        retryable: true,
        reason: 'Temporal did not answer',
        cause,
      });
    });
  };
  await mapConcurrently(taskIds, signalTask);
}
