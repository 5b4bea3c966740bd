import { type NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../activities/index.ts';
import { TASK_QUEUE } from '../contract/task.ts';
import { workflowBundle } from './bundle.ts';

interface Options {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  /** Folder in which the workflows' bundle is kept. */
  cacheDir: string;
  /** Seconds that running activities get to end. */
  shutdownGrace: number;
}

/** A worker for tasks. Cache and pollers are the SDK's defaults: more of them measured worse. */
export async function createWorker({ connection, namespace, activities, cacheDir, shutdownGrace }: Options): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: await workflowBundle(cacheDir),
    activities,
    maxEagerActivityReservationsPerWorkflowTask: 10,
    stickyQueueScheduleToStartTimeout: '1s',
    shutdownGraceTime: `${shutdownGrace}s`,
    shutdownForceTime: `${shutdownGrace + 5}s`,
  });
}
