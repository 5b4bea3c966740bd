import { DeterminismViolationError } from '@temporalio/workflow';
import { type ReplayHistoriesIterable, Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows, workflowBundle } from '../../src/temporal/worker/workerBuild.ts';
import { bundles, quietRuntime } from '../helpers/temporal.ts';
import { batchScenarios } from './batchScenarios.ts';
import { scenarios } from './scenarios.ts';
import { readRecorded } from './sources.ts';
import { recordedWays, wayOf } from './ways.ts';

type Bundle = Awaited<ReturnType<typeof workflowBundle>>;

const folder = new URL('./histories/', import.meta.url);
const altered = (name: string) => fileURLToPath(new URL(`./altered/${name}.ts`, import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
);
const all = { ...scenarios, ...batchScenarios };
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

/** The latest history of a scenario: a version records those that it changes. */
const fixtureOf = (name: string) =>
  files.filter((file) => file.endsWith(`/${name}.json`)).at(-1) ?? name;

interface RecordedHistory {
  events: { workflowExecutionStartedEventAttributes?: object }[];
}

/** The history of a workflow that a request with a trace began. */
function inTrace({ events: [first, ...events] }: RecordedHistory): RecordedHistory {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const header = headersWithTrace({ traceparent });
  const workflowExecutionStartedEventAttributes = {
    ...first!.workflowExecutionStartedEventAttributes,
    header,
  };
  return { events: [{ ...first, workflowExecutionStartedEventAttributes }, ...events] };
}

const headersWithTrace = (carrier: object) => ({
  fields: {
    '_tracer-data': {
      metadata: { encoding: Buffer.from('json/plain').toString('base64') },
      data: Buffer.from(JSON.stringify(carrier)).toString('base64'),
    },
  },
});

/**
 * Runs the workflow's code against the histories of earlier runs, with one worker for all.
 * @returns the error of each file, undefined where both agree
 */
async function replay(
  workflowBundle: Bundle,
  change: (history: RecordedHistory) => RecordedHistory = (history) => history,
): Promise<Map<string, unknown>> {
  const histories = files.map((file) => ({
    workflowId: file,
    history: change(JSON.parse(read(file)) as RecordedHistory),
  }));
  const errors = new Map<string, unknown>();
  const results = Worker.runReplayHistories(
    { workflowBundle },
    histories as ReplayHistoriesIterable,
  );
  for await (const { workflowId, error } of results) errors.set(workflowId, error);
  expect([...errors.keys()]).to.deep.equal(files);
  return errors;
}

describe('the workflow replayed', function () {
  this.timeout(60_000);
  before(quietRuntime);

  describe('as it is now', () => {
    let errors: Map<string, unknown>;
    before(async () => void (errors = await replay(await workflowBundle(bundles))));

    for (const file of files)
      it(`does what it did in ${file}`, () => {
        expect(errors.get(file)).to.equal(undefined);
      });
  });

  // workers with and without traces take over each other's tasks
  it('does what it did if a traced request began it', async () => {
    const errors = await replay(await workflowBundle(bundles), inTrace);
    expect([...errors].filter(([, error]) => error !== undefined)).to.deep.equal([]);
  });

  for (const name of ['callbackFirst', 'waitFirst'])
    describe(`altered by ${name}`, () => {
      let errors: Map<string, unknown>;
      before(async () => void (errors = await replay(await bundleWorkflows(altered(name)))));

      for (const file of files.filter((name) => !name.includes('redelivered')))
        it(`differs from ${file}`, () => {
          expect(errors.get(file)).to.be.instanceOf(DeterminismViolationError);
        });
    });

  it('has a recording for every scenario', () => {
    for (const name of Object.keys(all)) expect(files).to.include(fixtureOf(name));
  });

  it('has a recording for every way that a task can take', () => {
    const ways = new Map(
      Object.keys(all).map((name) => [name, wayOf(readRecorded(fixtureOf(name)))]),
    );
    const found = Object.fromEntries([...ways].sort(([one], [other]) => (one < other ? -1 : 1)));
    expect(found).to.deep.equal(recordedWays);
  });

  it('has recordings without anything of the machine that recorded them', () => {
    for (const file of files) {
      const text = read(file);
      expect(text.length, file).to.be.lessThan(100_000);
      expect(text, file)
        .to.not.include(hostname())
        .and.not.include(process.cwd())
        .and.not.match(/stackTrace|identity/);
    }
  });
});
