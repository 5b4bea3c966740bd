/**
 * Measures the service beside plain Temporal, on one server and in turn: `npm run bench`, or one
 * row by `npm run bench -- --only tenPages`. `--tasks 2000` sets how many tasks the row `memory`
 * runs, `--rows 5000` the rows of the row `batch`, `--waiting 30` the waiting tasks of
 * `silentHosts`.
 */
import { WorkflowFailedError } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { endServices } from '../test/helpers/service.ts';
import { removeTeamSites } from '../test/helpers/team/site.ts';
import { type Bench, openBench } from './bench.ts';
import { actions } from './rows/actions.ts';
import { batch } from './rows/batch.ts';
import { busyCreation } from './rows/busyCreation.ts';
import { creation } from './rows/creation.ts';
import { history } from './rows/history.ts';
import { kill } from './rows/kill.ts';
import { manyPages, oldRefs } from './rows/largeSites.ts';
import { manyAtOnce } from './rows/manyAtOnce.ts';
import { markdownPages } from './rows/markdownPages.ts';
import { memory } from './rows/memory.ts';
import { modelDelay } from './rows/modelDelay.ts';
import { finishedReads, runningReads } from './rows/reads.ts';
import { silentHosts } from './rows/silentHosts.ts';
import { tenPages } from './rows/tenPages.ts';
import { traces } from './rows/traces.ts';
import { type Row, withRows } from './table.ts';

/**
 * A run that takes longer has something to tell other than its figures. Each task of the row
 * `memory` has time too.
 */
const AT_MOST_MS = 30 * 60_000;
const EACH_TASK_MS = 1_500;

/** Measured on one service, in this order. */
const shared = {
  history,
  creation,
  finishedReads,
  runningReads,
  tenPages,
  markdownPages,
  modelDelay,
  manyPages,
  oldRefs,
  busyCreation,
  manyAtOnce,
} satisfies Record<string, (bench: Bench) => Promise<Row[]>>;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    tasks: { type: 'string', default: '100' },
    rows: { type: 'string', default: '1000' },
    waiting: { type: 'string', default: '100' },
  },
});

/** These start services of their own. */
const alone = {
  actions,
  batch: () => batch(Number(values.rows)),
  kill,
  memory: () => memory(Number(values.tasks)),
  silentHosts: () => silentHosts(Number(values.waiting)),
  traces,
} satisfies Record<string, () => Promise<Row[]>>;

/** Of a table of rows, those that are asked for. */
const asked = <T>(rows: Record<string, T>) =>
  Object.entries(rows).filter(([name]) => values.only === undefined || values.only === name);

/**
 * Measures rows one after the other. One that fails has no figure, and the next one is measured all
 * the same.
 */
async function measure(
  work: [name: string, measure: () => Promise<Row[]>][],
  rows: Row[],
): Promise<void> {
  for (const [name, measure] of work) {
    const measured = await measure().catch((error: unknown) => fail(name, error));
    for (const row of measured) console.log(`${row.what}: ${row.measured}`);
    rows.push(...measured);
  }
}

function fail(name: string, error: unknown): Row[] {
  const reason =
    error instanceof WorkflowFailedError ? `a task failed: ${error.cause?.message}` : String(error);
  console.error(`${name} was not measured: ${reason}`);
  process.exitCode = 1;
  return [];
}

async function measureAll(): Promise<Row[]> {
  const rows: Row[] = [];
  if (asked(shared).length > 0) {
    const bench = await openBench();
    try {
      await measure(
        asked(shared).map(([name, row]) => [name, () => row(bench)]),
        rows,
      );
    } finally {
      await bench.close();
    }
  }
  await measure(asked(alone), rows);
  return rows;
}

async function main(): Promise<void> {
  const names = [...Object.keys(shared), ...Object.keys(alone)];
  if (values.only !== undefined && !names.includes(values.only))
    throw new Error(`No row "${values.only}"; there are ${names.join(', ')}`);
  const atMost = AT_MOST_MS + Number(values.tasks) * EACH_TASK_MS;
  const tooLong = setTimeout(() => {
    console.error(`Not done within ${Math.round(atMost / 60_000)} minutes`);
    process.exit(1);
  }, atMost);
  const began = performance.now();
  try {
    const rows = await measureAll();
    console.log(`\n${withRows(readFileSync('docs/performance.md', 'utf8'), rows)}`);
  } finally {
    await endServices();
    removeTeamSites();
    clearTimeout(tooLong);
  }
  const [load] = loadavg();
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(
    `\n${minutes} minutes on ${availableParallelism()} cores, load ${load!.toFixed(1)} at the end.`,
  );
}

await main();
