import { type Bench, runTask, townsBody } from '../bench.ts';
import { atOnce, compare, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const CONNECTIONS = 16;
const FOR_MS = 1_000;

/** @returns answers in a second, over so many connections at once */
async function perSecond(ask: (connection: number) => Promise<string>): Promise<number> {
  let answers = 0;
  const ms = await timed(() =>
    atOnce(CONNECTIONS, async (n) => {
      for (const until = performance.now() + FOR_MS; performance.now() < until; answers++)
        await ask(n);
    }),
  );
  return (answers * 1_000) / ms;
}

export async function finishedReads(bench: Bench) {
  const { api, sites } = bench;
  const taskIds = await atOnce(CONNECTIONS, (n) =>
    runTask(bench, sites[n % sites.length]!, townsBody(1)),
  );
  const view = await api.read(taskIds[0]!);
  if (!view.includes('"status":"completed"')) throw new Error(`No finished task: ${view}`);
  const what = `finished task: reads / \`/healthz\`, ${CONNECTIONS} connections`;
  const comparison = await compare(
    what,
    { aim: '0.25', unit: 'a second', rounds: 5 },
    {
      measured: () => perSecond((n) => api.read(taskIds[n]!)),
      baseline: () => perSecond(() => api.get('/healthz')),
    },
  );
  return [rowOf(comparison)];
}

/** The task is held at the push of its commit, so that it runs as long as it is read. */
export async function runningReads({ api, sites, client }: Bench) {
  const [site] = sites;
  const gate = site!.gate('refs/agent-tasks/');
  const taskId = await api.create(site!, townsBody(1));
  await gate.arrived();
  const handle = client.workflow.getHandle(taskId);
  const comparison = await compare(
    'running task: GET / a bare query',
    { aim: '0.25', rounds: 100 },
    {
      measured: () => timed(() => api.read(taskId)),
      baseline: () => timed(() => handle.query('status')),
    },
  );
  const view = await api.read(taskId);
  gate.open();
  await handle.result();
  if (!view.includes('"status":"running"')) throw new Error(`The task was not running: ${view}`);
  return [rowOf(comparison)];
}
