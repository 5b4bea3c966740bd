import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../src/temporal/worker/workerBuild.ts';
import type { NoOps, Shape, shape } from './shape.ts';

const TASK_QUEUE = 'bench';
const nothing = () => Promise.resolve();
const noOps: NoOps = {
  read: nothing,
  page: nothing,
  commit: nothing,
  deploy: nothing,
  publish: nothing,
  callback: nothing,
};

type Payloads = Record<string, Payload>;
/** What the service gives to `workflow.start` for a task, besides its id. */
type StartOptions = Pick<WorkflowStartOptions, 'memo' | 'searchAttributes'> & { input?: unknown };

/**
 * Plain Temporal on the same server: a worker of our worker's options whose activities do nothing.
 */
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
  const start = (asked: Shape, { input, ...carried }: StartOptions = {}) =>
    client.workflow.start<typeof shape>('shape', {
      workflowId: `bench-${randomUUID()}`,
      taskQueue: TASK_QUEUE,
      args: [asked, input],
      ...carried,
    });
  return {
    start,
    /** @returns milliseconds until the workflow has completed */
    async run(asked: Shape): Promise<void> {
      await (await start(asked)).result();
    },
    async close() {
      worker.shutdown();
      await run;
      await connection.close();
    },
  };
}

/** What a task's workflow was started with. */
export async function carriedBy(client: Client, taskId: string): Promise<StartOptions> {
  const { events } = await client.workflow.getHandle(taskId).fetchHistory();
  const { input, memo, searchAttributes } = events![0]!.workflowExecutionStartedEventAttributes!;
  const decode = (payload: Payload) => defaultPayloadConverter.fromPayload(payload);
  const decodeAll = (fields: Payloads) =>
    Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, decode(v)]));
  const attributes = decodeAll(searchAttributes!.indexedFields as Payloads);
  return {
    input: decode(input!.payloads![0]!),
    memo: decodeAll(memo!.fields as Payloads),
    searchAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, [value].flat()]),
    ) as never,
  };
}

export type Baseline = Awaited<ReturnType<typeof startBaseline>>;
