import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { optionalTsToDate } from '../sdkInternals.ts';
import { type CallbackDelivery, ended, type KeptAttempts } from '../../contract/callback.ts';
import { defined } from '../../contract/defined.ts';
import { payloadReader } from './payloadReader.ts';

type Described = Pick<WorkflowExecutionDescription, 'workflowId' | 'memo' | 'status' | 'raw'>;

/** temporal.api.enums.v1.PendingActivityState: waits for a worker or for its next attempt. */
const SCHEDULED = 1;

/**
 * The state of a callback's delivery, from its workflow. If the workflow closed before the delivery
 * ended, the delivery has failed.
 */
export async function deliveryOf(client: Client, described: Described): Promise<CallbackDelivery> {
  const { memo, status } = described;
  const kept = memo?.['callback'] as CallbackDelivery | undefined;
  if (kept && kept.state !== 'pending') return kept;
  const attempts = kept?.attempts ?? [];
  if (status.name !== 'RUNNING') return { state: 'failed', attempts };
  const { attempts: more = [], ...next } = await sendingIn(client, described);
  return { state: 'pending', attempts: [...attempts, ...more], ...next };
}

/** The attempts that the running activity reports. */
async function sendingIn(
  client: Client,
  { workflowId, raw }: Described,
): Promise<Partial<CallbackDelivery>> {
  const sending = raw.pendingActivities?.find(
    ({ activityType }) => activityType?.name === 'sendCallback',
  );
  if (!sending) return {};
  const { ofActivity } = payloadReader(client, workflowId);
  const kept = await ofActivity<KeptAttempts>(sending.activityId ?? '', sending.heartbeatDetails);
  const attempts = kept?.attempts ?? [];
  if (Number(sending.state) !== SCHEDULED) return { attempts };
  const due = optionalTsToDate(sending.nextAttemptScheduleTime);
  return defined({ attempts: ended(attempts), nextAttemptAt: due?.toISOString() });
}
