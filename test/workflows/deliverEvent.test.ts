import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import { EVENT_WORKFLOW, type EventInput, eventWorkflowId } from '../../src/contract/events.ts';
import { TASK_QUEUE } from '../../src/contract/task.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { fakeActivities, startTimeSkipping, type TimeSkipping } from '../helpers/temporal.ts';

const organizationId = '11111111-1111-4111-8111-111111111111';
const MINUTE = 60;
const HOUR = 3_600;

describe('the delivery of an event', function () {
  this.timeout(120_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** Delivers to endpoints whose attempts end so. @returns the seconds between the attempts */
  async function deliver(
    deliverEvent: TaskActivities['deliverEvent'],
    input: Partial<EventInput> = {},
  ) {
    const times: number[] = [];
    const lasts: boolean[] = [];
    const activities = {
      ...fakeActivities(),
      deliverEvent: (async (argument) => {
        times.push(await server.env.currentTimeMs());
        lasts.push(argument.isLast);
        return deliverEvent(argument);
      }) as TaskActivities['deliverEvent'],
    };
    await server.during(activities, () =>
      server.env.client.workflow.execute(EVENT_WORKFLOW, {
        workflowId: eventWorkflowId(randomTaskId()),
        taskQueue: TASK_QUEUE,
        args: [{ organizationId, deliveries: ['d1'], ...input }],
      }),
    );
    const pauses = times.slice(1).map((time, i) => Math.round((time - times[i]!) / 1000));
    return { pauses, lasts };
  }

  it('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then given up', async () => {
    const { pauses, lasts } = await deliver(async () => 'failed');
    const expected = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
    expect(pauses).to.have.length(expected.length);
    // a busy machine adds some seconds
    for (const [i, seconds] of expected.entries())
      expect(pauses[i]).to.be.within(seconds, seconds + 20);
    expect(lasts).to.deep.equal([...Array<boolean>(7).fill(false), true]);
  });

  it('is repeated until the endpoint acknowledges it', async () => {
    let attempts = 0;
    const { pauses } = await deliver(async () => (++attempts < 3 ? 'failed' : 'over'));
    expect(pauses).to.have.length(2);
  });

  it('is tried once if it is a test', async () => {
    const { lasts } = await deliver(async () => 'failed', { once: true });
    expect(lasts).to.deep.equal([true]);
  });

  it('goes to each endpoint by itself', async () => {
    const counts = new Map<string, number>();
    await deliver(
      async ({ deliveryId }) => {
        counts.set(deliveryId, (counts.get(deliveryId) ?? 0) + 1);
        return deliveryId === 'd1' ? 'failed' : 'over';
      },
      { deliveries: ['d1', 'd2'] },
    );
    expect(Object.fromEntries(counts)).to.deep.equal({ d1: 8, d2: 1 });
  });
});
