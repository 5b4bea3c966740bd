import { REDELIVER_WORKFLOW } from '../../contract/task.ts';
import { listPage } from './describeListed.ts';
import type { Calls } from './calls.ts';
import { quote } from './visibilityQueries.ts';
import { callbackStateIn } from './taskRecord.ts';
import type { CallbackState } from './tasks.ts';

/** Most redeliveries that are read: running ones, then the latest. Older ones are ignored. */
const MOST = 2_000;
const AT_ONCE = 1_000;

/** The workflow id of the n-th redelivery of a task's callback, counted from 1. */
export const redeliveryId = (taskId: string, n: number) => `${taskId}-callback-${n}`;

/**
 * The state of the latest redelivery of each task's callback, by task, from Temporal's visibility.
 * Tasks without redeliveries are missing.
 * @throws the client's error
 */
export async function latestRedeliveries(
  calls: Calls,
  organizationId: string,
): Promise<Map<string, CallbackState>> {
  const query = `WorkflowType = ${quote(REDELIVER_WORKFLOW)} AND OrganizationId = ${quote(organizationId)}`;
  const latest = new Map<string, { n: number; state: CallbackState }>();
  let nextPageToken: Uint8Array = Buffer.alloc(0);
  for (let seen = 0; seen < MOST; seen += AT_ONCE) {
    const page = await listPage(calls, { query, pageSize: AT_ONCE, nextPageToken });
    for (const info of page.found) {
      if (info === null) continue;
      const [taskId = '', n] = info.workflowId.split('-callback-', 2);
      const state = callbackStateIn(info);
      if (state && Number(n) > (latest.get(taskId)?.n ?? 0))
        latest.set(taskId, { n: Number(n), state });
    }
    ({ nextPageToken } = page);
    if (!nextPageToken?.length) break;
  }
  return new Map([...latest].map(([taskId, { state }]) => [taskId, state]));
}
