import { temporaryFolder } from '../../test/helpers/database.ts';
import { type Service, startService } from '../../test/helpers/service.ts';
import { copyTemplate } from '../../test/helpers/template.ts';
import { connectTemporal } from '../../test/helpers/temporalClient.ts';
import { until } from '../../test/helpers/until.ts';
import { atOnce, createApi, noLimits, registerSites, townsBody } from '../bench.ts';
import { digits, type Row } from '../table.ts';

const TASKS = 50;
const WITHIN_MS = 180_000;

/** Published pages over five sites are in flight. The service is killed when the first of them is committed. */
export async function kill(): Promise<Row[]> {
  const folder = temporaryFolder();
  try {
    copyTemplate(folder.path);
    return await killIn(folder.path);
  } finally {
    folder.remove();
  }
}

async function killIn(dataDir: string): Promise<Row[]> {
  const before = await startService({ dataDir, env: noLimits });
  const sites = await registerSites(before);
  const api = createApi(before);
  const taskIds = await atOnce(TASKS, (n) => api.create(sites[n % sites.length]!, townsBody(1, { publish: true })));
  await until(
    'a commit',
    () => before.launched.lines().some(({ activity }) => activity === 'commitChanges'),
    60_000,
    5,
  );
  await before.kill();
  await api.close();
  const killedAt = performance.now();
  const after = await startService({ dataDir, env: noLimits });
  const [ready, found] = [performance.now(), await finish(after, taskIds)];
  await after.end();
  const seconds = (ms: number) => `${digits((ms - ready) / 1_000)} s`;
  const row = (what: string, aim: string, measured: string): Row => ({ what, aim, ratio: '', measured, baseline: '', rounds: '1' }); // prettier-ignore
  const start = digits((ready - killedAt) / 1_000);
  return [
    row(`kill -9 with ${TASKS} in flight: first finished after the restart (which took ${start} s)`, '3 s', seconds(Math.min(...found.ends))),
    row('last finished', '6 s', seconds(Math.max(...found.ends))),
    row('steps repeated', 'under 12', String(found.repeated)),
  ]; // prettier-ignore
}

/** Waits for the end of each task. */
async function finish(service: Service, taskIds: string[]): Promise<{ ends: number[]; repeated: number }> {
  const client = await connectTemporal(service);
  const late = AbortSignal.timeout(WITHIN_MS);
  const ends = await Promise.all(
    taskIds.map((taskId) =>
      client.withAbortSignal(late, async () => {
        await client.workflow.getHandle(taskId).result();
        return performance.now();
      }),
    ),
  );
  let repeated = 0;
  for (const taskId of taskIds) {
    const { events } = await client.workflow.getHandle(taskId).fetchHistory();
    for (const { activityTaskStartedEventAttributes: step } of events ?? []) repeated += (step?.attempt ?? 1) - 1;
  }
  await client.connection.close();
  return { ends, repeated };
}
