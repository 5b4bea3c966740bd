import { expect } from 'chai';
import { route } from '../../../bench/routing/route.ts';
import {
  preferredWorkerIn,
  preferredWorkerName,
  choosePreferredWorker,
  workerIdentity,
} from '../../../src/temporal/workerNames.ts';

const names = (count: number) =>
  Array.from({ length: count }, (_, n) => preferredWorkerName(`/data/${n}`));
const sites = Array.from({ length: 2_000 }, (_, n) => `site-${n}`);

describe('the home of a site', () => {
  it('is the same whoever asks, in whatever order they know the workers', () => {
    const homes = names(10);
    for (const site of sites.slice(0, 100))
      expect(choosePreferredWorker(site, homes)).to.equal(
        choosePreferredWorker(site, [...homes].reverse()),
      );
  });

  it('is one of many, each with its share of the sites', () => {
    for (const count of [2, 3, 10]) {
      const shares = new Map<string, number>();
      for (const site of sites) {
        const home = choosePreferredWorker(site, names(count))!;
        shares.set(home, (shares.get(home) ?? 0) + 1);
      }
      const share = sites.length / count;
      for (const own of shares.values()) expect(own).to.be.within(share * 0.75, share * 1.25);
      expect(shares.size).to.equal(count);
    }
  });

  it('changes for the sites of a worker that goes, and for no other one', () => {
    const [gone, ...left] = names(10);
    for (const site of sites) {
      const before = choosePreferredWorker(site, [gone!, ...left]);
      if (before === gone) expect(choosePreferredWorker(site, left)).to.be.oneOf(left);
      else expect(choosePreferredWorker(site, left)).to.equal(before);
    }
  });

  it('is nobody where no worker is known', () =>
    expect(choosePreferredWorker('site', [])).to.equal(undefined));

  it('is found in the name of its worker, and not in other names', () => {
    for (const home of names(3)) expect(preferredWorkerIn(workerIdentity(home))).to.equal(home);
    for (const other of ['', '123@host', 'temporal-cli:user@host'])
      expect(preferredWorkerIn(other)).to.equal(undefined);
  });
});

describe('the routing of steps, simulated', () => {
  const load = { sites: 1_000, workers: 10, tasksPerSite: 10 };

  it('clones each site once, where every step on any worker clones nearly all of them on each', () => {
    expect(route({ ...load, by: 'any worker' }).clones).to.be.above(9_900);
    expect(route({ ...load, by: 'home' }).clones).to.equal(1_000);
  });

  it('clones the sites of a worker that dies once more, and waits once for each of its tasks until that is noticed', () => {
    const { clones, waits } = route({ ...load, by: 'home', dies: { at: 0.5, noticedAfter: 0.01 } });
    expect(clones).to.be.within(1_000, 1_000 + 250);
    expect(waits).to.be.within(1, 30);
  });
});
