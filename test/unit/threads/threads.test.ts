import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../../src/errors.ts';
import {
  createThreadPool,
  threadCount,
  type ThreadLimits,
  type PrioritizedJobOwner,
} from '../../../src/threads/threadPool.ts';
import { until } from '../../helpers/until.ts';
import type { Jobs } from './worker.ts';

const worker = new URL('./worker.ts', import.meta.url);
const overLimit = (limit: string) => `The job takes more than ${limit}`;
const failure = async (work: Promise<unknown>): Promise<unknown> => {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error(`It did not fail: ${JSON.stringify(outcome)}`);
  return outcome;
};

describe('createThreadPool(options)', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((threads) => threads.close())));

  const create = (limits: ThreadLimits = {}) => {
    const threads = createThreadPool(limits);
    opened.push(threads);
    return (name: keyof Jobs, argument = 0, organizationId = 'a', signal?: AbortSignal) =>
      threads.run(worker, { name, args: [argument] }, overLimit, { organizationId, signal });
  };

  for (const name of ['forever', 'backtrack'] as const)
    it(`ends a job permanently that uses too much CPU time (${name}), while others continue`, async () => {
      const run = create({ cpuLimit: 300 });
      const ended = failure(run(name));
      for (let i = 0; i < 5; i++) expect(await run('busy', 1, 'b')).to.equal(1);
      expect(await ended)
        .to.be.instanceOf(DomainError)
        .and.include({
          code: 'LIMIT_EXCEEDED',
          retryable: false,
          message: overLimit('0.3 s of CPU time'),
        });
      expect(await run('busy', 1)).to.equal(1);
    });

  it('counts neither the time that a job waits nor what its thread used before, however busy the machine is', async () => {
    const run = create({ cpuLimit: 300 });
    const jobs = Array.from({ length: availableParallelism() * 3 }, (_, i) =>
      run('busy', 150, `o${i % 3}`),
    );
    expect(await run('sleep', 700)).to.equal('timed-out');
    expect(await Promise.all(jobs)).to.deep.equal(jobs.map(() => 150));
  });

  for (const name of ['objects', 'strings', 'map', 'buffers'] as const)
    it(`ends a job permanently that needs too much memory (${name}), and nothing else`, async () => {
      const run = create({ cpuLimit: 20_000, memoryLimit: 256 });
      const ended = failure(run(name));
      expect(await run('busy', 50, 'b')).to.equal(50);
      expect(await ended)
        .to.be.instanceOf(DomainError)
        .and.include({
          code: 'LIMIT_EXCEEDED',
          retryable: false,
          message: overLimit('256 MB of memory'),
        });
      expect(await run('busy', 1)).to.equal(1);
    });

  it('gives the main thread priority over its jobs', async function () {
    if (process.platform !== 'linux') this.skip();
    expect(await create()('priority')).to.be.greaterThan(getPriority());
  });

  it('asks for a repetition of a job whose thread was ended from outside, which then succeeds', async () => {
    const run = create();
    const [lost, other] = await Promise.all([failure(run('exit')), run('busy', 100, 'b')]);
    expect(lost)
      .to.be.instanceOf(DomainError)
      .and.include({ code: 'UNAVAILABLE', retryable: true });
    expect(other).to.equal(100);
    expect(await run('busy', 1)).to.equal(1);
  });

  it('returns errors as they are: ours as data, others as our mistakes', async () => {
    const run = create();
    expect(await failure(run('refuse')))
      .to.be.instanceOf(DomainError)
      .and.include({ code: 'INVALID_INPUT', message: 'Not this one' });
    expect(await failure(run('fail')))
      .to.be.instanceOf(TypeError)
      .and.include({ message: 'a mistake of ours' });
  });

  it('ends the running and waiting jobs of a caller that has gone, and gets its threads back', async () => {
    const run = create({ cpuLimit: 600_000 });
    const gone = new AbortController();
    const reason = new Error('gone');
    await Promise.all(Array.from({ length: threadCount() }, () => run('sleep', 100)));
    const jobs = Array.from({ length: 20 }, () => failure(run('forever', 0, 'a', gone.signal)));
    await setImmediate(); // by then the threads have the first jobs
    gone.abort(reason);
    expect(await Promise.all(jobs)).to.deep.equal(jobs.map(() => reason));
    const threads = Array.from({ length: threadCount() + 1 }, () => run('busy', 1));
    expect(await Promise.all(threads)).to.deep.equal(threads.map(() => 1));
  });

  it('runs a job only when its work allows it, and other jobs in the meantime', async () => {
    const threads = createThreadPool();
    opened.push(threads);
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>();
    const run = (work: PrioritizedJobOwner) =>
      threads.run(worker, { name: 'thread', args: [] }, overLimit, work);
    const ends: string[] = [];
    const later = run({ organizationId: 'a', inTurn: (job) => turn.then(job) });
    const noted = later.then(() => ends.push('later'));
    for (const organizationId of ['a', 'b']) {
      await run({ organizationId });
      ends.push(organizationId);
    }
    begin();
    await noted;
    expect(ends).to.deep.equal(['a', 'b', 'later']);
  });

  it('gives an organization all threads while no other one waits', async () => {
    const run = create();
    const threads = await Promise.all(
      Array.from({ length: threadCount() }, () => run('sleepingThread', 100)),
    );
    expect(new Set(threads)).to.have.property('size', threadCount());
  });

  it('answers one organization although another one has many endless jobs, each within the limit of a job', async () => {
    const run = create({ cpuLimit: 300 });
    const gone = new AbortController();
    let ended = 0;
    const hostile = Array.from({ length: 50 }, () =>
      failure(run('forever', 0, 'a', gone.signal)).finally(() => ended++),
    );
    expect(await run('busy', 1, 'b')).to.equal(1);
    expect(ended, 'jobs that ended before').to.be.at.most(threadCount());
    gone.abort(new Error('gone'));
    await Promise.all(hostile);
  });

  it('leaves a thread to others beside an organization whose jobs are slow, after the first of them', async () => {
    const run = create();
    const gone = new AbortController();
    let ended = 0;
    const slow = Array.from({ length: 50 }, () =>
      run('sleep', 2_000, 'a', gone.signal)
        .catch(() => undefined)
        .finally(() => ended++),
    );
    for (let i = 0; i < 10; i++) {
      expect(await run('busy', 1, 'b')).to.equal(1);
      await delay(10); // a task does other things between its jobs
    }
    expect(ended, 'slow jobs that ended meanwhile').to.be.below(10);
    gone.abort(new Error('gone'));
    await Promise.all(slow);
  });

  describe('on Linux', function () {
    before(function () {
      if (process.platform !== 'linux') this.skip();
    });

    it("keeps a thread ready beside an organization's jobs, also after they have ended their threads", async () => {
      const run = create({ cpuLimit: 600_000 });
      const before = threadsNow();
      for (let round = 0; round < 2; round++) {
        const gone = new AbortController();
        const jobs = Array.from({ length: threadCount() - 1 }, () =>
          failure(run('forever', 0, `organization ${round}`, gone.signal)),
        );
        await until('a thread for others', () => threadsNow() === before + threadCount());
        gone.abort(new Error('gone'));
        await Promise.all(jobs);
      }
    });
  });
});

/** Worker threads of this process. */
const threadsNow = () =>
  readdirSync('/proc/self/task').filter((task) => nameOf(task) === 'WorkerThread').length;

function nameOf(task: string): string {
  try {
    return readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim();
  } catch {
    return ''; // it has just ended
  }
}
