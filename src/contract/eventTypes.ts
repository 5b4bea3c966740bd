/** The types of events of an organization, and the kinds of endpoints that receive them. */

export const eventTypes = [
  'task.completed',
  'task.failed',
  'task.question',
  'batch.waiting',
  'batch.completed',
  'page.published',
  'review.requested',
  'review.completed',
  'pull_request.waiting',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The type of the event that tries an endpoint out. Endpoints can't select it. */
export const TEST_EVENT = 'endpoint.test';

export const endpointKinds = ['webhook', 'slack', 'teams'] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** Who listens to the events of a task or batch. Absent fields: nobody does. */
export interface EventListeners {
  /** Whether the organization has enabled endpoints. */
  endpoints?: true;
  /** The creator, if it is a person and the service can send e-mails. */
  userId?: string;
}
