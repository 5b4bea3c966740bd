import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import type { Activities } from '../../activities/index.ts';
import { CLEAN_UP_WORKFLOW, REDELIVER_WORKFLOW, TASK_QUEUE, type TaskInput } from '../../src/contract/task.ts';
import { startTask, startTimeSkipping, type TimeSkipping, withWorker } from '../helpers/temporal.ts';
import { scenarios, type Scenario } from './scenarios.ts';

/** Records each scenario with the workflow as it is now: `npm run replay:record -- v6 [names]` for a new version. */
const [, , version = 'v6', ...only] = process.argv;
const folder = new URL(`./histories/${version}/`, import.meta.url);

/** What tells of the machine that recorded, and plays no part in a replay. */
const left = new Set(['identity', 'stackTrace']);

async function record(server: TimeSkipping, { task, isRedelivery, activities }: Scenario): Promise<string> {
  const cancel = () => server.env.client.workflow.getHandle(task.taskId).cancel();
  const ask = () => server.env.client.workflow.getHandle(task.taskId).executeUpdate('cancel');
  return withWorker(server, activities(cancel, ask), async () => {
    const handle: WorkflowHandle = await (isRedelivery ? redeliver(server, task) : startTask(server, task));
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
    ...{ workflowId: taskId, taskQueue: TASK_QUEUE, searchAttributes: { CallbackStatus: ['pending'] } },
    args: [{ task: { taskId, organizationId, siteId, createdAt }, callbackUrl, finished }],
  });
}

/** The clean-up of two batches of sites. */
async function recordCleanUp(server: TimeSkipping): Promise<string> {
  const activities: Pick<Activities, 'cleanUp'> = {
    cleanUp: ({ after }) => Promise.resolve({ last: after ? null : 'site-16', sites: 16, removed: 3, failed: 1 }),
  };
  return withWorker(server, activities, async () => {
    const start = { taskQueue: TASK_QUEUE, workflowId: 'agent-tasks-clean-up' };
    const handle = await server.env.client.workflow.start(CLEAN_UP_WORKFLOW, start);
    await handle.result();
    return historyOf(handle);
  });
}

async function historyOf(handle: WorkflowHandle): Promise<string> {
  const { status } = await handle.describe();
  if (status.name === 'RUNNING') throw new Error('The task goes on: its history would be cut');
  const history = JSON.parse(historyToJSON(await handle.fetchHistory()), (key, value: unknown) =>
    left.has(key) ? undefined : value,
  ) as object;
  return format(JSON.stringify(history), { parser: 'json', printWidth: 120 });
}

const server = await startTimeSkipping();
try {
  await mkdir(folder, { recursive: true });
  const recorders = Object.entries(scenarios).map(([name, one]) => [name, () => record(server, one)] as const);
  for (const [name, run] of [...recorders, ['clean-up', () => recordCleanUp(server)] as const]) {
    if (only.length > 0 && !only.includes(name)) continue;
    const history = await run();
    await writeFile(new URL(`${name}.json`, folder), history);
    console.log(`${version}/${name}.json: ${history.length} characters`);
  }
} finally {
  await server.env.teardown();
}
