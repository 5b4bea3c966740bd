import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { executionInfoFromRaw } from '../sdkInternals.ts';
import type { Calls } from './calls.ts';

/** Milliseconds that Temporal's visibility may lag behind starts and ends of workflows. */
export const VISIBLE_WITHIN_MS = 60_000;
const AT_ONCE = 20;

const LIST_WITHIN_MS = 4_000;

type Listed = Omit<WorkflowExecutionInfo, 'raw'>;

/**
 * Reads a page of a list from Temporal's visibility.
 * @returns the workflows as `describeListed` does, and the token of the next page, empty after the
 *   last one
 * @throws the client's error
 */
export async function listPage(
  calls: Calls,
  page: { query: string; pageSize: number; nextPageToken: Uint8Array },
) {
  const { workflowService, options } = calls.client;
  const { namespace, loadedDataConverter } = options;
  const { executions, nextPageToken } = await calls.within(LIST_WITHIN_MS, () =>
    workflowService.listWorkflowExecutions({ namespace, ...page }),
  );
  const infos = executions.map((raw) =>
    executionInfoFromRaw(raw, loadedDataConverter, raw, namespace),
  );
  const listed = await Promise.all(infos);
  const found = await calls.within(LIST_WITHIN_MS, () => describeListed(calls.client, listed));
  return { found, nextPageToken };
}

/**
 * Checks workflows that are listed as running for over a minute by `describe`. After a restore of
 * Temporal's databases, visibility may list ended workflows, or workflows that the other database
 * never had.
 * @returns the workflows in the same order; null for one that Temporal does not know
 * @throws the client's error
 */
export async function describeListed(client: Client, listed: Listed[]): Promise<(Listed | null)[]> {
  const before = Date.now() - VISIBLE_WITHIN_MS;
  const isDoubtful = ({ status, startTime }: Listed) =>
    status.name === 'RUNNING' && startTime.getTime() < before;
  return atOnce(listed, async (one) =>
    isDoubtful(one) ? describeRun(client, one.workflowId, one.runId) : one,
  );
}

/** Describes a run. @param runId by default the latest @returns null if there is no such run */
export async function describeRun(
  client: Client,
  workflowId: string,
  runId?: string,
): Promise<WorkflowExecutionDescription | null> {
  try {
    return await client.workflow.getHandle(workflowId, runId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Calls a function for each value, some at the same time. @returns the results, in order */
export async function atOnce<T, R>(values: T[], call: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = values.entries();
  const work = async () => {
    for (const [at, value] of queue) results[at] = await call(value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
