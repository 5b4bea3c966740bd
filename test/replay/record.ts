import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { REDELIVER_WORKFLOW, TASK_QUEUE, type TaskInput } from '../../src/contract/task.ts';
import { format } from 'prettier';
import { startTask, startTimeSkipping, type TimeSkipping, withWorker } from '../helpers/temporal.ts';
import { scenarios, type Scenario } from './scenarios.ts';

/** Records each scenario with the workflow as it is now: `npm run replay:record -- v5 [names]` for a new version. */
const [, , version = 'v5', ...only] = process.argv;
const folder = new URL(`./histories/${version}/`, import.meta.url);

/** What tells of the machine that recorded, and plays no part in a replay. */
const left = new Set(['identity', 'stackTrace']);

async function record(server: TimeSkipping, { task, isRedelivery, activities }: Scenario): Promise<string> {
  const cancel = () => server.env.client.workflow.getHandle(task.taskId).cancel();
  const ask = () => server.env.client.workflow.getHandle(task.taskId).executeUpdate('cancel');
  return withWorker(server, activities(cancel, ask), async () => {
    const handle: WorkflowHandle = await (isRedelivery ? redeliver(server, task) : startTask(server, task));
    await handle.result().catch(() => undefined); // a failed task ends so: its history is what counts
    const { status } = await handle.describe();
    if (status.name === 'RUNNING') throw new Error('The task goes on: its history would be cut');
    const history = JSON.parse(historyToJSON(await handle.fetchHistory()), (key, value: unknown) =>
      left.has(key) ? undefined : value,
    ) as object;
    return format(JSON.stringify(history), { parser: 'json', printWidth: 120 });
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

const server = await startTimeSkipping();
try {
  await mkdir(folder, { recursive: true });
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const history = await record(server, scenario);
    await writeFile(new URL(`${name}.json`, folder), history);
    console.log(`${version}/${name}.json: ${history.length} characters`);
  }
} finally {
  await server.env.teardown();
}
