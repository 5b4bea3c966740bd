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

describe('the preferred worker of a site', () => {
  it('is the same whoever asks, in whatever order the workers are known', () => {
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

  it('changes for the sites of a removed worker, and for no other site', () => {
    const [gone, ...left] = names(10);
    for (const site of sites) {
      const before = choosePreferredWorker(site, [gone!, ...left]);
      if (before === gone) expect(choosePreferredWorker(site, left)).to.be.oneOf(left);
      else expect(choosePreferredWorker(site, left)).to.equal(before);
    }
  });

  it('is nobody if no worker is known', () =>
    expect(choosePreferredWorker('site', [])).to.equal(undefined));

  it('is found in the name of its worker, and not in other names', () => {
    for (const home of names(3)) expect(preferredWorkerIn(workerIdentity(home))).to.equal(home);
    for (const other of ['', '123@host', 'temporal-cli:user@host'])
      expect(preferredWorkerIn(other)).to.equal(undefined);
  });
});

describe('the simulated routing of activities', () => {
  const load = { sites: 1_000, workers: 10, tasksPerSite: 10 };

  it('clones each site once, while random routing clones nearly all sites on each worker', () => {
    expect(route({ ...load, by: 'any worker' }).clones).to.be.above(9_900);
    expect(route({ ...load, by: 'home' }).clones).to.equal(1_000);
  });

  it('clones the sites of a dead worker once more, and waits once per task until the death is noticed', () => {
    const { clones, waits } = route({ ...load, by: 'home', dies: { at: 0.5, noticedAfter: 0.01 } });
    expect(clones).to.be.within(1_000, 1_000 + 250);
    expect(waits).to.be.within(1, 30);
  });
});
