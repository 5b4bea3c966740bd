import { expect } from 'chai';
import { mock } from 'node:test';
import { createStartQueue } from '../../../src/temporal/tasks/startQueue.ts';

describe('createStartQueue(calls)', () => {
  let time = 0;
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const settled = () => new Promise(setImmediate);
  async function later(ms: number) {
    time += ms;
    mock.timers.tick(ms);
    await settled();
  }

  /** A server that answers when the test says, in the order of the calls. */
  function slowServer() {
    const sent: { name: string; answer: () => void }[] = [];
    const within = <T>(ms: number, call: () => Promise<T>) =>
      Promise.race([
        call(),
        new Promise<never>((_, fail) => setTimeout(() => fail(new Error('late')), ms)),
      ]);
    const queue = createStartQueue({ within }, () => time);
    const results: string[] = [];
    const start = (name: string, organizationId = 'org') => {
      const call = () => new Promise<void>((resolve) => sent.push({ name, answer: resolve }));
      const turn = queue.enter(organizationId);
      turn.run(call).then(
        () => results.push(`${name} began`),
        (error: Error) => results.push(`${name} failed: ${error.message}`),
      );
    };
    const answer = async (count: number) => {
      for (const { answer } of sent.splice(0, count)) answer();
      await settled();
    };
    return { sent, start, answer, results };
  }
  const names = (count: number) => Array.from({ length: count }, (_, n) => `task ${n}`);

  it('sends 16 at once, and starts 140 however long they take together, while some are answered', async () => {
    const { sent, start, answer, results } = slowServer();
    names(140).forEach((name) => start(name));
    await settled();
    for (let answered = 0; answered < 140; answered += 16) {
      expect(sent).to.have.length(Math.min(16, 140 - answered));
      await later(3_000);
      await answer(16);
    }
    expect(results).to.deep.equal(names(140).map((name) => `${name} began`));
  });

  it('fails all within four seconds if nothing is answered, including those that were not sent', async () => {
    const { sent, start, results } = slowServer();
    names(40).forEach((name) => start(name));
    await later(3_999);
    expect(results).to.deep.equal([]);
    await later(1);
    expect(results).to.have.length(40);
    expect(
      results.filter((result) => result.endsWith('failed: Temporal did not answer in time')),
    ).to.have.length(24);
    expect(sent).to.have.length(16);
  });
});
