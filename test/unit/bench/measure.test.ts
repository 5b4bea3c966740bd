import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { atOnce, compare, percentile } from '../../../bench/measure.ts';
import { rowOf, withRows } from '../../../bench/table.ts';
import { root } from '../../helpers/documents.ts';

/** As the rows of the bench name them. */
const printed = [
  'create: 16 POSTs at once / `workflow.start` of the same input',
  'finished task: reads / `/healthz`, 16 connections',
  'running task: GET / a bare query',
  'ten pages / ten no-op activities',
  '50 published pages at one site / no-op workflows',
  '50 published pages over 5 sites / no-op workflows',
  'a creation beside 50 tasks / `workflow.start` at the same moments, 95th percentiles',
  'ten items at 1 s model delay / one',
  'a published page on a site of 10,000 pages / of 10',
  'the same with refs of 10,000 old tasks / with none',
  'kill -9 with 50 in flight: first finished',
  'last finished',
  'steps repeated',
  'events of a published ten-page task with callback',
  'bytes of its history',
  'CPU time of a published page, 50 at once, without the Temporal server',
  'its billable actions, as the history shows them',
  'its billable actions, with heartbeats and queries',
  'memory idle',
  'memory after 2,000 tasks / after 200',
];

describe('compare(what, { rounds, within }, { measured, baseline })', () => {
  const told: string[] = [];
  const work = {
    measured: (round: number) =>
      Promise.resolve(told.push(`measured ${round}`) && 10 * (round + 1)),
    baseline: (round: number) => Promise.resolve(told.push(`baseline ${round}`) && 5 * (round + 1)),
  };
  beforeEach(() => void told.splice(0));

  it('measures both in turn, and leaves the warm-up out', async () => {
    const found = await compare('a / b', { rounds: 2 }, work);
    expect(told).to.deep.equal(
      [0, 1, 2].flatMap((round) => [`measured ${round}`, `baseline ${round}`]),
    );
    expect([found.measured, found.baseline]).to.deep.equal([
      [20, 30],
      [10, 15],
    ]);
  });

  it('counts the only round if there was no time for another', async () => {
    const { measured, baseline } = await compare('a / b', { rounds: 9, within: 0 }, work);
    expect([measured, baseline]).to.deep.equal([[10], [5]]);
  });

  it('measures nothing of failing work', async () => {
    const failing = { ...work, baseline: () => Promise.reject(new Error('A task failed')) };
    const error: unknown = await compare('a / b', { rounds: 2 }, failing).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.an('error').with.property('message', 'A task failed');
  });

  for (const [unit, measured, baseline, printed] of [
    ['ms', [1_000, 30, 20], [10, 12, 2], '3.00 (30 / 10 ms)'],
    ['ms', [8_700], [3_500], '2.49 (8.7 / 3.5 s)'],
    ['ms', [1_234], [40], '30.85 (1.23 / 0.04 s)'],
    ['a second', [3_731], [11_375], '0.33 (3,731 / 11,375 a second)'],
  ] as const)
    it(`prints the ratio of the medians: ${printed}`, () => {
      const row = rowOf({
        what: 'a / b',
        aim: '2',
        unit,
        measured: [...measured],
        baseline: [...baseline],
      });
      expect(row).to.deep.equal({ what: 'a / b', aim: '2', measured: printed });
    });
});

describe('atOnce(count, work)', () => {
  it('fails with the first failure when all others have ended', async () => {
    const ended: number[] = [];
    const work = async (n: number) => {
      for (let turn = 0; turn < n; turn++) await setImmediate();
      if (n === 1 || n === 2) throw new Error(`task ${n} failed`);
      return ended.push(n);
    };
    const error: unknown = await atOnce(5, work).catch((thrown: unknown) => thrown);
    expect(error).to.be.an('error').with.property('message', 'task 1 failed');
    expect(ended).to.deep.equal([0, 3, 4]);
  });
});

describe('withRows(document, rows)', () => {
  const document = [
    '| other | table |',
    '',
    '| what | aim | before | after |',
    '| --- | --- | --- | --- |',
    '| a / `b` | 2 | 4.00 (8 / 2 ms) | 3.00 (6 / 2 ms) |',
    '| c | flat | | 5 |',
    '',
    'After the table.',
  ];
  const table = document.slice(2, 6);
  const row = (what: string) => ({ what, aim: '2', measured: '1.00 (2 / 2 ms)' });

  it("returns the document's table with the new figures in the last column", () => {
    const filled = table.with(2, '| a / `b` | 2 | 4.00 (8 / 2 ms) | 1.00 (2 / 2 ms) |');
    expect(withRows(document.join('\n'), [row('a / `b`')]).split('\n')).to.deep.equal(filled);
    expect(withRows(document.join('\n'), []).split('\n')).to.deep.equal(table);
  });

  it('appends rows that the document does not have', () => {
    const lines = withRows(document.join('\n'), [row('new')]).split('\n');
    expect(lines).to.deep.equal([...table, '| new | 2 |  | 1.00 (2 / 2 ms) |']);
  });

  it('finds each printed row of the bench in docs/performance.md', () => {
    const performance = readFileSync(join(root, 'docs/performance.md'), 'utf8');
    for (const what of printed) {
      const filled = withRows(performance, [row(what)]);
      expect(filled.match(/1\.00 \(2 \/ 2 ms\) \|$/gm), what).to.have.lengthOf(1);
      expect(filled.split('\n')).to.have.lengthOf(withRows(performance, []).split('\n').length);
    }
  });
});

describe('percentile(values, part)', () => {
  for (const [values, part, expected] of [
    [[7], 0.95, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 1, 2, 3], 0.5, 2.5],
    [Array.from({ length: 101 }, (_, n) => n), 0.95, 95],
  ] as const)
    it(`of ${values.length} values, ${part}, is ${expected}`, () => {
      expect(percentile([...values], part)).to.be.closeTo(expected, 1e-9);
    });
});
