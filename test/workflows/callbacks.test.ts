import { WorkflowFailedError } from '@temporalio/client';
import { expect } from 'chai';
import { observeActivities } from '../../activities/observeActivities.ts';
import { createSendCallback } from '../../activities/sendCallback.ts';
import type { CallbackSender } from '../../src/callbacks/callbackSender.ts';
import type { CallbackDelivery } from '../../src/contract/callback.ts';
import { type TaskOutcome, TASK_QUEUE } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import { readDelivery } from '../../src/temporal/tasks/deliveryState.ts';
import {
  fakeActivities,
  generateTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../helpers/temporal.ts';

type Send = CallbackSender['send'];
const callbackUrl = 'https://receiver.example/done';
const log = createLogger('silent');

const error =
  'The callback to https://receiver.example was answered with status 503 instead of 2xx';
const unavailable = () =>
  new DomainError('CALLBACK_FAILED', error, { retryable: true, details: { status: 503 } });
const answered503 = { status: 503, error };

/** The real activity, in front of a receiver and a database that are functions. */
function activitiesWith(
  send: Send,
  callbackSecret: () => Promise<string> = async () => 'whsec_MDEyMzQ1Njc=',
) {
  const organizations = { callbackSecrets: async () => [await callbackSecret()] };
  const sendCallback = createSendCallback({ organizations, callbacks: { send }, log });
  return { ...fakeActivities(), ...observeActivities(log, { sendCallback }) };
}

const withoutTimes = ({ attempts }: CallbackDelivery) =>
  attempts.map(({ at: _, ...attempt }) => attempt);

describe('the delivery of a callback by the workflow', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** Runs a task to its end. @returns how it ended, and the delivery as its memo keeps it */
  async function run(...activities: Parameters<typeof activitiesWith>) {
    return server.during(activitiesWith(...activities), async () => {
      const handle = await startTask(server, generateTask({ callbackUrl }));
      await handle.result();
      const { memo, status } = await handle.describe();
      return {
        delivery: memo!['callback'] as CallbackDelivery,
        finished: memo!['finished'] as TaskOutcome,
        status,
      };
    });
  }

  it('is tried again after 5, 10 and 20 seconds with the same body, and leaves the result unchanged', async () => {
    const times: number[] = [];
    const bodies = new Set<string>();
    const { delivery, finished, status } = await run(async ({ body }) => {
      times.push(await server.env.currentTimeMs());
      bodies.add(body);
      throw unavailable();
    });
    expect(times).to.have.length(4);
    const pauses = times.slice(1).map((time, i) => Math.round((time - times[i]!) / 1000));
    // a busy machine adds to each
    for (const [i, seconds] of [5, 10, 20].entries())
      expect(pauses[i]).to.be.within(seconds, 2 * seconds - 1);
    expect(delivery.state).to.equal('failed');
    expect(withoutTimes(delivery)).to.deep.equal(Array(4).fill(answered503));
    expect(bodies.size).to.equal(1);
    expect(finished.status).to.equal('completed');
    expect(status.name).to.equal('COMPLETED');
  });

  it('is not tried again if it can never succeed', async () => {
    let sent = 0;
    const { delivery } = await run(async () => {
      sent += 1;
      throw new DomainError('CALLBACK_FAILED', 'Never');
    });
    expect(sent).to.equal(1);
    expect(delivery.state).to.equal('failed');
    expect(withoutTimes(delivery)).to.deep.equal([{ error: 'Never' }]);
  });

  it('makes all four attempts if the database is down before each, because the wait is not part of an attempt', async () => {
    let [reads, sent] = [0, 0];
    const readsBefore: number[] = [];
    const { delivery } = await run(
      async () => {
        sent += 1;
        readsBefore.push(reads);
        throw unavailable();
      },
      async () => {
        reads += 1;
        if (reads % 2 === 1) throw new Error('connect ECONNREFUSED 127.0.0.1:5432');
        return 'whsec_MDEyMzQ1Njc=';
      },
    );
    expect(sent).to.equal(4);
    expect(readsBefore).to.deep.equal([2, 4, 6, 8]);
    expect(withoutTimes(delivery)).to.deep.equal(Array(4).fill(answered503));
  });

  it('can be requested again as a workflow of its own, which fails if every attempt does', async () => {
    const task = generateTask();
    const finished: TaskOutcome = {
      status: 'failed',
      errorMessage: 'No',
      finishedAt: '2026-01-02T03:04:05.678Z',
    };
    const times: number[] = [];
    const bodies = new Set<string>();
    const send: Send = async ({ body }) => {
      times.push(await server.env.currentTimeMs());
      bodies.add(body);
      throw unavailable();
    };
    const { description, failure } = await server.during(activitiesWith(send), async () => {
      const handle = await server.env.client.workflow.start('redeliverWorkflow', {
        workflowId: `${task.taskId}-callback-1`,
        taskQueue: TASK_QUEUE,
        args: [{ task, callbackUrl, finished }],
      });
      const failure: unknown = await handle.result().catch((reason: unknown) => reason);
      return { description: await handle.describe(), failure };
    });
    const pauses = times.slice(1).map((time, i) => Math.round((time - times[i]!) / 1000));
    // a busy machine adds to each
    for (const [i, seconds] of [5, 10, 20].entries())
      expect(pauses[i]).to.be.within(seconds, 2 * seconds - 1);
    expect([...bodies].map((body) => JSON.parse(body) as object)).to.deep.equal([
      { taskId: task.taskId, status: 'failed', error: 'No', timestamp: finished.finishedAt },
    ]);
    expect(description.status.name).to.equal('FAILED');
    expect(failure).to.be.instanceOf(WorkflowFailedError);
    expect((failure as WorkflowFailedError).cause).to.deep.include({
      message: error,
      type: 'CallbackFailed',
    });
    const delivery = await readDelivery(server.env.client, description);
    expect(delivery.state).to.equal('failed');
    expect(withoutTimes(delivery)).to.deep.equal(Array(4).fill(answered503));
  });
});
