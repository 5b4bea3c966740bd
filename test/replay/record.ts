import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { startTask, startTimeSkipping, type TimeSkipping, withWorker } from '../helpers/temporal.ts';
import { scenarios, type Scenario } from './scenarios.ts';

/** Records each scenario with the workflow as it is now: `npm run replay:record -- v4` for a new version. */
const version = process.argv[2] ?? 'v4';
const folder = new URL(`./histories/${version}/`, import.meta.url);

/** What tells of the machine that recorded, and plays no part in a replay. */
const left = new Set(['identity', 'stackTrace']);

async function record(server: TimeSkipping, { task, activities }: Scenario): Promise<string> {
  const cancel = () => server.env.client.workflow.getHandle(task.taskId).cancel();
  const ask = () => server.env.client.workflow.getHandle(task.taskId).executeUpdate('cancel');
  return withWorker(server, activities(cancel, ask), async () => {
    const handle: WorkflowHandle = await startTask(server, task);
    await handle.result().catch(() => undefined); // a failed task ends so: its history is what counts
    const { status } = await handle.describe();
    if (status.name === 'RUNNING') throw new Error('The task goes on: its history would be cut');
    const history = JSON.parse(historyToJSON(await handle.fetchHistory()), (key, value: unknown) =>
      left.has(key) ? undefined : value,
    ) as object;
    return format(JSON.stringify(history), { parser: 'json', printWidth: 120 });
  });
}

const server = await startTimeSkipping();
try {
  await mkdir(folder, { recursive: true });
  for (const [name, scenario] of Object.entries(scenarios)) {
    const history = await record(server, scenario);
    await writeFile(new URL(`${name}.json`, folder), history);
    console.log(`${version}/${name}.json: ${history.length} characters`);
  }
} finally {
  await server.env.teardown();
}
