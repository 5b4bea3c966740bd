import { temporaryFolder } from '../../test/helpers/database.ts';
import { type Service, startService } from '../../test/helpers/service.ts';
import { copyTemplate } from '../../test/helpers/template.ts';
import { connectTemporal } from '../../test/helpers/temporalClient.ts';
import { until } from '../../test/helpers/until.ts';
import { createApi, noLimits, registerSites, townsBody } from '../bench.ts';
import { allEnded, atOnce } from '../measure.ts';
import { digits, type Row } from '../table.ts';

const TASKS = 50;
const WITHIN_MS = 180_000;

/**
 * Published pages over five sites are in flight. The service is killed when the first of them is
 * committed.
 */
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
  const taskIds = await atOnce(TASKS, (n) =>
    api.create(sites[n % sites.length]!, townsBody(1, { publish: true })),
  );
  await until(
    'a commit',
    () => before.launched.lines().some(({ activity }) => activity === 'commitChanges'),
    60_000,
    5,
  );
  await before.kill();
  await api.close();
  const waiting = await countWaiting(before, taskIds);
  const after = await startService({ dataDir, env: noLimits });
  const [ready, found] = [performance.now(), await finish(after, taskIds)];
  await after.end();
  const seconds = (ms: number) => `${digits((ms - ready) / 1_000)} s`;
  return [
    {
      what: `kill -9 with ${TASKS} in flight: first finished`,
      aim: '3 s',
      measured: seconds(Math.min(...found.ends)),
    },
    { what: 'last finished', aim: '6 s', measured: seconds(Math.max(...found.ends)) },
    {
      what: 'steps repeated',
      aim: 'under 12',
      measured: `${found.repeated}; ${waiting} waited for a turn`,
    },
  ];
}

/** Steps under way that waited when they last told, which they do every second. */
async function countWaiting(service: Service, taskIds: string[]): Promise<number> {
  const client = await connectTemporal(service);
  /** A heartbeat without details has no data. */
  const isWaiting = ({ data }: { data?: Uint8Array | null }) =>
    data?.length ? 'waitsFor' in JSON.parse(Buffer.from(data).toString()) : false;
  let waiting = 0;
  for (const taskId of taskIds) {
    const { raw } = await client.workflow.getHandle(taskId).describe();
    for (const { heartbeatDetails } of raw.pendingActivities ?? [])
      if (heartbeatDetails?.payloads?.some(isWaiting)) waiting++;
  }
  await client.connection.close();
  return waiting;
}

/** Waits for the end of each task. */
async function finish(
  service: Service,
  taskIds: string[],
): Promise<{ ends: number[]; repeated: number }> {
  const client = await connectTemporal(service);
  const late = AbortSignal.timeout(WITHIN_MS);
  const ends = await allEnded(
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
    for (const { activityTaskStartedEventAttributes: step } of events ?? [])
      repeated += (step?.attempt ?? 1) - 1;
  }
  await client.connection.close();
  return { ends, repeated };
}
