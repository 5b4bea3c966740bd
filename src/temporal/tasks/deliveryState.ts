import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { optionalTsToDate } from '../sdkInternals.ts';
import {
  type CallbackDelivery,
  closeInterruptedAttempts,
  type RecordedAttempts,
} from '../../contract/callback.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { createPayloadReader } from './payloadReader.ts';

type DescribedDelivery = Pick<
  WorkflowExecutionDescription,
  'workflowId' | 'memo' | 'status' | 'raw'
>;

/** temporal.api.enums.v1.PendingActivityState: waits for a worker or for its next attempt. */
const SCHEDULED = 1;

/**
 * The state of a callback's delivery, from its workflow. If the workflow closed before the delivery
 * ended, the delivery has failed.
 */
export async function readDelivery(
  client: Client,
  description: DescribedDelivery,
): Promise<CallbackDelivery> {
  const { memo, status } = description;
  const storedDelivery = memo?.['callback'] as CallbackDelivery | undefined;
  if (storedDelivery && storedDelivery.state !== 'pending') return storedDelivery;
  const attempts = storedDelivery?.attempts ?? [];
  if (status.name !== 'RUNNING') return { state: 'failed', attempts };
  const { attempts: laterAttempts = [], ...nextState } = await readSendingState(
    client,
    description,
  );
  return { state: 'pending', attempts: [...attempts, ...laterAttempts], ...nextState };
}

/** The attempts that the running activity reports. */
async function readSendingState(
  client: Client,
  { workflowId, raw }: DescribedDelivery,
): Promise<Partial<CallbackDelivery>> {
  const sendActivity = raw.pendingActivities?.find(
    ({ activityType }) => activityType?.name === 'sendCallback',
  );
  if (!sendActivity) return {};
  const { ofActivity } = createPayloadReader(client, workflowId);
  const keptAttempts = await ofActivity<RecordedAttempts>(
    sendActivity.activityId ?? '',
    sendActivity.heartbeatDetails,
  );
  const attempts = keptAttempts?.attempts ?? [];
  if (Number(sendActivity.state) !== SCHEDULED) return { attempts };
  const nextAttempt = optionalTsToDate(sendActivity.nextAttemptScheduleTime);
  return withoutUndefined({
    attempts: closeInterruptedAttempts(attempts),
    nextAttemptAt: nextAttempt?.toISOString(),
  });
}
