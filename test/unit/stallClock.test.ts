import { expect } from 'chai';
import { startStallClock } from '../helpers/stallClock.ts';

describe('startStallClock', () => {
  it('measures a stall that begins and ends between two turns of the event loop', async () => {
    using clock = startStallClock();
    await clock.takeLongest();
    expect(await clock.takeLongest()).to.be.below(50);
    const { user } = process.threadCpuUsage();
    while (process.threadCpuUsage().user - user < 60_000);
    expect(await clock.takeLongest()).to.be.at.least(60);
  });
});
