import { expect } from 'chai';
import { processMany } from '../../../../../src/sites/git/command/processMany.ts';

describe('processMany(things, work)', () => {
  it('lets other work run after each 1,000 items', async () => {
    let done = 0;
    const seen: number[] = [];
    const look = () => {
      seen.push(done);
      if (done < 5_500) setImmediate(look);
    };
    setImmediate(look);
    await processMany(Array(5_500).keys(), () => void done++);
    expect(seen).to.include.members([1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('ends with the reason of the signal', async () => {
    const reason = new Error('cancelled');
    let done = 0;
    const failure = await processMany(
      Array(5_500).keys(),
      () => void done++,
      AbortSignal.abort(reason),
    ).catch((error: unknown) => error);
    expect([failure, done]).to.deep.equal([reason, 1_000]);
  });
});
