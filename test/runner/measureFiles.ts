import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { cpuSecondsBelow, cpuSecondsOf, orphanedSeconds } from '../helpers/cpuTime.ts';
import type { MeasuredPart } from './summary.ts';

/** What this process had used when it last finished a file. The first file pays for its start. */
let before = { cpu: 0, orphaned: 0 };

/**
 * Appends the CPU seconds of each test file to the log that the reporter reads at its end. Mocha
 * loads this in every process that runs tests.
 */
export const mochaHooks: Mocha.RootHookObject = {
  beforeAll(this: Mocha.Context) {
    for (const suite of this.test?.parent?.suites ?? [])
      suite.afterAll('measures the CPU time of the file', () => recordFile(suite.file ?? ''));
  },
};

function recordFile(path: string): void {
  const orphaned = orphanedSeconds();
  const cpu = cpuSecondsOf(process.pid) + orphaned;
  record({
    name: relative(process.cwd(), path),
    cpu: cpu - before.cpu,
    orphaned: orphaned - before.orphaned,
  });
  before = { cpu, orphaned };
}

/** Nobody waits for what still runs at the end of a process of Mocha's, as test databases do. */
if (process.env['MOCHA_WORKER_ID'])
  process.once('exit', () =>
    record({ name: 'test/helpers', cpu: 0, orphaned: cpuSecondsBelow(process.pid) }),
  );

function record(part: MeasuredPart): void {
  const log = process.env['TEST_CPU_LOG'];
  if (log) appendFileSync(log, `${JSON.stringify(part)}\n`);
}
