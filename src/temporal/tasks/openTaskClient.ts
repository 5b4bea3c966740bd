import type { TaskLeases } from '../../storage/taskLeases.ts';
import { createClient } from '../connection.ts';
import type { TemporalServer } from '../openTemporal.ts';
import { startLeaseCheck } from './leaseCheck.ts';
import type { ListenersFinder } from './startTask.ts';
import { createTaskClient, type TaskClient } from './taskClient.ts';

interface OpenTaskClientOptions {
  /** The secret for deriving task ids from idempotency keys. */
  secret: Buffer;
  leases: TaskLeases;
  listenersOf: ListenersFinder;
  /** Called with the id of a task or batch whose workflow does not run any more. */
  onGone: (taskId: string) => Promise<void>;
  /** Called with the error if permits could not be checked. */
  onFailure: (error: unknown) => void;
}

/** Opens the client of tasks, and starts the check that releases the permits of ended tasks. */
export function openTaskClient(
  { connection, namespace, dataConverter, tracing, times, isShared }: TemporalServer,
  { secret, leases, listenersOf, onGone, onFailure }: OpenTaskClientOptions,
): TaskClient {
  const client = createClient(connection, namespace, dataConverter, tracing);
  const leaseCheck = startLeaseCheck(client, { leases, onGone, onFailure });
  const tasks = createTaskClient({
    client,
    secret,
    leases,
    listenersOf,
    workflowTaskTimeout: times.workflowTask,
    heartbeats: times.heartbeats,
    homes: isShared,
  });
  return {
    ...tasks,
    async close() {
      await tasks.close();
      await leaseCheck.close();
    },
  };
}
