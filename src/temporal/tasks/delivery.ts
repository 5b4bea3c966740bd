import type { WorkflowExecutionDescription } from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import { type CallbackDelivery, ended, type KeptAttempts } from '../../contract/callback.ts';
import { defined } from '../../contract/defined.ts';
import { first } from './payloads.ts';

type Described = Pick<WorkflowExecutionDescription, 'memo' | 'status' | 'raw'>;

/** temporal.api.enums.v1.PendingActivityState: waits for a worker, or for its next attempt. */
const SCHEDULED = 1;

/** The state of a callback's delivery, from its workflow. If that closed without an end, the delivery has failed. */
export function deliveryOf({ memo, status, raw }: Described): CallbackDelivery {
  const kept = memo?.['callback'] as CallbackDelivery | undefined;
  if (kept && kept.state !== 'pending') return kept;
  const attempts = kept?.attempts ?? [];
  if (status.name !== 'RUNNING') return { state: 'failed', attempts };
  const { attempts: more = [], ...next } = sendingIn(raw);
  return { state: 'pending', attempts: [...attempts, ...more], ...next };
}

/** The attempts that the running activity reports. */
function sendingIn({ pendingActivities }: Described['raw']): Partial<CallbackDelivery> {
  const sending = pendingActivities?.find(({ activityType }) => activityType?.name === 'sendCallback');
  if (!sending) return {};
  const attempts = first<KeptAttempts>(sending.heartbeatDetails)?.attempts ?? [];
  if (Number(sending.state) !== SCHEDULED) return { attempts };
  const due = optionalTsToDate(sending.nextAttemptScheduleTime);
  return defined({ attempts: ended(attempts), nextAttemptAt: due?.toISOString() });
}
