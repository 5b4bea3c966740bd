import { expect } from 'chai';
import { createInFlight, type InFlightLimits, type ListedTasks } from '../../../src/temporal/tasks/inFlight.ts';

/** A server's list that is as far behind as the test says. */
function listing() {
  const [running, all] = [new Map<string, string>(), new Set<string>()];
  let asked = 0;
  let fails = false;
  const list = async () => {
    asked++;
    await new Promise(setImmediate);
    if (fails) throw new Error('down');
    return { running: new Map(running), all: new Set(all) };
  };
  return {
    list,
    asked: () => asked,
    began: (taskId: string, siteId = 'site') => void (running.set(taskId, siteId), all.add(taskId)),
    ended: (taskId: string) => void (running.delete(taskId), all.add(taskId)),
    fail: () => void (fails = true),
  };
}

describe('createInFlight({ limits, list })', () => {
  /** @returns how to take a place: the answer is how to give it back, or what is full */
  function startsIn(list: () => Promise<ListedTasks>, limits: Partial<InFlightLimits>) {
    const inFlight = createInFlight({ limits: { organization: 1_000, site: 1_000, ...limits }, list });
    return async (organizationId: string, taskId: string, siteId = 'site') => {
      const place = await inFlight.take({ organizationId, siteId, taskId });
      return 'full' in place ? place.full : place.giveBack;
    };
  }
  const isTaken = (place: unknown) => typeof place === 'function';
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `bg-${n}`);

  it('gives exactly as many places as there are, however many ask at once, with one question for all of them', async () => {
    const server = listing();
    const take = startsIn(server.list, { organization: 7 });
    const places = await Promise.all(ids(300).map((taskId) => take('org', taskId)));
    expect(places.filter(isTaken)).to.have.length(7);
    expect(server.asked()).to.equal(1);
  });

  it('counts a task once, before and after the server lists it', async () => {
    const server = listing();
    const take = startsIn(server.list, { organization: 2 });
    await take('org', 'bg-1');
    server.began('bg-1');
    expect(await take('org', 'bg-2')).to.be.a('function');
    expect(await take('org', 'bg-3')).to.equal('organization');
  });

  it('counts what other processes started', async () => {
    const server = listing();
    const take = startsIn(server.list, { organization: 1 });
    server.began('bg-theirs');
    expect(await take('org', 'bg-1')).to.equal('organization');
  });

  it('frees the place of a task that has ended, also of one that was never seen running', async () => {
    const server = listing();
    const take = startsIn(server.list, { organization: 1 });
    await take('org', 'bg-1');
    server.ended('bg-1');
    expect(await take('org', 'bg-2')).to.be.a('function');
  });

  it('frees a place that is given back', async () => {
    const take = startsIn(listing().list, { organization: 1 });
    const giveBack = await take('org', 'bg-1');
    if (typeof giveBack === 'function') giveBack();
    expect(await take('org', 'bg-2')).to.be.a('function');
  });

  it('has a place for a task that has one', async () => {
    const server = listing();
    const take = startsIn(server.list, { organization: 1 });
    expect(await take('org', 'bg-1')).to.be.a('function');
    expect(await take('org', 'bg-1')).to.be.a('function');
    server.began('bg-1');
    expect(await take('org', 'bg-1')).to.be.a('function');
    expect(await take('org', 'bg-2')).to.equal('organization');
  });

  it('counts each organization by itself', async () => {
    const take = startsIn(listing().list, { organization: 1 });
    expect(await take('one', 'bg-1')).to.be.a('function');
    expect(await take('other', 'bg-2')).to.be.a('function');
  });

  it('counts only its own starts while the server does not answer', async () => {
    const server = listing();
    const take = startsIn(server.list, { organization: 2 });
    server.began('bg-theirs');
    server.fail();
    const places = await Promise.all(ids(3).map((taskId) => take('org', taskId)));
    expect(places.filter(isTaken)).to.have.length(2);
  });

  describe('for one site', () => {
    it('gives as many places as a site has, and says that the site is full', async () => {
      const server = listing();
      const take = startsIn(server.list, { organization: 9, site: 2 });
      server.began('bg-theirs', 'one');
      expect(await take('org', 'bg-1', 'one')).to.be.a('function');
      expect(await take('org', 'bg-2', 'one')).to.equal('site');
      const places = await Promise.all(ids(4).map((taskId) => take('org', `${taskId}-other`, 'other')));
      expect(places.filter(isTaken)).to.have.length(2);
      expect(places.filter((place) => place === 'site')).to.have.length(2);
    });

    it('says that the organization is full where both are', async () => {
      const take = startsIn(listing().list, { organization: 1, site: 1 });
      await take('org', 'bg-1', 'one');
      expect(await take('org', 'bg-2', 'one')).to.equal('organization');
    });

    it('frees the place of a task that has ended or that did not start, and has one for a task that has one', async () => {
      const server = listing();
      const take = startsIn(server.list, { site: 1 });
      const giveBack = await take('org', 'bg-1');
      expect(await take('org', 'bg-1')).to.be.a('function');
      if (typeof giveBack === 'function') giveBack();
      expect(await take('org', 'bg-2')).to.be.a('function');
      server.ended('bg-2');
      expect(await take('org', 'bg-3')).to.be.a('function');
    });
  });
});
