import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createTaskWatchers,
  type TaskWatchers,
  type WatchedTask,
} from '../../../src/tasks/taskWatchers.ts';
import { DomainError } from '../../../src/errors.ts';
import { organizationId, taskId } from '../../helpers/api.ts';
import { Story } from '../../helpers/story.ts';
import { until } from '../../helpers/until.ts';
import { failureOf } from '../../helpers/team/workplace.ts';

const forEver = new AbortController().signal;
const unavailable = new DomainError('UNAVAILABLE', 'Temporal did not answer', { retryable: true });

describe('createTaskWatchers', () => {
  let story: Story;
  let watchers: TaskWatchers;
  beforeEach(() => {
    story = new Story(organizationId, taskId);
    watchers = createTaskWatchers(story, { every: 20 });
  });
  afterEach(() => watchers.close());

  const join = (signal = forEver) => watchers.join(organizationId, taskId, signal);
  const ids = (task: WatchedTask) => task.latest().events.map(({ id }) => id);

  it('asks once for all listeners, and then once for each pause', async () => {
    const slow = createTaskWatchers(story, { every: 60_000 });
    const tasks = await Promise.all(
      Array.from({ length: 50 }, () => slow.join(organizationId, taskId, forEver)),
    );
    tasks.push(await slow.join(organizationId, taskId, forEver));
    slow.close();
    expect(story.asked).to.equal(1);
    for (const task of tasks) expect(ids(task)).to.deep.equal([1]);
  });

  it('notifies every listener of news', async () => {
    const tasks = [await join(), await join()];
    story.tell({ type: 'page', slug: '/a' });
    for (const task of tasks)
      await until('the news', () => task.next(forEver).then(() => ids(task).length === 2));
  });

  it('asks in the name of each organization, so that a foreign one never hears of the task', async () => {
    await join();
    expect(await failureOf(watchers.join('another', taskId, forEver))).to.include({
      code: 'NOT_FOUND',
    });
    await until('the foreign watching to end', () => watchers.size() === 1);
  });

  it('stops asking when nobody listens any more, and asks at most once per pause for short-lived listeners', async () => {
    const start = performance.now();
    for (let i = 0; i < 30; i++) {
      const gone = new AbortController();
      await join(gone.signal);
      gone.abort();
    }
    await until('the end of the watching', () => watchers.size() === 0);
    expect(story.asked).to.be.at.most(1 + Math.ceil((performance.now() - start) / 20));
    const { asked } = story;
    await delay(100);
    expect(story.asked).to.equal(asked);
  });

  it('forgets a listener that left before it joined', async () => {
    await join(AbortSignal.abort());
    await until('the end of the watching', () => watchers.size() === 0);
  });

  it('ends with the task, also for a listener that was busy in the meantime', async () => {
    const task = await join();
    expect(ids(task)).to.deep.equal([1]);
    story.tell({ type: 'page', slug: '/a' });
    story.finish();
    await until('the end of the watching', () => watchers.size() === 0);
    expect(await task.next(forEver)).to.equal(true);
    expect([ids(task), task.latest().view.status]).to.deep.equal([[1, 2, 3], 'failed']);
    expect(await task.next(forEver)).to.equal(false);
  });

  it('keeps the known events while the worker is away', async () => {
    story.tell({ type: 'page', slug: '/a' });
    const task = await join();
    const told = story.events.splice(0);
    const { asked } = story;
    await until('another question', () => story.asked > asked + 1);
    expect(ids(task)).to.deep.equal([1, 2]);
    story.events.push(...told);
    story.finish();
    await until('the end', () => watchers.size() === 0);
    expect(ids(task)).to.deep.equal([1, 2, 3]);
  });

  it("continues while the task can't be read, and ends if it no longer exists", async () => {
    const task = await join();
    story.failure = unavailable;
    const { asked } = story;
    await until('some failures', () => story.asked > asked + 2);
    expect(watchers.size()).to.equal(1);
    expect(ids(task)).to.deep.equal([1]);
    story.failure = new DomainError('NOT_FOUND', 'Task not found');
    await until('the end', () => watchers.size() === 0);
    await until('the end for the listener', async () => !(await task.next(forEver)));
  });

  it("fails for new listeners while the task can't be read, and tries again for the next", async () => {
    story.failure = unavailable;
    expect(await failureOf(join())).to.equal(unavailable);
    story.failure = undefined;
    await until('the failed watching to end', () => watchers.size() === 0);
    expect(ids(await join())).to.deep.equal([1]);
  });

  it('releases all listeners when it is closed, and accepts no more', async () => {
    const task = await join();
    expect(ids(task)).to.deep.equal([1]);
    const waiting = until('the end for the listener', async () => !(await task.next(forEver)));
    watchers.close();
    await waiting;
    expect(watchers.closing.aborted).to.equal(true);
    expect(await failureOf(join())).to.include({ code: 'UNAVAILABLE' });
  });
});
