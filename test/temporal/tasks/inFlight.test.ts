import { expect } from 'chai';
import { createInFlight } from '../../../src/temporal/tasks/inFlight.ts';

/** A server's list that is as far behind as the test says. */
function listing() {
  const [running, all] = [new Set<string>(), new Set<string>()];
  let asked = 0;
  let fails = false;
  const list = async () => {
    asked++;
    await new Promise(setImmediate);
    if (fails) throw new Error('down');
    return { running: new Set(running), all: new Set(all) };
  };
  return {
    list,
    asked: () => asked,
    began: (taskId: string) => void (running.add(taskId), all.add(taskId)),
    ended: (taskId: string) => void (running.delete(taskId), all.add(taskId)),
    fail: () => void (fails = true),
  };
}

describe('createInFlight({ limit, list })', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `bg-${n}`);

  it('gives exactly as many places as there are, however many ask at once, with one question for all of them', async () => {
    const server = listing();
    const inFlight = createInFlight({ limit: 7, list: server.list });
    const places = await Promise.all(ids(300).map((taskId) => inFlight.take('org', taskId)));
    expect(places.filter(Boolean)).to.have.length(7);
    expect(server.asked()).to.equal(1);
  });

  it('counts a task once, before and after the server lists it', async () => {
    const server = listing();
    const inFlight = createInFlight({ limit: 2, list: server.list });
    await inFlight.take('org', 'bg-1');
    server.began('bg-1');
    expect(await inFlight.take('org', 'bg-2')).to.be.a('function');
    expect(await inFlight.take('org', 'bg-3')).to.equal(undefined);
  });

  it('counts what other processes started', async () => {
    const server = listing();
    const inFlight = createInFlight({ limit: 1, list: server.list });
    server.began('bg-theirs');
    expect(await inFlight.take('org', 'bg-1')).to.equal(undefined);
  });

  it('frees the place of a task that has ended, also of one that was never seen running', async () => {
    const server = listing();
    const inFlight = createInFlight({ limit: 1, list: server.list });
    await inFlight.take('org', 'bg-1');
    server.ended('bg-1');
    expect(await inFlight.take('org', 'bg-2')).to.be.a('function');
  });

  it('frees a place that is given back', async () => {
    const inFlight = createInFlight({ limit: 1, list: listing().list });
    (await inFlight.take('org', 'bg-1'))?.();
    expect(await inFlight.take('org', 'bg-2')).to.be.a('function');
  });

  it('has a place for a task that has one', async () => {
    const server = listing();
    const inFlight = createInFlight({ limit: 1, list: server.list });
    expect(await inFlight.take('org', 'bg-1')).to.be.a('function');
    expect(await inFlight.take('org', 'bg-1')).to.be.a('function');
    server.began('bg-1');
    expect(await inFlight.take('org', 'bg-1')).to.be.a('function');
    expect(await inFlight.take('org', 'bg-2')).to.equal(undefined);
  });

  it('counts each organization by itself', async () => {
    const inFlight = createInFlight({ limit: 1, list: listing().list });
    expect(await inFlight.take('one', 'bg-1')).to.be.a('function');
    expect(await inFlight.take('other', 'bg-2')).to.be.a('function');
  });

  it('counts only its own starts while the server does not answer', async () => {
    const server = listing();
    const inFlight = createInFlight({ limit: 2, list: server.list });
    server.began('bg-theirs');
    server.fail();
    const places = await Promise.all(ids(3).map((taskId) => inFlight.take('org', taskId)));
    expect(places.filter(Boolean)).to.have.length(2);
  });
});
