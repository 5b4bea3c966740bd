import { expect } from 'chai';
import { compare, percentile } from '../../../bench/measure.ts';
import { rowOf } from '../../../bench/table.ts';

describe('compare(what, { rounds, within }, { measured, baseline })', () => {
  const told: string[] = [];
  const work = {
    measured: (round: number) => Promise.resolve(told.push(`measured ${round}`) && 10 * (round + 1)),
    baseline: (round: number) => Promise.resolve(told.push(`baseline ${round}`) && 5 * (round + 1)),
  };
  beforeEach(() => void told.splice(0));

  it('measures both in turn, and leaves the warm-up out', async () => {
    const found = await compare('a / b', { rounds: 2 }, work);
    expect(told).to.deep.equal([0, 1, 2].flatMap((round) => [`measured ${round}`, `baseline ${round}`]));
    expect([found.measured, found.baseline]).to.deep.equal([
      [20, 30],
      [10, 15],
    ]);
  });

  it('counts the only round where there was no time for another', async () => {
    const { measured, baseline } = await compare('a / b', { rounds: 9, within: 0 }, work);
    expect([measured, baseline]).to.deep.equal([[10], [5]]);
  });

  it('measures nothing of work that fails', async () => {
    const failing = { ...work, baseline: () => Promise.reject(new Error('A task failed')) };
    const error: unknown = await compare('a / b', { rounds: 2 }, failing).catch((thrown: unknown) => thrown);
    expect(error).to.be.an('error').with.property('message', 'A task failed');
  });

  it('is printed as the ratio of the medians', () => {
    const row = rowOf({ what: 'a / b', aim: '2', unit: 'ms', measured: [1_000, 30, 20], baseline: [10, 12, 2] });
    expect(row).to.deep.equal({ what: 'a / b', aim: '2', ratio: '3.00', measured: '30 ms', baseline: '10 ms', rounds: '3' }); // prettier-ignore
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
