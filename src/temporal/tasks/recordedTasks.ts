import { Client, type ConnectionLike } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { RecordedTasks } from '../../../activities/deps.ts';
import { CONTEXTS_QUERY, PAGES_QUERY, TURNS_QUERY } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { callUntilAborted } from '../abortableCall.ts';

const ANSWERS_WITHIN_MS = 10_000;

/**
 * Creates the port by which activities read large values from the workflow of their task, such as
 * the texts of all pages. The workflow answers by a query, so its history stores these values only
 * once.
 * @param connection a worker's connection is enough
 */
export function createRecordedTasks(
  connection: ConnectionLike,
  namespace: string,
  dataConverter: DataConverter = {},
): RecordedTasks {
  const client = new Client({ connection, namespace, dataConverter });
  const queryWorkflow = async <T>(
    taskId: string,
    query: string,
    signal: AbortSignal,
  ): Promise<T> => {
    const sendQuery = () => client.workflow.getHandle(taskId).query<T>(query);
    const sendInTime = () => client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, sendQuery);
    return callUntilAborted(client, [signal], sendInTime).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw workflowUnanswered(query, cause);
    });
  };
  return {
    async turns(taskId, count, signal) {
      const turns = await queryWorkflow<RecordedTurn[]>(taskId, TURNS_QUERY, signal);
      if (turns.length < count) throw workflowUnanswered(TURNS_QUERY);
      return turns.slice(0, count);
    },
    pages: (taskId, signal) => queryWorkflow(taskId, PAGES_QUERY, signal),
    contexts: (taskId, signal) => queryWorkflow(taskId, CONTEXTS_QUERY, signal),
  };
}

type RecordedTurn = Awaited<ReturnType<RecordedTasks['turns']>>[number];

const workflowUnanswered = (queryName: string, cause?: unknown) =>
  new DomainError('UNAVAILABLE', `The workflow of the task did not answer the query ${queryName}`, {
    retryable: true,
    cause,
  });
