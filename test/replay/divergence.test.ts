import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows, workflowBundle } from '../../src/temporal/worker/workerBuild.ts';
import { readConfig } from '../../src/config.ts';
import type { DomainError } from '../../src/errors.ts';
import { bundles, quietRuntime } from '../helpers/temporal.ts';
import { type NamedHistory, replayAll } from './divergence.ts';
import { historiesOf, readRecorded } from './sources.ts';

type Bundle = Parameters<typeof replayAll>[0];

const altered = (name: string) =>
  bundleWorkflows(fileURLToPath(new URL(`./altered/${name}.ts`, import.meta.url)));
const published = readRecorded('v1/generate-published.json');

describe('a divergence of current code from a history', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  let bundle: Bundle;
  before(async () => {
    quietRuntime();
    bundle = await workflowBundle(bundles);
  });
  after(() => rmSync(folder, { recursive: true }));

  async function divergenceOf(code: Bundle, history: NamedHistory) {
    for await (const { divergence } of replayAll(code, [history])) return divergence;
    throw new Error('Nothing was replayed');
  }
  /** The history with another word in its place, as if other code had written it. */
  const changed = (from: string, to: string): NamedHistory => {
    const text = JSON.stringify(published.history);
    if (!text.includes(from)) throw new Error(`${from} is not in the history`);
    return {
      workflowId: 'changed',
      history: JSON.parse(text.replaceAll(from, to)) as NamedHistory['history'],
    };
  };

  it('is not reported if both agree', async () => {
    expect(await divergenceOf(bundle, published)).to.equal(undefined);
  });

  it('is not reported for the beginning of a matching history, which a running task may have', async () => {
    const { events } = published.history;
    const last = events.findLastIndex(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'generatePage',
    );
    for (let count = last - 2; count <= last; count++) {
      const history = { events: events.slice(0, count) };
      expect(await divergenceOf(bundle, { workflowId: 'x', history }), `${count} events`).to.equal(
        undefined,
      );
    }
  });

  it('is reported with the activity and the event if another activity came first', async () => {
    const { eventId, step } = (await divergenceOf(await altered('waitFirst'), published))!;
    const event = published.history.events.find((one) => one.eventId === eventId)!;
    expect(event.eventType).to.equal('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
    expect(step).to.match(/^readSite ".*\/locations\/austin\b/);
  });

  for (const [name, summary] of [
    ['commitChanges', /^renamed ".*\b3 page.*"$/],
    ['publish', /^renamed ".*\bthe site\b.*"$/],
    ['deployProduction', /^renamed ".*\bcccccccccc\b.*"$/],
  ] as [string, RegExp][])
    it(`is reported if the history has another activity than ${name}, for which the SDK names no event`, async () => {
      const found = await divergenceOf(bundle, changed(`{"name":"${name}"}`, '{"name":"renamed"}'));
      expect(found!.step).to.match(summary);
      expect(found!.reason).to.include("'renamed'").and.include(name);
      const event = published.history.events.find((one) => one.eventId === found!.eventId)!;
      expect(event.activityTaskScheduledEventAttributes!.activityType).to.deep.equal({ name });
    });

  it('is reported at the end if the history ends differently', async () => {
    const { events } = published.history;
    const end = { ...events.at(-1)!, eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED' };
    const { eventId, eventType } = end;
    const canceled = { eventId, eventType, workflowExecutionCanceledEventAttributes: {} };
    const history = { events: [...events.slice(0, -1), canceled] };
    expect((await divergenceOf(bundle, { workflowId: 'x', history }))!.step).to.match(
      /^workflow execution canceled/,
    );
  });

  describe('in a file', () => {
    const config = readConfig({ DATA_DIR: folder });
    const file = join(folder, 'history.json');
    const idsOf = async (text: string) => {
      writeFileSync(file, text);
      const found = [];
      for await (const one of historiesOf(file, config))
        found.push(await divergenceOf(bundle, one));
      return found;
    };

    it('is found in a file with an object as in one with a list of events', async () => {
      expect(await idsOf(JSON.stringify(published.history))).to.deep.equal([undefined]);
      expect(await idsOf(JSON.stringify(published.history.events))).to.deep.equal([undefined]);
    });

    for (const text of ['', '{}', '[]', '{"events":[{}]}', 'null', '{"events":7}'])
      it(`is an error if the file is not a history: ${text}`, async () => {
        const error = await idsOf(text).catch((reason: unknown) => reason as DomainError);
        expect(error).to.include({ code: 'INVALID_INPUT' });
        expect((error as Error).message).to.include(`${file} is no history`);
      });
  });

  it('is not searched for if no server runs', async () => {
    const ask = historiesOf('TaskStatus = "failed"', readConfig({ DATA_DIR: folder })).next();
    expect(await ask.catch((reason: unknown) => reason)).to.include({ code: 'CONFIGURATION' });
  });
});
