import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { mapConcurrently } from '../../mapConcurrently.ts';
import { executionInfoFromRaw } from '../sdkInternals.ts';
import type { TemporalCalls } from './temporalCalls.ts';

/** Milliseconds that Temporal's visibility may lag behind starts and ends of workflows. */
export const VISIBLE_WITHIN_MS = 60_000;

const LIST_WITHIN_MS = 4_000;

type ListedWorkflow = Omit<WorkflowExecutionInfo, 'raw'>;

/**
 * Reads a page of a list from Temporal's visibility.
 * @returns the workflows as `describeListed` does, and the token of the next page, empty after the
 *   last one
 * @throws the client's error
 */
export async function listPage(
  calls: TemporalCalls,
  page: { query: string; pageSize: number; nextPageToken: Uint8Array },
) {
  const { workflowService, options } = calls.client;
  const { namespace, loadedDataConverter } = options;
  const { executions, nextPageToken } = await calls.within(LIST_WITHIN_MS, () =>
    workflowService.listWorkflowExecutions({ namespace, ...page }),
  );
  const executionInfos = executions.map((rawExecution) =>
    executionInfoFromRaw(rawExecution, loadedDataConverter, rawExecution, namespace),
  );
  const listedWorkflows = await Promise.all(executionInfos);
  const describedWorkflows = await calls.within(LIST_WITHIN_MS, () =>
    describeListed(calls.client, listedWorkflows),
  );
  return { found: describedWorkflows, nextPageToken };
}

/**
 * Checks workflows that are listed as running for over a minute, by `describe`. After a restore of
 * Temporal's databases, visibility may list ended workflows, or workflows that the other database
 * never had.
 * @returns the workflows in the same order; null for one that Temporal does not know
 * @throws the client's error
 */
export async function describeListed(
  client: Client,
  listedWorkflows: ListedWorkflow[],
): Promise<(ListedWorkflow | null)[]> {
  const doubtfulBefore = Date.now() - VISIBLE_WITHIN_MS;
  const isDoubtful = ({ status, startTime }: ListedWorkflow) =>
    status.name === 'RUNNING' && startTime.getTime() < doubtfulBefore;
  return mapConcurrently(listedWorkflows, async (workflow) =>
    isDoubtful(workflow) ? describeRun(client, workflow.workflowId, workflow.runId) : workflow,
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
