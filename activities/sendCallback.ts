import { callbackBody } from '../src/callbacks/body.ts';
import type { FinishedView } from '../src/contract/task.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';

interface SendCallback {
  task: TaskRef;
  callbackUrl: string;
  finished: FinishedView;
}

/** One delivery attempt. Repeating it sends the same bytes under the same webhook-id, by which a receiver knows it. Throws CALLBACK_FAILED. */
export function createSendCallback(deps: Pick<ActivityDeps, 'organizations' | 'callbacks'>) {
  return async ({ task, callbackUrl, finished }: SendCallback, signal: AbortSignal): Promise<{ status: number }> => {
    const secret = await deps.organizations.callbackSecret(task.organizationId);
    const body = callbackBody(task.taskId, finished);
    const status = await deps.callbacks.send(
      { url: callbackUrl, body, webhookId: task.taskId, timestamp: new Date(), secret },
      signal,
    );
    return { status };
  };
}
