import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../src/temporal/worker/bundle.ts';
import type { NoOps, shape } from './shape.ts';

const TASK_QUEUE = 'bench';
const nothing = () => Promise.resolve();
const noOps: NoOps = { read: nothing, page: nothing, commit: nothing, deploy: nothing };

/** Plain Temporal on the same server: a worker of our worker's options whose activities do nothing. */
export async function startBaseline(client: Client, address: string) {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace: client.options.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: await bundleWorkflows(fileURLToPath(new URL('shape.ts', import.meta.url))),
    activities: noOps,
    maxEagerActivityReservationsPerWorkflowTask: 10,
    stickyQueueScheduleToStartTimeout: '1s',
  });
  const run = worker.run();
  return {
    start: (pages: number) =>
      client.workflow.start<typeof shape>('shape', {
        workflowId: `bench-${randomUUID()}`,
        taskQueue: TASK_QUEUE,
        args: [pages],
      }),
    async close() {
      worker.shutdown();
      await run;
      await connection.close();
    },
  };
}

export type Baseline = Awaited<ReturnType<typeof startBaseline>>;
