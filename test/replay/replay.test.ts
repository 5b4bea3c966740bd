import { DeterminismViolationError } from '@temporalio/workflow';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows, workflowBundle } from '../../src/temporal/worker/bundle.ts';
import { bundles, quietRuntime } from '../helpers/temporal.ts';
import { scenarios } from './scenarios.ts';

type Bundle = Awaited<ReturnType<typeof workflowBundle>>;

const folder = new URL('./histories/', import.meta.url);
const altered = (name: string) => fileURLToPath(new URL(`./altered/${name}.ts`, import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

/** Runs the workflow's code against a history of an earlier run. @returns the error, undefined where both agree */
const replay = (workflowBundle: Bundle, file: string): Promise<unknown> =>
  Worker.runReplayHistory({ workflowBundle }, JSON.parse(read(file)), 'replayed').then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the workflow replayed', function () {
  this.timeout(60_000);
  before(quietRuntime);

  describe('as it is now', () => {
    let current: Bundle;
    before(async () => void (current = await workflowBundle(bundles)));

    for (const file of files)
      it(`does what it did in ${file}`, async () => {
        expect(await replay(current, file)).to.equal(undefined);
      });
  });

  for (const name of ['callbackFirst', 'waitFirst'])
    describe(`altered by ${name}`, () => {
      let bundle: Bundle;
      before(async () => void (bundle = await bundleWorkflows(altered(name))));

      for (const file of files)
        it(`is found to differ from ${file}`, async () => {
          expect(await replay(bundle, file)).to.be.instanceOf(DeterminismViolationError);
        });
    });

  it('is recorded for every scenario, with nothing of the machine it was recorded on', () => {
    for (const name of Object.keys(scenarios))
      for (const version of ['v2', 'v3']) expect(files).to.include(`${version}/${name}.json`);
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
