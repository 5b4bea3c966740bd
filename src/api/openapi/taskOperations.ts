import * as batches from '../../contract/responses/batches.ts';
import * as details from '../../contract/responses/taskDetails.ts';
import * as tasks from '../../contract/responses/tasks.ts';
import type { ErrorCode } from '../../errors.ts';
import {
  batchListQuery,
  batchQuery,
  rowListQuery,
  skipBody,
  someRowsBody,
} from '../routes/batches/batches.schema.ts';
import { batchEditLinkBody, editLinkBody } from '../routes/editing/editLink.schema.ts';
import { dropBody, notesBody } from '../routes/tasks/notes.schema.ts';
import { taskListQuery } from '../routes/tasks/taskLists.schema.ts';
import { answerBody, callbackTestBody, followUpBody } from '../routes/tasks/tasks.schema.ts';
import { queryParametersOf } from './jsonSchema.ts';
import { type ApiOperation, optionalRequestBody, requestBody } from './operation.ts';
import {
  exampleSiteId as siteId,
  idempotencyKeyParameter,
  lastEventIdParameter,
  preferParameter,
} from './parameters.ts';
import { exampleStreams } from './exampleStreams.ts';

/** Errors of every route that starts a task. */
export const startErrors: ErrorCode[] = [
  'INVALID_CALLBACK_URL',
  'SITE_WITHOUT_REPOSITORY',
  'TOKENS_USED_UP',
  'IDEMPOTENCY_MISMATCH',
  'TOO_MANY_IN_FLIGHT',
  'START_FAILED',
  'DISK_FULL',
];

const templateSlug = '/locations/austin';
const callbackUrl = 'https://hooks.example.com/agent-tasks';
const createRequest = requestBody('CreateTaskRequest', null, {
  generatePages: {
    siteId,
    command: 'generate_pages',
    templatePageSlug: templateSlug,
    items: [
      {
        targetPageSlug: '/locations/porto',
        context: 'City: Porto\nHeadline: Web design in Porto\nPhone: +351 22 000 0000',
        externalId: 'row-17',
      },
    ],
    callbackUrl,
    publish: true,
  },
  prompt: {
    siteId,
    prompt: 'Change the headline of /pricing to "Prices that fit on one page"',
    publish: false,
  },
});
export const followUpRequest = optionalRequestBody('FollowUp', followUpBody, {
  callback: { callbackUrl },
});

const batchRequest = {
  ...requestBody('BatchRequest', null, {
    batch: {
      siteId,
      templatePageSlug: templateSlug,
      rows: [
        { targetPageSlug: '/locations/porto', context: 'City: Porto', externalId: 'row-17' },
        { targetPageSlug: '/locations/faro', context: 'City: Faro' },
      ],
      publish: true,
      canary: 1,
    },
  }),
  others: {
    'text/csv': {
      schema: {
        type: 'string',
        description:
          'A header and a line for each row: `targetPageSlug`, `context`, `externalId`, `templatePageSlug`, `facts`. Without `context`, every other column is a line `Column: value` of it.',
      },
      examples: {
        table: { value: 'targetPageSlug,City\n/locations/porto,Porto\n/locations/faro,Faro\n' },
      },
    },
  },
};
const csvParameters = queryParametersOf(batchQuery, () => {}).map(
  ({ required: _, ...parameter }) => ({
    ...parameter,
    description: `Of CSV: ${parameter.description}`,
  }),
);
const rowNumbers = { rows: { rows: [2] } };
/** Errors of a command after which the batch runs. */
const runErrors: ErrorCode[] = [
  'TOKENS_USED_UP',
  'CONFLICT',
  'TOO_MANY_IN_FLIGHT',
  'START_FAILED',
  'DISK_FULL',
];

