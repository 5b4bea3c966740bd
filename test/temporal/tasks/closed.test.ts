import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { createTaskClient } from '../../../src/temporal/tasks/taskClient.ts';
import { randomTaskId } from '../../../src/temporal/tasks/taskId.ts';
import { unlimited } from '../../helpers/leases.ts';

interface Poll {
  token: string;
  signal: AbortSignal;
  answer: (page: { events?: number; token?: string }) => void;
}

/** Tasks at a server whose polls a test answers one by one. */
function polled() {
  const polls: Poll[] = [];
  let signal: AbortSignal;
  const client = {
    options: {},
    withDeadline: (_: unknown, work: () => unknown) => work(),
    withAbortSignal(given: AbortSignal, work: () => unknown) {
      signal = given;
      return work();
    },
    workflowService: {
      getWorkflowExecutionHistory: ({ nextPageToken }: { nextPageToken?: Uint8Array }) =>
        new Promise((resolve) => {
          polls.push({
            token: Buffer.from(nextPageToken ?? []).toString(),
            signal,
            answer: ({ events = 0, token = '' }) =>
              resolve({
                history: { events: Array.from({ length: events }, () => ({})) },
                nextPageToken: Buffer.from(token),
              }),
          });
        }),
    },
  } as unknown as Client;
  const secret = Buffer.alloc(32);
  const tasks = createTaskClient({ client, secret, workflowTaskTimeout: 1, leases: unlimited });
  return { polls, tasks };
}

const settled = () => new Promise(setImmediate);

describe('tasks.closed(taskId, signal)', () => {
  const taskId = randomTaskId();
  function waiting(tasks: ReturnType<typeof polled>['tasks'], id = taskId) {
    const end = new AbortController();
    const wait = { state: 'waiting', end };
    tasks.closed(id, end.signal).then(
      () => (wait.state = 'closed'),
      () => (wait.state = 'given up'),
    );
    return wait;
  }

  it('continues if a poll of Temporal ends without an event, until there is one', async () => {
    const { polls, tasks } = polled();
    const wait = waiting(tasks);
    for (const token of ['a', 'b', 'c']) {
      polls.at(-1)!.answer({ token });
      await settled();
      expect([wait.state, polls.at(-1)!.token]).to.deep.equal(['waiting', token]);
    }
    polls.at(-1)!.answer({ events: 1 });
    await settled();
    expect([wait.state, polls.length]).to.deep.equal(['closed', 4]);
  });
});
