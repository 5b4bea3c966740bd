import { ApplicationFailure, CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { CallbackDelivery } from '../src/contract/callback.ts';
import type { TaskOutcome, TaskInput } from '../src/contract/task.ts';
import { deliverCallback } from './deliverCallback.ts';

export interface RedeliveryInput {
  task: TaskInput;
  callbackUrl: string;
  finished: TaskOutcome;
}

/**
 * Delivers a finished task's callback once more: the same body under the same webhook-id. A cancel
 * does not stop it, as it does not stop the task's own delivery.
 * @throws ApplicationFailure `CallbackFailed` after the last attempt, so that operators find it by
 *   its status
 */
export async function redeliverWorkflow({
  task,
  callbackUrl,
  finished,
}: RedeliveryInput): Promise<CallbackDelivery> {
  const delivery = await CancellationScope.nonCancellable(() =>
    deliverCallback(task, { url: callbackUrl, finished }, setCurrentDetails),
  );
  if (delivery.state === 'failed')
    throw ApplicationFailure.nonRetryable(
      delivery.attempts.at(-1)?.error ?? 'The callback was not delivered',
      'CallbackFailed',
    );
  return delivery;
}
