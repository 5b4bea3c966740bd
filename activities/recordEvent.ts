import type { EndpointFlag, NewEvent } from '../src/contract/events.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';

interface RecordEventInput {
  /** Never present: a workflow of its own delivers events. */
  task?: never;
  organizationId: string;
  event: NewEvent;
}

type RecordEventDependencies = Pick<ActivityDependencies, 'eventLog' | 'consoleAddress'>;

/**
 * Whether the organization has endpoints, for the result of an activity that runs anyway. undefined
 * if it has none, so that the history stays the same.
 */
export const endpointFlag = async (
  { eventLog }: Pick<ActivityDependencies, 'eventLog'>,
  { organizationId }: Pick<TaskRef, 'organizationId'>,
): Promise<EndpointFlag | undefined> =>
  (await eventLog.hasEndpoints(organizationId)) ? { hasEndpoints: true } : undefined;

/**
 * Stores an event for each endpoint that wants it: the JSON that every attempt sends. Repeatable:
 * an endpoint has an event at most once.
 * @returns the ids of the deliveries
 */
export const createRecordEvent =
  ({ eventLog, consoleAddress }: RecordEventDependencies) =>
  ({ organizationId, event }: RecordEventInput): Promise<string[]> =>
    eventLog.record(organizationId, event, eventBody(event, consoleAddress));

/** The body of an event, as the schemas of `EventBody` describe it. */
function eventBody(
  { type, timestamp, data }: NewEvent,
  consoleAddress: RecordEventDependencies['consoleAddress'],
): string {
  return JSON.stringify({
    type,
    timestamp,
    data: { ...data, url: eventUrl(data, consoleAddress) },
  });
}

/** The address of an event's task or batch in the console. */
export function eventUrl(
  data: NewEvent['data'],
  consoleAddress: RecordEventDependencies['consoleAddress'],
): string {
  if ('batchId' in data && data.batchId !== undefined)
    return consoleAddress(`batches/${data.batchId}`);
  return consoleAddress(`tasks/${'taskId' in data ? data.taskId : ''}`);
}
