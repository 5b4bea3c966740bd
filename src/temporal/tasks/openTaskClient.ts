import type { TaskLeases } from '../../storage/taskLeases.ts';
import { createClient } from '../connection.ts';
import type { Temporal } from '../openTemporal.ts';
import { startLeaseCheck } from './leaseCheck.ts';
import { createTaskClient, type TaskClient } from './taskClient.ts';

interface Options {
  /** Taskids of requests with an `Idempotency-Key` are derived with it. */
  secret: Buffer;
  leases: TaskLeases;
  /** Told why leases could not be checked. */
  onFailure: (error: unknown) => void;
}

/** The client of tasks, which gives back the places of those that have ended. */
export function openTaskClient(
  { connection, namespace, dataConverter, times, isShared }: Temporal,
  { secret, leases, onFailure }: Options,
): TaskClient {
  const client = createClient(connection, namespace, dataConverter);
  const check = startLeaseCheck(client, { leases, onFailure });
  const tasks = createTaskClient({
    client,
    secret,
    leases,
    workflowTaskTimeout: times.workflowTask,
    heartbeats: times.heartbeats,
    homes: isShared,
  });
  return {
    ...tasks,
    async close() {
      await tasks.close();
      await check.close();
    },
  };
}
