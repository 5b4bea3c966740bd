import { answer, body, optionalBody } from '../openapi/bodies.ts';
import { diskFull, resultGone, startErrors, wrongBody } from '../openapi/commonErrors.ts';
import { jsonSchemaOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleTaskId, idempotencyKeyParameter, siteNotFound } from '../openapi/parameters.ts';
import { constant, objectSchema, schemaRef } from '../openapi/schemas.ts';
import { createdExample } from './tasks.examples.ts';
import { answerBody, followUpBody } from './tasks.schema.ts';

const starts: Pick<Operation, 'parameters' | 'body' | 'answers'> = {
  parameters: [idempotencyKeyParameter],
  body: optionalBody('FollowUp', {
    callback: { callbackUrl: 'https://hooks.example.com/agent-tasks' },
  }),
  answers: { 200: answer('The new task is running.', 'TaskCreated', { created: createdExample }) },
};

const errors = {
  ...startErrors,
  400: { ...wrongBody('colour is not allowed'), ...startErrors[400] },
  404: siteNotFound,
};

/** Errors for a task that can't be published. */
export const notPublishable = {
  'Task is still running': 'Wait until it is completed.',
  'Task failed: there is nothing to publish': 'It has no result.',
  'Task changed nothing: there is nothing to publish': 'Its result has no pages.',
  'Task is already published':
    'It is live, with this task or another one, and was not edited since.',
  'Task was published, and replaced since: put its deployment live again instead':
    'A later task, a restore or a push changed all of its pages.',
  ...resultGone,
};

const publish: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/publish',
  operationId: 'publishTask',
  ...starts,
  summary: 'Put the pages of a completed task live',
  description: [
    'Look at the previews first, then publish. A publish is a task of its own, with its own `taskId`, views and',
    'callback. It has the warnings of what it publishes. It fails if somebody changed one of its pages since the task',
    'began. The tasks that it is built on go live with it.',
  ].join('\n'),
  errors: {
    ...errors,
    409: notPublishable,
  },
};

const retry: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/retry',
  operationId: 'retryTask',
  ...starts,
  summary: 'Try a failed generate_pages task again',
  description: [
    'As a new task with the same request. Pages that the failed one had written are not written again. Without a',
    '`callbackUrl` the new task has that of the failed one.',
  ].join('\n'),
  errors: {
    ...errors,
    409: {
      'Task is of type prompt: only generate_pages can be retried':
        'Send the prompt again instead.',
      'Task is still running: only a failed task can be retried': 'Wait until it is done.',
      'Task completed: only a failed task can be retried': 'There is nothing to try again.',
      'Result is gone: the task finished too long ago':
        'The task that it was built on has no result any more.',
    },
  },
};

const cancel: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/cancel',
  operationId: 'cancelTask',
  summary: 'Cancel a running task',
  description:
    'The task then fails with `Task was cancelled`, and its callback is sent. Once it publishes it goes on to its end.',
  answers: {
    202: answer('It is being cancelled.', 'TaskStatus', {
      cancelled: { taskId: exampleTaskId, status: 'running' },
    }),
  },
  errors: {
    409: {
      "Task is finished: it can't be cancelled any more": 'It has its result.',
      "Task is publishing or finished: it can't be cancelled any more": 'It goes on to its end.',
    },
    503: {
      'Service Unavailable':
        'No worker answers: the task goes on, or is cancelled once one does. Ask again.',
    },
  },
};

const answerQuestion: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/answer',
  operationId: 'answerTask',
  summary: "Answer a running task's question",
  description: [
    'A task with `ask` `allowed` may ask: `progress.waitingFor` has the question. It then goes on. A repeated answer',
    'changes nothing. A question that nobody answers for 7 days ends: the task does what it can without.',
  ].join('\n'),
  parameters: [idempotencyKeyParameter],
  body: body('Answer', { option: { answer: 'Both offices', questionId: 'q1' } }),
  answers: {
    200: answer('The task goes on.', 'TaskStatus', {
      answered: { taskId: exampleTaskId, status: 'running' },
    }),
  },
  errors: {
    400: {
      ...wrongBody('answer is required'),
      'Idempotency-Key must be 1 to 255 visible ASCII characters':
        startErrors[400]['Idempotency-Key must be 1 to 255 visible ASCII characters'],
    },
    409: {
      'Task asks nothing': 'It goes on without you.',
      'Task asks question q2': 'Its first question has its answer: read the task again.',
      'Question q1 has another answer': 'Somebody was faster.',
      'Task is finished: it asks nothing': 'It has its result.',
    },
    422: startErrors[422],
    503: { 'Service Unavailable': 'No worker answers: ask again.', ...diskFull },
  },
};

export const followUps: RoutesDescription = {
  tag: { name: 'Follow-ups', description: 'What becomes of a task that is there.' },
  schemas: {
    FollowUp: jsonSchemaOf(followUpBody),
    Answer: jsonSchemaOf(answerBody),
    TaskStatus: objectSchema({ taskId: schemaRef('TaskId'), status: constant('running') }),
  },
  operations: [publish, retry, cancel, answerQuestion],
};
