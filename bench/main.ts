/**
 * Measures the service beside plain Temporal, on one server and in turn: `npm run bench`, or one row by
 * `npm run bench -- --only tenPages`. `--tasks 2000` sets how many tasks the row `memory` runs.
 */
import { WorkflowFailedError } from '@temporalio/client';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { endServices } from '../test/helpers/service.ts';
import { removeTeamSites } from '../test/helpers/teamSite.ts';
import { type Bench, openBench } from './bench.ts';
import { busyCreation } from './rows/busyCreation.ts';
import { creation } from './rows/creation.ts';
import { history } from './rows/history.ts';
import { kill } from './rows/kill.ts';
import { manyPages, oldRefs } from './rows/largeSites.ts';
import { manyAtOnce } from './rows/manyAtOnce.ts';
import { memory } from './rows/memory.ts';
import { modelDelay } from './rows/modelDelay.ts';
import { finishedReads, runningReads } from './rows/reads.ts';
import { tenPages } from './rows/tenPages.ts';
import { head, line, type Row } from './table.ts';

/** A run that takes longer has something to tell other than its figures. */
const AT_MOST_MS = 20 * 60_000;

/** Measured on one service, in this order. */
const shared = {
  history,
  creation,
  finishedReads,
  runningReads,
  tenPages,
  modelDelay,
  manyPages,
  oldRefs,
  busyCreation,
  manyAtOnce,
} satisfies Record<string, (bench: Bench) => Promise<Row[]>>;

const { values } = parseArgs({ options: { only: { type: 'string' }, tasks: { type: 'string', default: '100' } } });

/** These start services of their own. */
const alone = { kill, memory: () => memory(Number(values.tasks)) } satisfies Record<string, () => Promise<Row[]>>;

/** Of a table of rows, those that are asked for. */
const asked = <T>(rows: Record<string, T>) =>
  Object.entries(rows).filter(([name]) => values.only === undefined || values.only === name);

const print = (rows: Row[]) => rows.forEach((row) => console.log(line(row)));

async function measureAll(): Promise<void> {
  console.log(head());
  if (asked(shared).length > 0) {
    const bench = await openBench();
    try {
      for (const [, measure] of asked(shared)) print(await measure(bench));
    } finally {
      await bench.close();
    }
  }
  for (const [, measure] of asked(alone)) print(await measure());
}

async function main(): Promise<void> {
  const names = [...Object.keys(shared), ...Object.keys(alone)];
  if (values.only !== undefined && !names.includes(values.only))
    throw new Error(`No row "${values.only}"; there are ${names.join(', ')}`);
  const tooLong = setTimeout(() => {
    console.error(`Not done within ${AT_MOST_MS / 60_000} minutes`);
    process.exit(1);
  }, AT_MOST_MS);
  const began = performance.now();
  try {
    await measureAll();
  } catch (error) {
    if (error instanceof WorkflowFailedError)
      throw new Error(`A task failed: ${error.cause?.message}`, { cause: error });
    throw error;
  } finally {
    await endServices();
    removeTeamSites();
    clearTimeout(tooLong);
  }
  const [load] = loadavg();
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`\n${minutes} minutes on ${availableParallelism()} cores, load ${load!.toFixed(1)} at the end.`);
}

await main();
