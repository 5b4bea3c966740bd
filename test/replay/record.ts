import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import type { TaskActivities } from '../../activities/index.ts';
import {
  BATCH_WORKFLOW,
  CANCEL_SIGNAL,
  PAUSE_SIGNAL,
  RESUME_SIGNAL,
} from '../../src/contract/batches/batch.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import {
  CLEAN_UP_WORKFLOW,
  REDELIVER_WORKFLOW,
  TASK_QUEUE,
  type TaskInput,
} from '../../src/contract/task.ts';
import { bundleWorkflows } from '../../src/temporal/worker/workerBuild.ts';
import {
  generateTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
  withWorker,
} from '../helpers/temporal.ts';
import { type BatchScenario, batchScenarios } from './batchScenarios.ts';
import { scenarios, type Scenario } from './scenarios.ts';

/** Records each scenario with the workflow as it is now: `npm run replay:record -- v1 [names]`. */
const [, , version = 'v1', ...only] = process.argv;
const folder = new URL(`./histories/${version}/`, import.meta.url);
const patch = new URL('./patch/', import.meta.url);

/** What tells of the machine that recorded, and plays no part in a replay. */
const left = new Set(['identity', 'stackTrace']);

async function record(
  server: TimeSkipping,
  { task, isRedelivery, people, activities }: Scenario,
): Promise<string> {
  const cancel = () => server.env.client.workflow.getHandle(task.taskId).cancel();
  const ask = () => server.env.client.workflow.getHandle(task.taskId).executeUpdate('cancel');
  return withWorker(server, activities(cancel, ask), async () => {
    const handle: WorkflowHandle = await (isRedelivery
      ? redeliver(server, task)
      : startTask(server, task));
    await people?.(handle);
    await handle.result().catch(() => undefined); // a failed task ends so: its history is what counts
    return historyOf(handle);
  });
}

/** As `startRedelivery` does, of a task that is not there. */
function redeliver(
  { env: { client } }: TimeSkipping,
  { taskId, organizationId, siteId, createdAt, callbackUrl }: TaskInput,
) {
  const finished = { status: 'failed', errorMessage: 'Too bad', finishedAt: createdAt };
  return client.workflow.start(REDELIVER_WORKFLOW, {
    workflowId: taskId,
    taskQueue: TASK_QUEUE,
    searchAttributes: { CallbackStatus: ['pending'] },
    args: [{ task: { taskId, organizationId, siteId, createdAt }, callbackUrl, finished }],
  });
}

/** A run of a batch, started as `createBatchRuns` does. */
async function recordBatch(
  server: TimeSkipping,
  name: string,
  { hasCallback, model, longestHistory, activities }: BatchScenario,
): Promise<string> {
  const taskId = `bg-${createHash('sha256').update(name).digest('hex').slice(0, 22)}`;
  const { workflow } = server.env.client;
  const { organizationId, siteId, createdAt } = generateTask();
  const handle = workflow.getHandle(taskId);
  const told = {
    pause: () => handle.signal(PAUSE_SIGNAL),
    cancel: () => handle.signal(CANCEL_SIGNAL),
    resume: () => handle.signal(RESUME_SIGNAL),
    cancelWorkflow: () => handle.cancel(),
  };
  const callbackUrl = hasCallback && 'https://receiver.example/done';
  const given = withoutUndefined({ callbackUrl, model, longestHistory });
  const input = { taskId, organizationId, siteId, createdAt, ...given };
  return withWorker(server, activities(told), async () => {
    const searchAttributes = { OrganizationId: [organizationId], SiteId: [siteId] };
    const { signaledRunId } = await workflow.signalWithStart(BATCH_WORKFLOW, {
      workflowId: taskId,
      taskQueue: TASK_QUEUE,
      args: [input],
      signal: RESUME_SIGNAL,
      searchAttributes,
    });
    await handle.result();
    return historyOf(workflow.getHandle(taskId, signaledRunId));
  });
}

/** The clean-up of two batches of sites. */
async function recordCleanUp(server: TimeSkipping): Promise<string> {
  const activities: Pick<TaskActivities, 'pruneSites'> = {
    pruneSites: ({ after }) =>
      Promise.resolve({ last: after ? null : 'site-16', sites: 16, removed: 3, failed: 1 }),
  };
  return withWorker(server, activities, async () => {
    const start = { taskQueue: TASK_QUEUE, workflowId: 'agent-tasks-clean-up' };
    const handle = await server.env.client.workflow.start(CLEAN_UP_WORKFLOW, start);
    await handle.result();
    return historyOf(handle);
  });
}

/** A task that ends soon, with the workflow as it is before, with and after a patch. */
async function recordPatch(server: TimeSkipping, code: string): Promise<string> {
  const workflowBundle = await bundleWorkflows(fileURLToPath(new URL(`${code}.ts`, patch)));
  const { task, activities } = scenarios['prompt-nothing-changed']!;
  const own = { ...task, taskId: `${task.taskId.slice(0, -1)}${code[0]}` };
  const none = () => Promise.resolve();
  return withWorker(
    server,
    activities(none, none),
    async () => {
      const handle: WorkflowHandle = await startTask(server, own);
      await handle.result();
      return historyOf(handle);
    },
    { workflowBundle },
  );
}

async function historyOf(handle: WorkflowHandle): Promise<string> {
  const { status } = await handle.describe();
  if (status.name === 'RUNNING') throw new Error('The task goes on: its history would be cut');
  const history = JSON.parse(historyToJSON(await handle.fetchHistory()), (key, value: unknown) =>
    left.has(key) ? undefined : value,
  ) as object;
  const { code } = await format('history.json', JSON.stringify(history), { printWidth: 120 });
  return code;
}

type Recorder = [file: URL, run: () => Promise<string>];
const at = (where: URL, name: string) => new URL(`${name}.json`, where);

const server = await startTimeSkipping();
try {
  await mkdir(folder, { recursive: true });
  const recorders: Recorder[] = [
    ...Object.entries(scenarios).map(([name, one]): Recorder => [
      at(folder, name),
      () => record(server, one),
    ]),
    ...Object.entries(batchScenarios).map(([name, one]): Recorder => [
      at(folder, name),
      () => recordBatch(server, name, one),
    ]),
    [at(folder, 'clean-up'), () => recordCleanUp(server)],
    ...['before', 'patched', 'deprecated'].map((code): Recorder => [
      at(patch, code),
      () => recordPatch(server, code),
    ]),
  ];
  for (const [file, run] of recorders) {
    if (only.length > 0 && !only.some((name) => file.pathname.endsWith(`/${name}.json`))) continue;
    const history = await run();
    await writeFile(file, history);
    console.log(`${basename(file.pathname)}: ${history.length} characters`);
  }
} finally {
  await server.close();
}
