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
  // each step says at this level whether it has begun
  const env = { ...noLimits, LOG_LEVEL: 'debug' };
  const before = await startService({ dataDir, env });
  const sites = await registerSites(before);
  const api = createApi(before);
  const taskIds = await atOnce(TASKS, (n) =>
    api.create(sites[n % sites.length]!, townsBody(1, { publish: true })),
  );
  await until(
    'a commit',
    () =>
      before.launched
        .lines()
        .some(({ activity, msg }) => activity === 'commitChanges' && msg === 'activity completed'),
    60_000,
    5,
  );
  await before.kill();
  await api.close();
  const states = lastStates(before.launched.lines());
  const after = await startService({ dataDir, env });
  const [ready, found] = [performance.now(), await finish(after, taskIds)];
  await after.end();
  const seconds = (ms: number) => `${digits((ms - ready) / 1_000)} s`;
  const notBegun = [undefined, 'activity is waiting'];
  const waited = found.repeated.filter((step) => notBegun.includes(states.get(step))).length;
  const begun = found.repeated.length - waited;
  const table: Record<string, number> = {}; // PROBE
  for (const step of found.repeated) {
    const key = `${step.split(' ')[1]} ${states.get(step)}`;
    table[key] = (table[key] ?? 0) + 1;
  } // PROBE
  console.table(table); // PROBE
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
      measured: `${begun} had begun; ${waited} more had only waited`,
    },
  ];
}

/** The last log message of each step. */
const lastStates = (lines: Record<string, unknown>[]) =>
  new Map(
    lines.flatMap(({ taskId, activity, msg }) =>
      typeof activity === 'string' ? [[stepOf(taskId as string, activity), String(msg)]] : [],
    ),
  );

/** A task of one page has each step once. */
const stepOf = (taskId: string, activity: string) => `${taskId} ${activity}`;

/** Waits for the end of each task. Counts a step once for each attempt after its first. */
async function finish(
  service: Service,
  taskIds: string[],
): Promise<{ ends: number[]; repeated: string[] }> {
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
  const repeated: string[] = [];
  for (const taskId of taskIds) {
    const { events } = await client.workflow.getHandle(taskId).fetchHistory();
    const names = new Map<string, string>();
    for (const { eventId, ...event } of events ?? []) {
      const { activityTaskScheduledEventAttributes: scheduled } = event;
      const { activityTaskStartedEventAttributes: started } = event;
      if (scheduled) names.set(String(eventId), scheduled.activityType!.name!);
      if (!started) continue;
      const step = stepOf(taskId, names.get(String(started.scheduledEventId))!);
      repeated.push(...Array<string>((started.attempt ?? 1) - 1).fill(step));
    }
  }
  await client.connection.close();
  return { ends, repeated };
}
