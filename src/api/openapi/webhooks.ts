import { BatchCallback } from '../../contract/responses/batches.ts';
import { CallbackPayload } from '../../contract/responses/taskDetails.ts';
import { type EventType, eventTypes } from '../../contract/events.ts';
import { eventSchemaName, eventSchemas } from '../../contract/responses/events.ts';
import { examplesOf } from './exampleOf.ts';
import type { CallbackSource, JsonSchema, ApiParameter } from './operation.ts';
import { exampleBatchId, exampleTaskId } from './parameters.ts';

const description = `
The service sends this once, when a task that was created with a \`callbackUrl\` has succeeded or failed. Any 2xx
response within 15 seconds acknowledges it. Otherwise, the service sends it again after 5, 10 and 20 seconds, with the same body.
It does not follow redirects, and does not read the body of the response.

The request is signed as [Standard Webhooks](https://www.standardwebhooks.com) specifies, with the callback secret of your organization. Check the
signature before you trust the body.
`.trim();

const headerParameter = (
  name: string,
  headerDescription: string,
  schema: JsonSchema,
  example: string,
): ApiParameter => ({
  name,
  in: 'header',
  required: true,
  description: headerDescription,
  schema,
  example,
});

/** @param id what the webhook-id is */
const signatureParameters = (id: string, example: string) => [
  headerParameter('webhook-id', id, { type: 'string' }, example),
  headerParameter(
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970.',
    { type: 'string', pattern: '^\\d+$' },
    '1795244419',
  ),
  headerParameter(
    'webhook-signature',
    '`v1,` followed by the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const responses = {
  '2XX': { description: 'Acknowledges the callback. The service does not send it again.' },
  default: { description: 'The service sends the callback again, up to 3 times.' },
};

/** Webhooks have their own tag: generators that write a class for each tag would overwrite it. */
const tags = ['Webhooks'];

const eventSummaries: Record<EventType, string> = {
  'task.completed': 'A task has completed',
  'task.failed': 'A task has failed or was cancelled',
  'task.question': 'A task asks a question',
  'batch.waiting': 'A batch waits for an approval of its first pages',
  'batch.completed': 'A batch has completed, failed or was cancelled',
  'page.published': 'A task or batch has put pages live',
  'review.requested': 'Somebody created a share link',
  'review.completed': 'The guests of a share link have answered for all pages',
  'pull_request.waiting': 'A pull request waits for a person to merge it',
};

/** `taskCompleted` for `task.completed`. */
const eventOperationId = (type: EventType) => {
  const name = eventSchemaName(type).slice(0, -'Event'.length);
  return name[0]!.toLowerCase() + name.slice(1);
};

/** The webhook of a type of event. */
const eventItem = (type: EventType) => ({
  post: {
    tags,
    operationId: eventOperationId(type),
    summary: eventSummaries[type],
    description:
      'The service sends this to the webhook endpoints of the organization that have selected the type. It is signed with the secret of the endpoint. Without a 2xx response within 15 seconds, the service sends it again, up to seven times in 28 hours.',
    security: [],
    parameters: signatureParameters(
      'The id of the event. Every attempt, and every redelivery, has the same id.',
      'bg-9l00000000000000000000-completed',
    ),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: eventSchemas[type],
          examples: examplesOf(eventSchemas[type]),
        },
      },
    },
    responses: { '2XX': { description: 'Acknowledges the event.' } },
  },
});

const eventItems = eventTypes.map(eventItem);

/**
 * The requests that the service sends to a `callbackUrl` (docs/contract.md, section 7) and to
 * webhook endpoints.
 */
export const webhookItems = {
  taskFinished: {
    post: {
      tags,
      operationId: 'taskFinished',
      summary: 'A task has finished',
      description,
      security: [],
      parameters: signatureParameters('The taskId. Every attempt has the same id.', exampleTaskId),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: CallbackPayload, examples: examplesOf(CallbackPayload) },
        },
      },
      responses,
    },
  },
  batchEnded: {
    post: {
      tags,
      operationId: 'batchEnded',
      summary: 'A batch has ended or waits for a person',
      description:
        'The service sends this each time that a batch with a `callbackUrl` ends or waits for an approval. The body only contains counts of rows.',
      security: [],
      parameters: signatureParameters(
        'The id of the callback. The batch sends another id each time that it ends or waits.',
        `${exampleBatchId}-1795244419567`,
      ),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: BatchCallback, examples: examplesOf(BatchCallback) },
        },
      },
      responses: {
        ...responses,
        default: { description: 'The service sends the callback again, like that of a task.' },
      },
    },
  },
  ...(Object.fromEntries(eventItems.map((item) => [item.post.operationId, item])) as Record<
    string,
    ReturnType<typeof eventItem>
  >),
};

/**
 * References to the webhooks. For webhooks that are described inline, openapi-generator writes
 * methods, which are not valid Python.
 */
export const webhooks = Object.fromEntries(
  Object.keys(webhookItems).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]),
);

/**
 * Webhooks as the callbacks of an operation. Some generators leave out schemas to which no
 * operation refers; this reference keeps the schemas of webhooks.
 */
export function callbacksOf(source: CallbackSource) {
  const urlField = source === 'events' ? 'url' : 'callbackUrl';
  const items = source === 'events' ? eventItems : [webhookItems[source]];
  return Object.fromEntries(items.map(({ post }) => asCallback(urlField, post)));
}

interface WebhookOperation {
  operationId: string;
  summary: string;
  requestBody: object;
  responses: object;
}

function asCallback(
  urlField: string,
  { operationId, summary, requestBody, responses: answers }: WebhookOperation,
) {
  const callbackPost = {
    summary,
    description: `The webhook \`${operationId}\`. It has a signature instead of an API key.`,
    security: [],
    requestBody,
    responses: answers,
  };
  const name = `on${operationId[0]!.toUpperCase()}${operationId.slice(1)}`;
  return [name, { [`{$request.body#/${urlField}}`]: { post: callbackPost } }] as const;
}
