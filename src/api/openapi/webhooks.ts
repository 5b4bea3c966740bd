import type { JsonSchema, Parameter } from './operation.ts';
import { exampleTaskId } from './parameters.ts';
import { arrayOf, constant, objectSchema, schemaRef, textSchema, timeSchema } from './schemas.ts';

const taskId = schemaRef('TaskId');
const doneAt = timeSchema('When the task was done: the same on every attempt.');

/** Specification: Callback payload. */
export const webhookSchemas: Record<string, JsonSchema> = {
  CallbackPayload: {
    oneOf: [
      {
        title: 'Succeeded',
        ...objectSchema({
          taskId,
          status: constant('succeeded'),
          pages: arrayOf(schemaRef('Page'), 'Those created, then those modified.'),
          timestamp: doneAt,
        }),
      },
      {
        title: 'Failed',
        ...objectSchema({
          taskId,
          status: constant('failed'),
          error: textSchema('What went wrong.'),
          timestamp: doneAt,
        }),
      },
    ],
  },
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

/** Specification: Events. */
export const webhooks = {
  taskFinished: {
    post: {
      tags: ['Tasks'],
      operationId: 'taskFinished',
      summary: 'A task is done',
      description,
      security: [],
      parameters: [
        header(
          'webhook-id',
          'The taskId: the same on every attempt.',
          { type: 'string' },
          exampleTaskId,
        ),
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
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaRef('CallbackPayload'), examples } },
      },
      responses: {
        '2XX': { description: 'Acknowledges it: it is not sent again.' },
        default: { description: 'It is sent again, up to 3 times.' },
      },
    },
  },
};
