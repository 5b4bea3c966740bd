import { Client, type ConnectionLike } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Recorded } from '../../../activities/deps.ts';
import { CONTEXTS_QUERY, PAGES_QUERY, TURNS_QUERY } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { callUntilAborted } from '../abortableCall.ts';

const ANSWERS_WITHIN_MS = 10_000;

/**
 * Queries the workflows of running tasks for their recorded work.
 * @param connection a worker's connection is enough
 */
export function createRecorded(
  connection: ConnectionLike,
  namespace: string,
  dataConverter: DataConverter = {},
): Recorded {
  const client = new Client({ connection, namespace, dataConverter });
  const ask = async <T>(taskId: string, query: string, signal: AbortSignal): Promise<T> => {
    const asking = () => client.workflow.getHandle(taskId).query<T>(query);
    const inTime = () => client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, asking);
    return callUntilAborted(client, [signal], inTime).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw untold(query, cause);
    });
  };
  return {
    async turns(taskId, count, signal) {
      const turns = await ask<Turn[]>(taskId, TURNS_QUERY, signal);
      if (turns.length < count) throw untold(TURNS_QUERY);
      return turns.slice(0, count);
    },
    pages: (taskId, signal) => ask(taskId, PAGES_QUERY, signal),
    contexts: (taskId, signal) => ask(taskId, CONTEXTS_QUERY, signal),
  };
}

type Turn = Awaited<ReturnType<Recorded['turns']>>[number];

const untold = (what: string, cause?: unknown) =>
  new DomainError('UNAVAILABLE', `The task's workflow does not tell its ${what}`, {
    retryable: true,
    cause,
  });
