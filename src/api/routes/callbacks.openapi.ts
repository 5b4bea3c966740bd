import { answer, body } from '../openapi/bodies.ts';
import { diskFull, unreadableTask, wrongBody } from '../openapi/commonErrors.ts';
import { jsonSchemaOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleTaskId } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  constant,
  countSchema,
  enumSchema,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  timeSchema,
} from '../openapi/schemas.ts';
import { callbackTestBody } from './tasks.schema.ts';

const errors = {
  404: { 'Task has no callback': 'It was created without a `callbackUrl`.' },
  503: unreadableTask,
};

const unanswered =
  'The callback to https://hooks.example.com was answered with status 502, expected 2xx';

const refused = {
  at: '2026-11-21T07:00:19.570Z',
  timestamp: 1_795_244_419,
  status: 502,
  error: unanswered,
};
const request = {
  method: 'POST',
  origin: 'https://hooks.example.com',
  headers: {
    'content-type': 'application/json',
    'user-agent': 'agent-tasks-service',
    'webhook-id': exampleTaskId,
  },
  body: `{"taskId":"${exampleTaskId}","status":"failed","error":"Template page not found: /a","timestamp":"2026-11-21T07:00:19.567Z"}`,
};

const read: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/callback',
  operationId: 'getCallback',
  summary: 'Read how a callback was delivered',
  description: 'The delivery when the task was done, then those that were asked for later.',
  answers: {
    200: answer('Every attempt so far.', 'Callback', {
      pending: {
        taskId: exampleTaskId,
        request,
        deliveries: [
          {
            state: 'pending',
            attempts: [refused],
            nextAttemptAt: '2026-11-21T07:00:24.576Z',
          },
        ],
      },
      delivered: {
        taskId: exampleTaskId,
        request,
        deliveries: [
          { state: 'failed', attempts: [refused] },
          {
            state: 'delivered',
            requestedAt: '2026-11-21T09:10:11.120Z',
            requestedBy: { userId: '0f9a3f6e-8a0c-4d6e-b0a5-7c3c9c1f4e21', name: 'Ada' },
            attempts: [{ at: '2026-11-21T09:10:11.212Z', timestamp: 1_795_252_211, status: 204 }],
          },
        ],
      },
    }),
  },
  errors,
};

const redeliver: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/callback/redeliver',
  operationId: 'redeliverCallback',
  summary: 'Deliver a callback again',
  description: 'With the same `webhook-id` and body, and the same retries.',
  answers: {
    202: answer('It is being delivered.', 'TaskReference', {
      accepted: { taskId: exampleTaskId },
    }),
  },
  errors: {
    ...errors,
    503: { ...unreadableTask, ...diskFull },
    409: {
      'Task is still running': 'Its callback is sent when it is done.',
      'The callback is being delivered': 'Wait for the end of that delivery.',
      'The callback was delivered again 20 times already': 'There is no more.',
    },
  },
};

const test: Operation = {
  method: 'post',
  path: '/callbacks/test',
  operationId: 'testCallback',
  summary: 'Send a test callback',
  description:
    'One signed POST, without a retry. It has the headers and the body of a task that succeeded, with `"test": true`. The task in it does not exist.',
  body: body('CallbackTestRequest', {
    test: { url: 'https://hooks.example.com/agent-tasks' },
  }),
  answers: {
    200: answer('What became of it.', 'CallbackTest', {
      delivered: { delivered: true, status: 204, error: null, ms: 87 },
      refused: { delivered: false, status: 502, error: unanswered, ms: 120 },
    }),
  },
  errors: {
    400: {
      ...wrongBody('url is required'),
      'Invalid callback URL': 'Not https, too long, or a private, internal or local address.',
    },
  },
};

export const callbacks: RoutesDescription = {
  tag: {
    name: 'Callbacks',
    description: 'Whether they arrived, and sending them again. What is sent is under webhooks.',
  },
  schemas: {
    Callback: objectSchema({
      taskId: schemaRef('TaskId'),
      request: nullable(schemaRef('CallbackRequest'), 'Null while the task runs.'),
      deliveries: arrayOf(schemaRef('CallbackDelivery'), 'In the order in which they began.'),
    }),
    CallbackRequest: objectSchema({
      method: constant('POST'),
      origin: textSchema('Of the `callbackUrl`. The rest of it may be a secret.'),
      headers: {
        type: 'object',
        description: 'Those that are the same for every attempt. `webhook-signature` is not told.',
        additionalProperties: { type: 'string' },
      },
      body: textSchema('The same bytes at every attempt.'),
    }),
    CallbackDelivery: objectSchema({
      state: enumSchema(['pending', 'delivered', 'failed']),
      'requestedAt?': timeSchema('When it was asked for. The first delivery has none.'),
      'requestedBy?': schemaRef('Maker'),
      attempts: arrayOf(
        schemaRef('CallbackAttempt'),
        'In the order in which they began. One under way is the last.',
      ),
      'nextAttemptAt?': timeSchema(
        'When the next attempt is due. Only while the delivery waits for it.',
      ),
    }),
    TaskReference: objectSchema({ taskId: schemaRef('TaskId') }),
    CallbackTestRequest: jsonSchemaOf(callbackTestBody),
    CallbackTest: objectSchema({
      delivered: booleanSchema(),
      status: { type: ['integer', 'null'], description: "The receiver's." },
      error: orNull(textSchema('Why it was not delivered.')),
      ms: countSchema('Milliseconds until the answer.'),
    }),
    CallbackAttempt: objectSchema({
      at: timeSchema('When it began.'),
      timestamp: {
        type: 'integer',
        description: 'The `webhook-timestamp` that was sent, in seconds.',
      },
      'status?': { type: 'integer', minimum: 100, maximum: 999, description: "The receiver's." },
      'error?': textSchema(
        'Why the attempt failed. An attempt without status and error is under way.',
      ),
    }),
  },
  operations: [read, redeliver, test],
};
