/**
 * Events of an organization: what its endpoints (programs, Slack and Microsoft Teams) and the
 * creators of tasks are notified of. Workflows load this file, so it imports only types and names.
 *
 * A workflow starts a child workflow for each event (`EventInput`). That stores one delivery for
 * each endpoint that wants the event, and tries each of them for up to 28 hours.
 */

import type { EndpointKind, EventType } from './eventTypes.ts';
import type { EventBody } from './responses/events.ts';
import type { HeartbeatIntervals } from './task.ts';

export type { EventBody } from './responses/events.ts';
export {
  type EndpointKind,
  endpointKinds,
  type EventListeners,
  type EventType,
  eventTypes,
  TEST_EVENT,
} from './eventTypes.ts';

export const EVENT_WORKFLOW = 'eventWorkflow';
/** The workflow of an event. Its id is derived from the event's, so no event is sent twice. */
export const eventWorkflowId = (eventId: string) => `event-${eventId}`;

/** The most pages that an event names. */
export const EVENT_PAGES = 20;
/** The most characters of texts in events, such as a question. */
export const EVENT_TEXT_LENGTH = 500;

export type DistributiveOmit<Union, Name extends string> = Union extends unknown
  ? Omit<Union, Name>
  : never;
type WithoutUrl<Event> = Event extends { type: infer Type; data: infer Data }
  ? { type: Type; data: DistributiveOmit<Data, 'url'> }
  : never;

/** What happened. Activities add the URL of the task or batch in the console. */
export type NewEvent = WithoutUrl<EventBody> & {
  /** The same for each repetition. It is the `webhook-id`. */
  eventId: string;
  /** ISO 8601, UTC. */
  timestamp: string;
};

/** Activities return this, so that a workflow knows whether the organization has endpoints. */
export interface EndpointFlag {
  hasEndpoints?: true;
}

/** The argument of `eventWorkflow`: an event to record, or deliveries that are recorded already. */
export interface EventInput {
  organizationId: string;
  event?: NewEvent;
  userId?: string;
  deliveries?: string[];
  /** Makes only one attempt. Absent: up to eight. */
  once?: true;
  heartbeats?: HeartbeatIntervals;
}

/** Events that wait for the creator, or end the wait. Only these are mailed to the creator. */
export const mailedTypes: readonly EventType[] = [
  'task.failed',
  'task.question',
  'batch.waiting',
  'batch.completed',
];

/** One delivery with what is needed to send it. */
export interface OpenedDelivery {
  eventId: string;
  body: string;
  kind: EndpointKind;
  url: string;
  /** The newest first. Empty for Slack and Teams. */
  secrets: string[];
  isEnabled: boolean;
}

/** How an attempt ended. `status`: of the response, if there was one. */
export interface DeliveryAttempt {
  status?: number;
  /** Absent: the endpoint acknowledged it. */
  error?: string;
  /** Made anew for each attempt, so that a repeated write counts once. */
  attemptId: string;
  /** Whether no attempt follows. */
  isLast: boolean;
}

/** The log of deliveries, as activities use it. */
export interface DeliveryLog {
  /**
   * Stores an event for each enabled endpoint that wants it. Repeatable: an event that is stored
   * already is not stored again.
   * @returns the ids of its deliveries
   */
  record(
    organizationId: string,
    event: Pick<NewEvent, 'eventId' | 'type'>,
    body: string,
  ): Promise<string[]>;
  /** Whether the organization has an enabled endpoint. Cached. */
  hasEndpoints(organizationId: string): Promise<boolean>;
  /** Null if the endpoint was deleted, or the delivery is over. */
  open(deliveryId: string): Promise<OpenedDelivery | null>;
  /**
   * Stores an attempt. Repeatable: an attempt counts once. After the last one, disables the
   * endpoint if all deliveries failed for five days.
   */
  storeAttempt(deliveryId: string, attempt: DeliveryAttempt): Promise<void>;
  /**
   * Returns the endpoint of a delivery if it was disabled because of failures and its owners do not
   * know yet.
   */
  unreportedFailure(deliveryId: string): Promise<DisabledEndpoint | null>;
  /** Records that the owners know that the endpoint is disabled. */
  failureReported(endpointId: string): Promise<void>;
  /** Removes old deliveries. Repeatable. */
  prune(): Promise<void>;
}

/** An endpoint that the service disabled. */
export interface DisabledEndpoint {
  endpointId: string;
  organizationId: string;
  description: string;
  /** Its URL without secrets. */
  shownUrl: string;
}
