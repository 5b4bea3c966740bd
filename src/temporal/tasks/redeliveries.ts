import type { Client } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';
import { REDELIVER_WORKFLOW } from '../../contract/task.ts';
import { asTheyAre } from './describeListed.ts';
import type { Calls } from './calls.ts';
import { quote } from './visibilityQueries.ts';
import { callbackStateIn } from './taskRecord.ts';
import type { CallbackState } from './tasks.ts';

const WITHIN_MS = 4_000;
/** Those that run, then the latest: what is older counts as it was at the task's end. */
const MOST = 2_000;
const AT_ONCE = 1_000;

/** The n-th redelivery of a task's callback, counted from 1, is a separate workflow. */
export const redeliveryId = (taskId: string, n: number) => `${taskId}-callback-${n}`;

/**
 * Of each task whose callback was delivered again, the state of the latest redelivery. As
 * Temporal's visibility has them, of which a task's own state is a part that does not change any
 * more.
 * @throws the client's error
 */
export async function latestRedeliveries(
  client: Client,
  calls: Calls,
  organizationId: string,
): Promise<Map<string, CallbackState>> {
  const { namespace, loadedDataConverter } = client.options;
  const query = `WorkflowType = ${quote(REDELIVER_WORKFLOW)} AND OrganizationId = ${quote(organizationId)}`;
  const latest = new Map<string, { n: number; state: CallbackState }>();
  let nextPageToken: Uint8Array = Buffer.alloc(0);
  for (let seen = 0; seen < MOST; seen += AT_ONCE) {
    const page = await calls.within(WITHIN_MS, () =>
      client.workflowService.listWorkflowExecutions({
        namespace,
        query,
        pageSize: AT_ONCE,
        nextPageToken,
      }),
    );
    const infos = page.executions.map((raw) =>
      executionInfoFromRaw(raw, loadedDataConverter, raw, namespace),
    );
    const listed = await Promise.all(infos);
    for (const info of await calls.within(WITHIN_MS, () => asTheyAre(client, listed))) {
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