/** Operations on tasks and batches, and on what they made. */
export const taskOperations = {
  createTask: {
    route: 'POST /agent/tasks',
    tag: 'Tasks',
    summary: 'Start a task',
    description: 'A prompt task follows instructions. A generate_pages task makes a page per item.',
    headers: [idempotencyKeyParameter],
    body: createRequest,
    webhook: 'taskFinished',
    answer: tasks.StartedTaskResponse,
    errors: [...startErrors, 'NOT_FOUND', 'CONFLICT'],
  },
  getTask: {
    route: 'GET /agent/tasks/{taskId}',
    tag: 'Tasks',
    summary: 'Read the status of a task',
    description: 'A failed task is no HTTP error. Poll every 5 seconds, or let the answer wait.',
    headers: [preferParameter],
    answer: tasks.Task,
    errors: ['UNAVAILABLE'],
  },
  checkTask: {
    route: 'POST /agent/tasks/check',
    tag: 'Check',
    summary: 'Say what would become of a task',
    description: 'Takes the body of `POST /agent/tasks`. Starts nothing, and asks no model.',
    body: createRequest,
    answer: details.TaskCheckResponse,
    errors: [
      'INVALID_CALLBACK_URL',
      'SITE_WITHOUT_REPOSITORY',
      'NOT_FOUND',
      'CONFLICT',
      'UNAVAILABLE',
    ],
  },
  listTasks: {
    route: 'GET /agent/tasks',
    tag: 'Lists of tasks',
    summary: "List your organization's tasks",
    description: 'While paging, a task may appear twice, but is never missed.',
    query: taskListQuery,
    answer: tasks.TaskList,
    errors: ['UNAVAILABLE'],
  },
  followTask: {
    route: 'GET /agent/tasks/{taskId}/events',
    tag: 'Events',
    summary: 'Follow a task while it works',
    description:
      'Server-sent events: `status`, `progress`, `page`, `question`, `answer` and at the end `done`. 204: you have the last event already.',
    headers: [lastEventIdParameter],
    answer: { stream: exampleStreams },
    others: { 204: null },
    errors: ['UNAVAILABLE'],
  },
  getTaskDiff: {
    route: 'GET /agent/tasks/{taskId}/diff',
    tag: 'Diffs',
    summary: 'Read what a completed task changed',
    description: 'Edits by hand are included. `warnings` names what is too large to show.',
    answer: details.TaskDiffResponse,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  getTaskRun: {
    route: 'GET /agent/tasks/{taskId}/run',
    tag: 'Runs',
    summary: "Find a task's run in Temporal's web UI",
    access: 'admin',
    answer: details.TaskRun,
    errors: ['UNAVAILABLE'],
  },
  getTaskRequest: {
    route: 'GET /agent/tasks/{taskId}/request',
    tag: 'Requests',
    summary: 'Read what a task was asked for',
    description: 'In the fields of `POST /agent/tasks`, to ask again in other words.',
    answer: details.TaskRequestResponse,
    errors: ['UNAVAILABLE'],
  },
  createBatch: {
    route: 'POST /agent/batches',
    tag: 'Batches',
    summary: 'Make a page for each row of a table',
    description: 'Up to 5,000 rows and 20 MB, as JSON, or as CSV with the options in the query.',
    headers: [idempotencyKeyParameter, ...csvParameters],
    body: batchRequest,
    webhook: 'batchEnded',
    answer: batches.BatchCreated,
    errors: [...startErrors, 'NOT_FOUND'],
  },
  checkBatch: {
    route: 'POST /agent/batches/check',
    tag: 'Batches',
    summary: 'Say which rows of a batch would fail, and what the others would cost',
    description: 'Takes the body of `POST /agent/batches`, and starts nothing.',
    headers: csvParameters,
    body: batchRequest,
    answer: batches.BatchCheckResponse,
    errors: [
      'INVALID_CALLBACK_URL',
      'SITE_WITHOUT_REPOSITORY',
      'NOT_FOUND',
      'CONFLICT',
      'UNAVAILABLE',
    ],
  },
  listBatches: {
    route: 'GET /agent/batches',
    tag: 'Batches',
    summary: "List your organization's batches",
    query: batchListQuery,
    answer: batches.BatchList,
  },
  getBatch: {
    route: 'GET /agent/batches/{batchId}',
    tag: 'Batches',
    summary: 'Read the status of a batch',
    answer: batches.BatchResponse,
  },
  listBatchRows: {
    route: 'GET /agent/batches/{batchId}/rows',
    tag: 'Batches',
    summary: 'List the rows of a batch',
    query: rowListQuery,
    answer: batches.BatchRows,
  },
  pauseBatch: {
    route: 'POST /agent/batches/{batchId}/pause',
    tag: 'Batches',
    summary: 'Pause a batch',
    description: 'The pages that are being made are finished first.',
    answer: batches.BatchResponse,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  resumeBatch: {
    route: 'POST /agent/batches/{batchId}/resume',
    tag: 'Batches',
    summary: 'Go on with a batch that is paused or has failed',
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  cancelBatch: {
    route: 'POST /agent/batches/{batchId}/cancel',
    tag: 'Batches',
    summary: 'Cancel a batch',
    description: 'Nothing more is made or published. What is published stays.',
    answer: batches.BatchResponse,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  publishBatch: {
    route: 'POST /agent/batches/{batchId}/publish',
    tag: 'Batches',
    summary: 'Publish a batch that was made without `publish`, or edited since',
    description: 'Rows that are made or approved later go live too. Held pages stay held.',
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  retryBatch: {
    route: 'POST /agent/batches/{batchId}/retry',
    tag: 'Batches',
    summary: 'Make failed rows again',
    description: 'All of them, or those of the body. A row whose request is wrong stays failed.',
    body: optionalRequestBody('SomeRows', someRowsBody, rowNumbers),
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  skipBatchRows: {
    route: 'POST /agent/batches/{batchId}/skip',
    tag: 'Batches',
    summary: 'Take rows out of a batch',
    description: 'Rows that wait, failed or are held.',
    body: requestBody('SkipRows', skipBody, rowNumbers),
    answer: batches.BatchResponse,
    errors: ['CONFLICT'],
  },
  approveBatch: {
    route: 'POST /agent/batches/{batchId}/approve',
    tag: 'Batches',
    summary: 'Approve held pages, and the rows after the canary',
    description: 'With `rows`: these held pages. Without: all, and the rows after the canary.',
    body: optionalRequestBody('SomeRows', someRowsBody, rowNumbers),
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  publishTask: {
    route: 'POST /agent/tasks/{taskId}/publish',
    tag: 'Follow-ups',
    summary: 'Put the pages of a completed task live',
    description: 'As a task of its own. The tasks that it is built on go live with it.',
    headers: [idempotencyKeyParameter],
    body: followUpRequest,
    answer: tasks.StartedTaskResponse,
    errors: [...startErrors, 'CONFLICT'],
  },
  retryTask: {
    route: 'POST /agent/tasks/{taskId}/retry',
    tag: 'Follow-ups',
    summary: 'Try a failed generate_pages task again',
    description: 'As a new task with the same request. Pages that were written are used again.',
    headers: [idempotencyKeyParameter],
    body: followUpRequest,
    answer: tasks.StartedTaskResponse,
    errors: [...startErrors, 'CONFLICT'],
  },
  cancelTask: {
    route: 'POST /agent/tasks/{taskId}/cancel',
    tag: 'Follow-ups',
    summary: 'Cancel a running task',
    description: 'The task fails with `Task was cancelled`, unless it is being published.',
    answer: tasks.TaskState,
    status: 202,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  answerTask: {
    route: 'POST /agent/tasks/{taskId}/answer',
    tag: 'Follow-ups',
    summary: "Answer a running task's question",
    description: '`progress.waitingFor` has the question. A repeated answer changes nothing.',
    headers: [idempotencyKeyParameter],
    body: requestBody('Answer', answerBody, {
      option: { answer: 'Both offices', questionId: 'q1' },
    }),
    answer: tasks.TaskState,
    errors: ['CONFLICT', 'IDEMPOTENCY_MISMATCH', 'UNAVAILABLE', 'DISK_FULL'],
  },
  checkPublish: {
    route: 'GET /agent/tasks/{taskId}/publish',
    tag: 'Going live',
    summary: 'See what publishing a task would put live',
    answer: details.PublishCheckResponse,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  dropNotes: {
    route: 'POST /agent/tasks/{taskId}/notes/drop',
    tag: 'Notes',
    summary: 'Take out what notes are about',
    description: 'Removes facts of the template by a task of its own, without a language model.',
    headers: [idempotencyKeyParameter],
    body: requestBody('DropNotes', dropBody, {
      page: { page: '/locations/lisbon', kind: 'date', slots: ['s41'] },
    }),
    answer: tasks.StartedTaskResponse,
    errors: [...startErrors, 'CONFLICT'],
  },
  settleNotes: {
    route: 'PATCH /agent/tasks/{taskId}/notes',
    tag: 'Notes',
    summary: 'Settle notes',
    description:
      'Says that they were corrected by hand, or stay on purpose: those that are named, those of a page, or all of the task.',
    body: requestBody('SettleNotes', notesBody, {
      all: { state: 'kept', page: '/locations/lisbon', notes: ['0f1e2d3c4b5a6978'] },
    }),
    answer: tasks.NoteList,
    errors: ['CONFLICT'],
  },
  deletePreview: {
    route: 'DELETE /agent/tasks/{taskId}/preview',
    tag: 'Previews',
    summary: 'Delete the preview of a finished task',
    description: 'The result stays: the task can still be published, compared and built on.',
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  getCallback: {
    route: 'GET /agent/tasks/{taskId}/callback',
    tag: 'Callbacks',
    summary: 'Read how a callback was delivered',
    answer: details.CallbackResponse,
    errors: ['UNAVAILABLE'],
  },
  redeliverCallback: {
    route: 'POST /agent/tasks/{taskId}/callback/redeliver',
    tag: 'Callbacks',
    summary: 'Deliver a callback again',
    description: 'With the same `webhook-id` and body, and the same retries.',
    answer: details.TaskReference,
    status: 202,
    errors: ['CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  testCallback: {
    route: 'POST /callbacks/test',
    tag: 'Callbacks',
    summary: 'Send a test callback',
    description: 'One signed POST without a retry, as of a task that succeeded.',
    body: requestBody('CallbackTestRequest', callbackTestBody, { test: { url: callbackUrl } }),
    answer: details.CallbackTest,
    errors: ['INVALID_CALLBACK_URL'],
  },
  createEditLink: {
    route: 'POST /agent/tasks/{taskId}/edit-link',
    tag: 'Editing',
    summary: "Get a link to edit a task's pages by hand",
    description: 'A secret link. It can be opened for ten minutes, and edits for two hours.',
    body: optionalRequestBody('EditLinkRequest', editLinkBody, {
      page: { slug: '/locations/lisbon' },
    }),
    answer: details.EditLink,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  createBatchEditLink: {
    route: 'POST /agent/batches/{batchId}/edit-link',
    tag: 'Editing',
    summary: "Get a link to edit a batch's pages by hand",
    description: "As a task's. It opens at one page, and the batch must not be running.",
    body: requestBody('BatchEditLinkRequest', batchEditLinkBody, {
      page: { slug: '/locations/porto' },
    }),
    answer: details.EditLink,
    errors: ['CONFLICT'],
  },
} satisfies Record<string, ApiOperation>;
