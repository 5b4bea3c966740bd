import type { Static } from 'typebox';
import { rowStates, type RowCounts } from '../batches/batch.ts';
import { type EventType, endpointKinds, eventTypes } from '../eventTypes.ts';
import { failureKinds } from '../task.ts';
import * as t from './schemas.ts';

/**
 * Bodies about events of an organization: the endpoints that receive them, the log of their
 * deliveries, and the events themselves. schemas.ts explains the form.
 */

export const WebhookEndpoint = t.object('WebhookEndpoint', {
  endpointId: t.uuid(),
  kind: t.oneOf(
    endpointKinds,
    'Who receives the events: `webhook`, a program that gets signed JSON. `slack` and `teams`, a channel that gets readable messages.',
  ),
  url: t.text(
    'The URL. For `slack` and `teams` only its origin, because the rest is a secret.',
    'https://example.com/hooks/agent-tasks',
  ),
  description: t.text('What the endpoint is for.', 'Release calendar'),
  eventTypes: t.list(t.oneOf(eventTypes), 'The types of events that the endpoint receives.'),
  enabled: t.flag('Whether the service sends events to it.'),
  disabledBecause: t.optional(
    t.oneOf(
      ['failures', 'request'],
      'Absent if it is enabled. `failures`: the service disabled it, because no delivery had succeeded for five days.',
    ),
  ),
  failingSince: t.orNull(
    t.time(
      'When the first delivery failed since the last success. Null if the last one succeeded.',
    ),
  ),
  secretRotatedAt: t.orNull(
    t.time('When the current secret was created. Null for `slack` and `teams`, which have none.'),
  ),
  previousSecretUntil: t.orNull(
    t.time('Until when the previous secret signs too. Null if there is no previous secret.'),
  ),
  createdAt: t.time(),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpointList = t.object('WebhookEndpointList', {
  endpoints: t.list(WebhookEndpoint, 'All endpoints, in the order of their creation.'),
});
export type WebhookEndpointList = Static<typeof WebhookEndpointList>;

export const WebhookEndpointCreated = t.object('WebhookEndpointCreated', {
  ...WebhookEndpoint.properties,
  secret: t.orNull(
    t.text(
      'The secret that signs the events: `whsec_…`. No later response contains it. Null for `slack` and `teams`.',
      'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    ),
  ),
});
export type WebhookEndpointCreated = Static<typeof WebhookEndpointCreated>;

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

export const EventDelivery = t.object('EventDelivery', {
  deliveryId: t.uuid(),
  eventId: t.text(
    'The id of the event, which is its `webhook-id`.',
    'bg-9l00000000000000000000-completed',
  ),
  eventType: t.text('The type of the event, or `endpoint.test`.', 'task.completed'),
  state: t.oneOf(
    deliveryStates,
    '`pending`: the service is still trying. `failed`: it has given up.',
  ),
  attempts: t.count('How often the service has sent the event.'),
  responseStatus: t.orNull(
    t.integer('The HTTP status of the last response. Null if there was no response.'),
  ),
  error: t.orNull(t.text('Why the last attempt failed. Null if it succeeded.')),
  createdAt: t.time(),
  attemptedAt: t.orNull(t.time('When the last attempt ended. Null before the first one.')),
});
export type EventDelivery = Static<typeof EventDelivery>;

export const EventDeliveryList = t.object('EventDeliveryList', {
  deliveries: t.list(EventDelivery, 'The deliveries of the endpoint, newest first.'),
  nextCursor: t.nextCursor,
});
export type EventDeliveryList = Static<typeof EventDeliveryList>;

const taskFields = {
  taskId: t.text('The id of the task.', 'bg-9l00000000000000000000'),
  siteId: t.uuid(),
  title: t.text('The title of the task.', 'Create /locations/porto'),
  url: t.url('The task in the console.'),
};
const batchFields = {
  batchId: t.text('The id of the batch.', 'bg-9l00000000000000000001'),
  siteId: t.uuid(),
  title: t.text('The title of the batch.', 'Location pages'),
  url: t.url('The batch in the console.'),
};
/** Of a task or of a batch. */
const workFields = {
  taskId: t.optional(taskFields.taskId),
  batchId: t.optional(batchFields.batchId),
  siteId: t.uuid(),
  title: t.text('The title of the task or batch.', 'Create /locations/porto'),
  url: t.url('The task or batch in the console.'),
};
const pageCount = t.count('How many pages there are. `pages` names at most 20 of them.');

const EventPage = t.object('EventPage', {
  slug: t.slug(),
  previewUrl: t.optional(t.orNull(t.url())),
  publishedUrl: t.orNull(t.url()),
});
const pages = t.list(EventPage, 'The first 20 pages.');

const batchRows = t.object(
  'EventRowCounts',
  Object.fromEntries(rowStates.map((state) => [state, t.count()])) as Record<
    keyof RowCounts,
    ReturnType<typeof t.count>
  >,
  'How many rows have each state.',
);

/** What `data` of each type of event has. */
const eventData = {
  'task.completed': {
    ...taskFields,
    pages,
    pageCount,
    noteCount: t.count('How many notes the result has: what a person should check.'),
  },
  'task.failed': {
    ...taskFields,
    failureKind: t.oneOf(failureKinds, 'Who can fix it. `cancelled`: somebody cancelled the task.'),
    errorMessage: t.text('Why the task failed, in at most 500 characters.'),
  },
  'task.question': {
    ...taskFields,
    questionId: t.text('The id of the question.', 'q1'),
    question: t.text('The question, in at most 500 characters.', 'Which of the two prices?'),
  },
  'batch.waiting': { ...batchFields, rows: batchRows },
  'batch.completed': {
    ...batchFields,
    status: t.oneOf(['completed', 'failed', 'cancelled'], 'How the batch ended.'),
    rows: batchRows,
  },
  'page.published': { ...workFields, pages, pageCount },
  'review.requested': {
    ...workFields,
    shareId: t.uuid('The id of the share link. The link itself is a secret.'),
    access: t.text('What the link allows: `view`, `comment` or `edit`.', 'comment'),
    expiresAt: t.time(),
  },
  'review.completed': {
    ...workFields,
    shareId: t.uuid('The id of the share link.'),
    guest: t.text('The name that the guest has given.', 'Ana'),
    isFine: t.flag(
      'Whether the guests of the link found all pages fine. Otherwise, notes say what is wrong.',
    ),
  },
  'pull_request.waiting': {
    ...workFields,
    pullRequestUrl: t.url(
      'The pull request that a person must merge.',
      'https://github.com/acme/site/pull/7',
    ),
  },
} satisfies Record<EventType, object>;

/** The name of the schema of a type of event: `TaskCompletedEvent`. */
export const eventSchemaName = (type: EventType) =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

const eventSchema = <Type extends EventType>(type: Type) =>
  t.object(eventSchemaName(type), {
    type: t.constant(type),
    timestamp: t.time('When it happened.'),
    data: t.object(`${eventSchemaName(type)}Data`, eventData[type]),
  });

/** The schemas of the bodies of all events, by their types. */
export const eventSchemas = {
  'task.completed': eventSchema('task.completed'),
  'task.failed': eventSchema('task.failed'),
  'task.question': eventSchema('task.question'),
  'batch.waiting': eventSchema('batch.waiting'),
  'batch.completed': eventSchema('batch.completed'),
  'page.published': eventSchema('page.published'),
  'review.requested': eventSchema('review.requested'),
  'review.completed': eventSchema('review.completed'),
  'pull_request.waiting': eventSchema('pull_request.waiting'),
};
export type EventBody = { [Type in EventType]: Static<(typeof eventSchemas)[Type]> }[EventType];
