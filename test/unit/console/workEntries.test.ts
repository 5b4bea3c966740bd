import { expect } from 'chai';
import { groupWork } from '../../../src/console/browser/screens/tasks/workEntries.ts';
import type { TaskSummaryResponse } from '../../../src/contract/responses.ts';

let created = 0;
/** A task that was created after those before it. */
const task = (taskId: string, fields: Partial<TaskSummaryResponse> = {}) =>
  ({
    taskId,
    type: 'prompt',
    status: 'completed',
    createdAt: new Date(Date.UTC(2026, 0, 1) + ++created).toISOString(),
    ...fields,
  }) as TaskSummaryResponse;

/** The entries of a list, which has the latest task first. */
const entriesOf = (...tasks: TaskSummaryResponse[]) =>
  groupWork(tasks.toReversed()).map(({ task: shown, stateTask, earlierTasks }) => [
    shown.taskId,
    stateTask.taskId,
    earlierTasks,
  ]);

describe('groupWork', () => {
  it('lists a task and its completed publish once, as the task', () => {
    const tasks = [task('a'), task('p', { type: 'publish', follows: 'a' }), task('b')];
    expect(entriesOf(...tasks)).to.deep.equal([
      ['b', 'b', 0],
      ['a', 'a', 0],
    ]);
  });

  for (const status of ['running', 'failed'] as const)
    it(`shows the state of a publish that is ${status}`, () => {
      const tasks = [task('a'), task('p', { type: 'publish', status, follows: 'a' })];
      expect(entriesOf(...tasks)).to.deep.equal([['a', 'p', 0]]);
    });

  it('shows the latest of follow-ups and retries, however far they reach', () => {
    const tasks = [
      task('a', { status: 'failed' }),
      task('retry', { follows: 'a' }),
      task('next', { follows: 'retry' }),
      task('p', { type: 'publish', follows: 'next' }),
    ];
    expect(entriesOf(...tasks)).to.deep.equal([['next', 'next', 2]]);
  });

  it('shows the task that asks a question before others that follow the same task', () => {
    const asking = task('asking', { status: 'running', asks: true, follows: 'a' });
    const tasks = [task('a'), asking, task('later', { status: 'running', follows: 'a' })];
    expect(entriesOf(...tasks)).to.deep.equal([['asking', 'asking', 2]]);
  });

  it('begins an entry with a task whose predecessor is not in the list', () => {
    const tasks = [task('p', { type: 'publish', follows: 'gone' }), task('edit', { type: 'edit' })];
    expect(entriesOf(...tasks)).to.deep.equal([
      ['edit', 'edit', 0],
      ['p', 'p', 0],
    ]);
  });
});
