import { batchStatuses, rowStates } from '../../contract/batch.ts';
import type { JsonSchema, Parameter } from './operation.ts';
import { exampleBatchId, exampleTaskId } from './parameters.ts';
import {
  arrayOf,
  booleanSchema,
  constant,
  enumSchema,
  objectSchema,
  schemaRef,
  textSchema,
  timeSchema,
  unionSchema,
  urlSchema,
} from './schemas.ts';

const taskId = schemaRef('TaskId');
const doneAt = timeSchema('When the task was done: the same on every attempt.');

/** Specification: Callback payload. */
export const webhookSchemas: Record<string, JsonSchema> = {
  CallbackPayload: unionSchema('status', {
    succeeded: 'SucceededCallback',
    failed: 'FailedCallback',
  }),
  SucceededCallback: objectSchema({
    taskId,
    status: constant('succeeded'),
    pages: arrayOf(schemaRef('Page'), 'Those created, then those modified.'),
    timestamp: doneAt,
    'test?': booleanSchema('True in a test callback only.'),
  }),
  FailedCallback: objectSchema({
    taskId,
    status: constant('failed'),
    error: textSchema('What went wrong.'),
    timestamp: doneAt,
  }),
  BatchCallback: objectSchema({
    batchId: schemaRef('TaskId'),
    status: enumSchema(batchStatuses.filter((status) => status !== 'running')),
    'error?': textSchema('Why it failed.'),
    rows: schemaRef('BatchRowCounts'),
    url: urlSchema('Where the batch is read.'),
    timestamp: timeSchema('When it ended: the same on every attempt.'),
  }),
};

const timestamp = '2026-11-21T07:00:19.567Z';
const examples = {
  succeeded: {
    value: {
      taskId: exampleTaskId,
      status: 'succeeded',
      pages: [
        {
          slug: '/locations/lisbon',
          previewUrl: `http://${exampleTaskId}--northwind.preview.localhost:3000/locations/lisbon`,
          editUrl: null,
          publishedUrl: null,
        },
      ],
      timestamp,
    },
  },
  failed: {
    value: {
      taskId: exampleTaskId,
      status: 'failed',
      error: 'Template page not found: /locations/paris',
      timestamp,
    },
  },
};

const description = `
The service sends this once, when a task that was created with a \`callbackUrl\` is done, by success or failure. Any 2xx
within 15 seconds acknowledges it. Otherwise the service sends it again after 5, 10 and 20 seconds, with the same body.
It follows no redirects, and does not read the answer's body.

It is signed as [Standard Webhooks](https://www.standardwebhooks.com) says, with your organization's secret. Check the
signature before you believe the body.
`.trim();

const header = (name: string, text: string, schema: JsonSchema, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description: text,
  schema,
  example,
});

const batchExample = {
  batchId: exampleBatchId,
  status: 'completed',
  rows: Object.fromEntries(
    rowStates.map((state) => [state, { published: 98, failed: 2 }[state as string] ?? 0]),
  ),
  url: `https://tasks.example.com/api/v1/agent/batches/${exampleBatchId}`,
  timestamp,
};

/** @param id what the webhook-id is */
const signature = (id: string, example: string) => [
  header('webhook-id', id, { type: 'string' }, example),
  header(
    'webhook-timestamp',
    'When this attempt was made, seconds since 1970.',
    { type: 'string', pattern: '^\\d+$' },
    '1795244419',
  ),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body`, in base64.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const responses = {
  '2XX': { description: 'Acknowledges it: it is not sent again.' },
  default: { description: 'It is sent again, up to 3 times.' },
};

/** A tag of its own: generators that write a class for each tag overwrite one that is shared. */
export const webhookTag = {
  name: 'Webhooks',
  description: 'What the service sends to a `callbackUrl`.',
};

/** Specification: Events. */
export const webhookItems = {
  taskFinished: {
    post: {
      tags: [webhookTag.name],
      operationId: 'taskFinished',
      summary: 'A task is done',
      description,
      security: [],
      parameters: signature('The taskId: the same on every attempt.', exampleTaskId),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaRef('CallbackPayload'), examples } },
      },
      responses,
    },
  },
  batchEnded: {
    post: {
      tags: [webhookTag.name],
      operationId: 'batchEnded',
      summary: 'A batch does nothing more by itself',
      description:
        'The same for a batch with a `callbackUrl`: once each time that it ends, or waits for an approval. It tells counts only.',
      security: [],
      parameters: signature('Another one for each end.', `${exampleBatchId}-1795244419567`),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaRef('BatchCallback'),
            examples: { completed: { value: batchExample } },
          },
        },
      },
      responses: { ...responses, default: { description: 'It is sent again, as that of a task.' } },
    },
  },
};

/**
 * References to the webhooks. openapi-generator writes methods for webhooks that are described in
 * their place, and those are no valid Python.
 */
export const webhooks = Object.fromEntries(
  Object.keys(webhookItems).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]),
);

/**
 * A webhook as the callback of an operation. So generators that leave out schemas which no
 * operation refers to keep those of webhooks.
 */
export function callbacksOf(name: keyof typeof webhookItems) {
  const { summary, requestBody, responses } = webhookItems[name].post;
  const post = {
    summary,
    description: `The webhook \`${name}\`. It carries no API key, but a signature.`,
    security: [],
    requestBody,
    responses,
  };
  const event = { taskFinished: 'onTaskFinished', batchEnded: 'onBatchEnded' }[name];
  return { [event]: { '{$request.body#/callbackUrl}': { post } } };
}
