import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../src/temporal/worker/workerBuild.ts';
import { quietRuntime } from '../helpers/temporal.ts';
import { type History, type NamedHistory, replayAll } from './divergence.ts';

const folder = new URL('./patch/', import.meta.url);
const fixtures = ['before', 'patched', 'deprecated'] as const;
const histories = fixtures.map((name): NamedHistory => {
  const text = readFileSync(new URL(`${name}.json`, folder), 'utf8');
  return { workflowId: name, history: JSON.parse(text) as History };
});

/** Which tasks go on with which code: a change of the workflow from its first deploy to its end. */
const lives = {
  before: ['before'],
  patched: ['before', 'patched', 'deprecated'],
  deprecated: ['patched', 'deprecated'],
  over: ['deprecated'],
};

describe('a change of the workflow', function () {
  this.timeout(60_000);
  before(quietRuntime);

  for (const [code, goesOn] of Object.entries(lives))
    it(`with the code "${code}" continues with tasks of "${goesOn.join('", "')}" only`, async () => {
      const path = fileURLToPath(new URL(`${code}.ts`, folder));
      const agrees: string[] = [];
      for await (const { workflowId, divergence } of replayAll(
        await bundleWorkflows(path),
        histories,
      ))
        if (!divergence) agrees.push(workflowId);
      expect(agrees).to.deep.equal(goesOn);
    });
});
