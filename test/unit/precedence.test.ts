import { expect } from 'chai';
import { createPrecedence } from '../../src/precedence.ts';
import { countWaits } from '../../src/waiting.ts';

const LONG = 60_000;

describe('createPrecedence(what)', () => {
  /** Creations and steps, which say in which order they came about. */
  function story(longestMs = LONG) {
    const precedence = createPrecedence('a creation', longestMs);
    const told: string[] = [];
    const create = (name: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const created = precedence.first(async () => {
        await promise.finally(() => told.push(name));
      });
      return { end: resolve, fail: reject, created };
    };
    const step = (name: string) => precedence.free().then(() => void told.push(name));
    const settled = () => new Promise(setImmediate);
    return { told, create, step, settled, precedence };
  }

  it('lets steps begin at once where there is no creation, before and after one', async () => {
    const { told, create, step, settled } = story();
    void step('one');
    await settled();
    const { end, created } = create('creation');
    end();
    await created;
    void step('two');
    await settled();
    expect(told).to.deep.equal(['one', 'creation', 'two']);
  });

  it('lets steps that begin during creations wait until the last one has its answer', async () => {
    const { told, create, step, settled } = story();
    const [one, two] = [create('creation 1'), create('creation 2')];
    const steps = [step('a'), step('b')];
    one.end();
    await settled();
    steps.push(step('c'));
    await settled();
    expect(told).to.deep.equal(['creation 1']);
    two.end();
    await Promise.all(steps);
    expect(told).to.deep.equal(['creation 1', 'creation 2', 'a', 'b', 'c']);
  });

  it('counts a creation that fails as over', async () => {
    const { told, create, step } = story();
    const { fail, created } = create('creation');
    const waiting = step('a');
    fail(new Error('refused'));
    expect(await created.catch(String)).to.equal('Error: refused');
    await waiting;
    expect(told).to.deep.equal(['creation', 'a']);
  });

  it('stops no step for long, however many creations come', async () => {
    const { told, create, step } = story(20);
    const creations = ['creation 1', 'creation 2'].map(create);
    await step('a');
    expect(told).to.deep.equal(['a']);
    for (const { end } of creations) end();
    await Promise.all(creations.map(({ created }) => created));
  });

  it('tells what a step waits for', async () => {
    const { create, precedence } = story();
    const { end } = create('creation');
    await countWaits(async (waits) => {
      const free = precedence.free();
      expect(waits.current()).to.equal('a creation');
      end();
      await free;
      expect(waits.current()).to.equal(undefined);
    });
  });
});
