import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { rethrowKnownErrorTypes } from '@temporalio/client/lib/helpers.js';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { BATCH_WORKFLOW } from '../../contract/batch.ts';
import { CLEAN_UP_WORKFLOW, REDELIVER_WORKFLOW, TASK_WORKFLOW } from '../../contract/task.ts';
import { channelArgs, connectionOptions, type TemporalEndpoint } from '../connection.ts';
import { AdminConnection, type Run } from './adminConnection.ts';
import { atOnce, VISIBLE_WITHIN_MS } from './describeListed.ts';
import { quote } from './visibilityQueries.ts';

interface Options {
  endpoint: TemporalEndpoint;
  namespace: string;
  /** Also checks all workflows that began since then, whatever their listed status. */
  since?: Date | undefined;
  signal?: AbortSignal;
  /** Milliseconds that visibility may lag behind starts and ends. */
  visibleWithin?: number;
}

/** What was done about wrong entries in visibility. All lists contain workflow ids. */
export interface Reconciled {
  /** How many workflows were described. */
  described: number;
  /** Workflows that Temporal does not know. Their entries were removed. */
  removed: string[];
  /** Ended workflows that were listed as running. They are now listed as ended. */
  ended: string[];
  /** Entries that did not change: the server refused, or failed, to describe or change them. */
  left: string[];
}

/** Entries in one answer. Each may have a memo of 2 MiB. */
const PAGE_SIZE = 100;
const CALLS_WITHIN_MS = 30_000;
/** temporal.api.enums.v1.WorkflowExecutionStatus */
const RUNNING = 1;
/** google.rpc.Code */
const NOT_FOUND = 5;

/**
 * Describes workflows that visibility lists as running for over a minute, and repairs wrong
 * entries. A restore leaves such entries if Temporal's two databases were dumped at different
 * times. Repeatable.
 * @throws the server's error
 */
export async function reconcile({
  endpoint,
  namespace,
  since,
  signal,
  ...options
}: Options): Promise<Reconciled> {
  const connection = new AdminConnection({ ...connectionOptions(endpoint), channelArgs });
  const before = Date.now() - (options.visibleWithin ?? VISIBLE_WITHIN_MS);
  const inTime = <T>(call: () => Promise<T>) =>
    connection.withDeadline(Date.now() + CALLS_WITHIN_MS, call);
  const done: Reconciled = { described: 0, removed: [], ended: [], left: [] };
  try {
    const { namespaceInfo } = await inTime(() =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    const mend = createMend(connection, { namespace, namespaceId: namespaceInfo!.id!, before });
    for await (const page of pagesOf(connection, namespace, queryOf(before, since))) {
      signal?.throwIfAborted();
      const became = await inTime(() => atOnce(page, mend));
      done.described += page.length;
      page.forEach(({ workflowId }, at) => became[at] && done[became[at]].push(workflowId));
    }
    return done;
  } finally {
    await connection.close();
  }
}

function queryOf(before: number, since: Date | undefined): string {
  const ours = [TASK_WORKFLOW, BATCH_WORKFLOW, REDELIVER_WORKFLOW, CLEAN_UP_WORKFLOW]
    .map(quote)
    .join(', ');
  const running = `(ExecutionStatus = 'Running' AND StartTime < ${quote(new Date(before).toISOString())})`;
  const asked = since ? `(${running} OR StartTime >= ${quote(since.toISOString())})` : running;
  return `WorkflowType IN (${ours}) AND ${asked}`;
}

interface Place {
  namespace: string;
  namespaceId: string;
  /** Milliseconds since 1970. */
  before: number;
}

interface Entry extends Run {
  isRunning: boolean;
  startedMs: number;
}

async function* pagesOf(
  { workflowService }: Connection,
  namespace: string,
  query: string,
): AsyncGenerator<Entry[]> {
  let nextPageToken: Uint8Array = Buffer.alloc(0);
  do {
    const request = { namespace, query, pageSize: PAGE_SIZE, nextPageToken };
    const page = await workflowService.listWorkflowExecutions(request);
    yield page.executions.map(({ execution, status, startTime }) => ({
      workflowId: execution!.workflowId!,
      runId: execution!.runId!,
      isRunning: Number(status) === RUNNING,
      startedMs: optionalTsToMs(startTime) ?? 0,
    }));
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
}

/**
 * Makes a function that repairs a wrong entry.
 * @param place.before events before this time must be visible by now
 */
function createMend(connection: AdminConnection, { namespace, namespaceId, before }: Place) {
  return async ({
    isRunning,
    startedMs,
    ...run
  }: Entry): Promise<'removed' | 'ended' | 'left' | undefined> => {
    try {
      const found = await describe(connection, namespace, run);
      if (found === null) {
        if (startedMs >= before) return undefined;
        await connection.deleteRun(namespace, run);
        return 'removed';
      }
      const endedMs = optionalTsToMs(found.closeTime) ?? Infinity;
      if (!isRunning || endedMs >= before) return undefined;
      await connection.refreshRun(namespaceId, run);
      return 'ended';
    } catch (error) {
      // other entries may still be repaired
      if (isGrpcServiceError(error)) return 'left';
      throw error;
    }
  };
}

/**
 * Describes a run. @returns null if Temporal does not know the run. @throws NamespaceNotFoundError,
 * which has the same code
 */
async function describe({ workflowService }: Connection, namespace: string, execution: Run) {
  try {
    return (await workflowService.describeWorkflowExecution({ namespace, execution }))
      .workflowExecutionInfo!;
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    rethrowKnownErrorTypes(error);
    if (Number(error.code) === NOT_FOUND) return null;
    throw error;
  }
}
