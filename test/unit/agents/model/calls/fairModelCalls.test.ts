import { expect } from 'chai';
import {
  createFairModelCalls,
  MODEL_CALL_TURN,
} from '../../../../../src/agents/model/calls/fairModelCalls.ts';
import { countWaits } from '../../../../../src/waitCounters.ts';
import { until } from '../../../../helpers/until.ts';

const settle = () => new Promise(setImmediate);

describe('createFairModelCalls({ atOnce })', () => {
  const never = new AbortController().signal;
  let began: string[];
  beforeEach(() => void (began = []));

  const hang = (name: string) => () => {
    began.push(name);
    return new Promise<void>(() => {});
  };

  it('leaves a permit free for the next organization, however many calls of others hang', async () => {
    const calls = createFairModelCalls({ atOnce: 20 });
    for (let i = 0; i < 100; i++) void calls.run('a', hang('a'), never);
    await settle();
    expect(began).to.have.length(19);
    void calls.run('b', hang('b'), never);
    await settle();
    expect(began).to.have.length(20);
    expect(began.at(-1)).to.equal('b');
  });

  it('gives each of two organizations at most half while both wait, and leaves a permit free for a third', async () => {
    const calls = createFairModelCalls({ atOnce: 20 });
    for (let i = 0; i < 100; i++)
      for (const key of ['a', 'b']) void calls.run(key, hang(key), never);
    await settle();
    expect(began.filter((key) => key === 'a').length).to.be.at.most(10);
    expect(began).to.have.length(19);
    void calls.run('c', hang('c'), never);
    await settle();
    expect(began.at(-1)).to.equal('c');
  });

  it('makes the only call that a process may make', async () => {
    const calls = createFairModelCalls({ atOnce: 1 });
    expect(await calls.run('a', () => Promise.resolve(7), never)).to.equal(7);
    expect(await calls.run('a', () => Promise.resolve(8), never)).to.equal(8);
  });

  it('reports what a call waits for, and ends the waiting with the reason of its signal', async () => {
    const calls = createFairModelCalls({ atOnce: 1 });
    const gone = new AbortController();
    void calls.run('a', hang('first'), never);
    const work = countWaits((waits) => ({ waits, done: calls.run('b', hang('b'), gone.signal) }));
    await until('the wait', () => work.waits.current() === MODEL_CALL_TURN);
    const reason = new Error('cancelled');
    gone.abort(reason);
    expect(await work.done.catch((error: unknown) => error)).to.equal(reason);
    expect(work.waits.current()).to.equal(undefined);
    expect(began).to.deep.equal(['first']);
  });

  it('passes the permit of a failed call to the next', async () => {
    const calls = createFairModelCalls({ atOnce: 1 });
    await calls.run('a', () => Promise.reject(new Error('no')), never).catch(() => undefined);
    expect(await calls.run('b', () => Promise.resolve('b'), never)).to.equal('b');
  });
});
