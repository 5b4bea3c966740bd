import { proxySinks, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { TaskSinks } from '../src/contract/metrics.ts';
import type { EventInput } from '../src/contract/events.ts';
import { eventActivities, heartbeatOptions, summaryOptions } from './activityProxies.ts';
import { settle } from './failures.ts';
import { EVENT_RETRY_PAUSES } from './policies.ts';

const { tasks } = proxySinks<TaskSinks>();

/**
 * Delivers an event of an organization to its endpoints, and by e-mail to the creator of the task
 * or batch. Each endpoint has up to eight attempts within 28 hours. The database has the events and
 * the log of the attempts, so the history only contains ids.
 *
 * For example, `{ event: { eventId: 'bg-…-completed', type: 'task.completed', … } }` records two
 * deliveries, for two endpoints that want such events, and tries both at the same time.
 */
export async function eventWorkflow(input: EventInput): Promise<void> {
  const { event, organizationId, userId } = input;
  const options = heartbeatOptions(input);
  const deliveries = [...(input.deliveries ?? [])];
  const mailing: Promise<unknown>[] = [];
  if (event) {
    const title = summaryOptions(`Record the event ${event.eventId}`);
    const recorded = await eventActivities.recordEvent.executeWithOptions(
      { ...title, ...options },
      [{ organizationId, event }],
    );
    deliveries.push(...recorded);
    if (userId !== undefined) {
      const mailTitle = summaryOptions(`Mail the event ${event.eventId} to the creator`);
      const mailOptions = { ...mailTitle, ...options };
      const argument = { organizationId, userId, event };
      mailing.push(settle(eventActivities.mailCreator.executeWithOptions(mailOptions, [argument])));
    }
  }
  setCurrentDetails(`${deliveries.length} endpoints`);
  await Promise.all([...mailing, ...deliveries.map((deliveryId) => deliver(deliveryId, input))]);
}

/** Tries one delivery until the endpoint acknowledges it, or no attempt is left. */
async function deliver(deliveryId: string, input: EventInput): Promise<void> {
  const pauses = input.once ? [] : EVENT_RETRY_PAUSES;
  for (let attempt = 0; ; attempt++) {
    const pause = pauses[attempt];
    const title = summaryOptions(`Attempt ${attempt + 1} of the delivery ${deliveryId}`);
    const isLast = pause === undefined;
    const delivering = eventActivities.deliverEvent.executeWithOptions(
      { ...title, ...heartbeatOptions(input) },
      [{ deliveryId, isLast }],
    );
    const settled = await settle(delivering);
    if (settled.ok && settled.value === 'over') return;
    if (isLast) {
      if (!input.once) tasks.deliveryGivenUp({ kind: 'event' });
      return;
    }
    await sleep(pause);
  }
}
