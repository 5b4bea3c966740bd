import { Client, type ConnectionLike } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { TURNS_QUERY } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';

const ANSWERS_WITHIN_MS = 10_000;

type Turns = ActivityDeps['turns'];

/**
 * Turns of running prompt tasks, as their workflows tell them by a query.
 * @param connection that of a worker will do
 */
export function createRecordedTurns(
  connection: ConnectionLike,
  namespace: string,
  dataConverter: DataConverter = {},
): Turns {
  const client = new Client({ connection, namespace, dataConverter });
  return {
    of: async (taskId, count, signal) => {
      const ask = () => client.workflow.getHandle(taskId).query<Awaited<ReturnType<Turns['of']>>>(TURNS_QUERY);
      const inTime = () => client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, ask);
      const turns = await client.withAbortSignal(signal, inTime).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw untold(cause);
      });
      if (turns.length < count) throw untold();
      return turns.slice(0, count);
    },
  };
}

const untold = (cause?: unknown) =>
  new DomainError('UNAVAILABLE', "The task's workflow does not tell its turns", { retryable: true, cause });
