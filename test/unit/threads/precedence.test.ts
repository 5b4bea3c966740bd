import { expect } from 'chai';
import { setImmediate as settle } from 'node:timers/promises';
import { createTaskPriority } from '../../../src/threads/taskPriority.ts';

const FOREVER_MS = 1_000_000;

describe('createTaskPriority({ pause, between })', () => {
  let began: string[];
  beforeEach(() => (began = []));

  const create = (pause = FOREVER_MS) => {
    const { during, after } = createTaskPriority({ pause, between: 0 });
    return {
      /** A step of a task, which runs until the test ends it. */
      step: () => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        const ended = during(() => promise);
        return { ended, end: () => resolve('done'), fail: () => reject(new Error('no')) };
      },
      /** A job of a batch of organization `a`, if it is `a1`. */
      job: async (name: string, signal?: AbortSignal) => {
        await after({ organizationId: name[0]!, signal }).inTurn!(
          async () => void began.push(name),
        );
      },
    };
  };

  it('lets jobs of batches begin at once while no task works', async () => {
    const { job } = create();
    await Promise.all(['a1', 'a2', 'b1'].map((name) => job(name)));
    expect(began).to.have.members(['a1', 'a2', 'b1']);
  });

  it('makes batch jobs wait until no task works, also if an activity failed, and then begins all', async () => {
    const { job, step } = create();
    const [first, second] = [step(), step()];
    const jobs = ['a1', 'a2'].map((name) => job(name));
    first.fail();
    expect(await first.ended.catch(String)).to.equal('Error: no');
    await settle();
    expect(began).to.deep.equal([]);
    second.end();
    expect(await second.ended).to.equal('done');
    await Promise.all(jobs);
    await job('a3');
    expect(began).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('continues beside a task that never ends, in turns of the organizations', async () => {
    const { job, step } = create(1);
    step();
    await Promise.all(['a1', 'a2', 'a3', 'b1'].map((name) => job(name)));
    expect(began).to.deep.equal(['a1', 'a2', 'b1', 'a3']);
  });

  it('stops waiting for a job that nobody wants any more', async () => {
    const { job, step } = create();
    const { end } = step();
    const gone = new AbortController();
    const first = job('a1');
    const waiting = job('a2', gone.signal);
    gone.abort(new Error('gone'));
    expect(await waiting.catch(String)).to.equal('Error: gone');
    end();
    await first;
    expect(began).to.deep.equal(['a1']);
  });
});
