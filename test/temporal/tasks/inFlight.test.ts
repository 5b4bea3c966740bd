import { expect } from 'chai';
import { createInFlight, type InFlightLimits, type Owner } from '../../../src/temporal/tasks/inFlight.ts';

const SECOND = 1_000;

/** A server whose counts are as far behind as the test says. */
function counting() {
  const running = new Map<string, string>();
  const all = new Set<string>();
  const asked = { running: 0, listed: 0 };
  let fails = false;
  const answer = async (value: () => number) => {
    await new Promise(setImmediate);
    if (fails) throw new Error('down');
    return value();
  };
  return {
    asked,
    counts: {
      running({ siteId }: Owner) {
        asked.running++;
        return answer(() => [...running.values()].filter((site) => siteId === undefined || site === siteId).length);
      },
      listed(taskIds: string[]) {
        asked.listed++;
        return answer(() => taskIds.filter((taskId) => all.has(taskId)).length);
      },
    },
    began: (taskId: string, siteId = 'site') => void (running.set(taskId, siteId), all.add(taskId)),
    ended: (taskId: string) => void (running.delete(taskId), all.add(taskId)),
    fail: () => void (fails = true),
    recover: () => void (fails = false),
  };
}

describe('createInFlight({ limits, counts })', () => {
  let time = 0;
  const later = (ms: number) => void (time += ms);

  /** @returns how to take a place: the answer is how to give it back, or what is full */
  function startsIn({ counts }: Pick<ReturnType<typeof counting>, 'counts'>, limits: Partial<InFlightLimits>) {
    const all = { organization: 1_000, site: 1_000, ...limits };
    const inFlight = createInFlight({ limits: all, counts, now: () => time });
    return async (organizationId: string, taskId: string, siteId = 'site') => {
      const place = await inFlight.take({ organizationId, siteId, taskId });
      return 'full' in place ? place.full : place.giveBack;
    };
  }
  const isTaken = (place: unknown) => typeof place === 'function';
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `bg-${n}`);

  it('gives exactly as many places as there are, however many ask at once, with one question for all of them', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 7 });
    const places = await Promise.all(ids(300).map((taskId) => take('org', taskId)));
    expect(places.filter(isTaken)).to.have.length(7);
    expect(server.asked).to.deep.equal({ running: 1, listed: 0 });
  });

  it('asks once in five seconds where many places are free', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 1_000 });
    for (const taskId of ids(400)) {
      later(25);
      expect(isTaken(await take('org', taskId))).to.equal(true);
    }
    expect(server.asked).to.deep.equal({ running: 2, listed: 0 });
  });

  /** A server whose next answers come when the test says. */
  function holding() {
    const server = counting();
    let gate = Promise.resolve();
    const running = async (owner: Owner) => {
      const answer = server.counts.running(owner);
      await gate;
      return answer;
    };
    const hold = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    };
    return { ...server, counts: { ...server.counts, running }, hold };
  }

  it('waits for the next count where the last one is five seconds old', async () => {
    const server = holding();
    const take = startsIn(server, { organization: 1_000 });
    expect(isTaken(await take('org', 'bg-1'))).to.equal(true);
    later(5 * SECOND);
    const answer = server.hold();
    let isAnswered = false;
    const taking = take('org', 'bg-2').finally(() => (isAnswered = true));
    await new Promise(setImmediate);
    expect([isAnswered, server.asked.running]).to.deep.equal([false, 2]);
    answer();
    expect(isTaken(await taking)).to.equal(true);
  });

  it('keeps the places of tasks that the server does not list for long, until it answers', async () => {
    const server = holding();
    const take = startsIn(server, { organization: 20 });
    for (const taskId of ids(15)) expect(isTaken(await take('org', taskId))).to.equal(true);
    later(6 * SECOND);
    expect(isTaken(await take('org', 'late'))).to.equal(true);
    for (const taskId of [...ids(15), 'late']) server.began(taskId);
    later(6 * SECOND);
    const answer = server.hold();
    const taking = Promise.all(ids(30).map((_, n) => take('org', `more-${n}`)));
    answer();
    expect((await taking).filter(isTaken)).to.have.length(4);
  });

  it('asks at most once a second where none is free, however many want one', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 3 });
    for (const taskId of ids(3)) {
      await take('org', taskId);
      server.began(taskId);
    }
    for (const taskId of ids(400)) {
      later(10);
      if (!['bg-0', 'bg-1', 'bg-2'].includes(taskId)) expect(await take('org', taskId)).to.equal('organization');
    }
    expect(server.asked.running).to.be.within(4, 5);
    expect(server.asked.listed).to.be.at.most(5);
  });

  it('counts a task once, before and after the server lists it', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 2 });
    await take('org', 'bg-1');
    server.began('bg-1');
    later(SECOND);
    expect(await take('org', 'bg-2')).to.be.a('function');
    expect(await take('org', 'bg-3')).to.equal('organization');
    later(SECOND);
    expect(await take('org', 'bg-3')).to.equal('organization');
  });

  it('counts those once that are listed while others that began with them are not', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 4 });
    for (const taskId of ['bg-1', 'bg-2', 'bg-3']) await take('org', taskId);
    server.began('bg-1');
    server.ended('bg-2');
    later(SECOND);
    const places = await Promise.all(['bg-4', 'bg-5', 'bg-6'].map((taskId) => take('org', taskId)));
    expect(places.filter(isTaken)).to.have.length(2);
  });

  it('refuses nobody for tasks that count twice: of those that began while many places were free', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 10 });
    await take('org', 'bg-0');
    for (const taskId of ids(4)) {
      await take('org', taskId);
      server.began(taskId);
    }
    for (const taskId of ['theirs-1', 'theirs-2', 'theirs-3']) server.began(taskId);
    later(5 * SECOND);
    const places = await Promise.all(['a', 'b', 'c', 'd'].map((taskId) => take('org', taskId)));
    expect(places.filter(isTaken)).to.have.length(3);
  });

  it('counts what other processes started', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 1 });
    server.began('bg-theirs');
    expect(await take('org', 'bg-1')).to.equal('organization');
  });

  it('frees the place of a task that has ended, also of one that was never seen running', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 1 });
    await take('org', 'bg-1');
    server.ended('bg-1');
    later(SECOND);
    expect(await take('org', 'bg-2')).to.be.a('function');
  });

  it('frees the place of a task that the server never lists, because it did not begin', async () => {
    const take = startsIn(counting(), { organization: 1 });
    await take('org', 'bg-1');
    later(9 * SECOND);
    expect(await take('org', 'bg-2')).to.equal('organization');
    later(2 * SECOND);
    expect(await take('org', 'bg-2')).to.be.a('function');
  });

  it('frees a place that is given back', async () => {
    const take = startsIn(counting(), { organization: 1 });
    const giveBack = await take('org', 'bg-1');
    if (typeof giveBack === 'function') giveBack();
    expect(await take('org', 'bg-2')).to.be.a('function');
  });

  it('has a place for a task that has one', async () => {
    const take = startsIn(counting(), { organization: 1 });
    expect(await take('org', 'bg-1')).to.be.a('function');
    expect(await take('org', 'bg-1')).to.be.a('function');
    expect(await take('org', 'bg-2')).to.equal('organization');
  });

  it('counts each organization by itself', async () => {
    const take = startsIn(counting(), { organization: 1 });
    expect(await take('one', 'bg-1')).to.be.a('function');
    expect(await take('other', 'bg-2')).to.be.a('function');
  });

  it('counts only its own starts while the server does not answer', async () => {
    const server = counting();
    const take = startsIn(server, { organization: 2 });
    server.began('bg-theirs');
    server.fail();
    const places = await Promise.all(ids(3).map((taskId) => take('org', taskId)));
    expect(places.filter(isTaken)).to.have.length(2);
    later(SECOND);
    expect(await take('org', 'bg-9')).to.equal('organization');
  });

  describe('while counts fail', () => {
    const theirs = (server: ReturnType<typeof counting>, count: number) =>
      Array.from({ length: count }, (_, n) => server.began(`bg-theirs-${n}`));

    for (const { running, wanted, places } of [
      { running: 3, wanted: 4, places: 0 },
      { running: 1, wanted: 9, places: 2 },
    ])
      it(`keeps the limit by the last answer for ten seconds: of 3 places ${running} were taken`, async () => {
        const server = counting();
        const take = startsIn(server, { organization: 3 });
        theirs(server, running);
        const first = await take('org', 'bg-first');
        if (typeof first === 'function') first();
        server.fail();
        const taken: unknown[] = [];
        for (let n = 0; n < wanted; n++) {
          later(SECOND);
          taken.push(await take('org', `bg-${n}`));
        }
        expect(taken.filter(isTaken)).to.have.length(places);
      });

    it('counts only its own starts once the last answer is older', async () => {
      const server = counting();
      const take = startsIn(server, { organization: 3 });
      theirs(server, 3);
      expect(await take('org', 'bg-1')).to.equal('organization');
      server.fail();
      later(11 * SECOND);
      const places = await Promise.all(ids(5).map((taskId) => take('org', taskId)));
      expect(places.filter(isTaken)).to.have.length(3);
    });

    it('asks once a second, however many wait and though most places are free', async () => {
      const server = counting();
      const take = startsIn(server, { organization: 1_000 });
      server.fail();
      for (const taskId of ids(40)) {
        later(SECOND / 10);
        await Promise.all([take('org', taskId), take('org', `${taskId}-too`)]);
      }
      expect(server.asked.running).to.be.within(4, 5);
    });

    it('counts by the server again a second after it answers', async () => {
      const server = counting();
      const take = startsIn(server, { organization: 3 });
      server.fail();
      expect(await take('org', 'bg-1')).to.be.a('function');
      server.recover();
      theirs(server, 3);
      later(SECOND);
      expect(await take('org', 'bg-2')).to.equal('organization');
    });
  });

  describe('for one site', () => {
    it('gives as many places as a site has, and says that the site is full', async () => {
      const server = counting();
      const take = startsIn(server, { organization: 9, site: 2 });
      server.began('bg-theirs', 'one');
      expect(await take('org', 'bg-1', 'one')).to.be.a('function');
      expect(await take('org', 'bg-2', 'one')).to.equal('site');
      const places = await Promise.all(ids(4).map((taskId) => take('org', `${taskId}-other`, 'other')));
      expect(places.filter(isTaken)).to.have.length(2);
      expect(places.filter((place) => place === 'site')).to.have.length(2);
    });

    it('takes no place of the organization where the site has none', async () => {
      const take = startsIn(counting(), { organization: 2, site: 1 });
      await take('org', 'bg-1', 'one');
      for (const taskId of ids(5)) expect(await take('org', `${taskId}-more`, 'one')).to.equal('site');
      expect(await take('org', 'bg-2', 'other')).to.be.a('function');
    });

    it('says that the organization is full where both are', async () => {
      const take = startsIn(counting(), { organization: 1, site: 1 });
      await take('org', 'bg-1', 'one');
      expect(await take('org', 'bg-2', 'one')).to.equal('organization');
    });

    it('frees the place of a task that has ended or that did not start, and has one for a task that has one', async () => {
      const server = counting();
      const take = startsIn(server, { site: 1 });
      const giveBack = await take('org', 'bg-1');
      expect(await take('org', 'bg-1')).to.be.a('function');
      if (typeof giveBack === 'function') giveBack();
      expect(await take('org', 'bg-2')).to.be.a('function');
      server.ended('bg-2');
      later(SECOND);
      expect(await take('org', 'bg-3')).to.be.a('function');
    });
  });
});
