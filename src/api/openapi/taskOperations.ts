import * as batches from '../../contract/responses/batches.ts';
import * as details from '../../contract/responses/taskDetails.ts';
import * as versions from '../../contract/responses/versions.ts';
import * as tasks from '../../contract/responses/tasks.ts';
import type { ErrorCode } from '../../errors.ts';
import {
  batchListQuery,
  batchNotesQuery,
  batchQuery,
  rowListQuery,
  skipBody,
  someRowsBody,
} from '../routes/batches/batches.schema.ts';
import {
  batchEditLinkBody,
  editLinkBody,
  siteEditLinkBody,
} from '../routes/editing/editLink.schema.ts';
import { batchNotesBody, dropBody, notesBody } from '../routes/tasks/notes.schema.ts';
import { taskListQuery } from '../routes/tasks/taskLists.schema.ts';
import {
  answerBody,
  callbackTestBody,
  followUpBody,
  publishTaskBody,
} from '../routes/tasks/tasks.schema.ts';
import { undoBody, updateBody } from '../routes/tasks/versions.schema.ts';
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
  'APPROVAL_REQUIRED',
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
          'A header line, and a line for each row. The columns are `targetPageSlug`, `context`, `externalId`, `templatePageSlug` and `facts`. Without a column `context`, every other column becomes a line `Column: value` of the context.',
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
    description: `Only for CSV. ${parameter.description}`,
  }),
);
const rowNumbers = { rows: { rows: [2] } };
/** Errors of the commands that make a batch run: resume, publish, retry and approve. */
const runErrors: ErrorCode[] = [
  'TOKENS_USED_UP',
  'CONFLICT',
  'TOO_MANY_IN_FLIGHT',
  'START_FAILED',
  'DISK_FULL',
];

/** Operations on tasks and batches, and on their results. */
export const taskOperations = {
  createTask: {
    route: 'POST /agent/tasks',
    tag: 'Tasks',
    summary: 'Start a task',
    description:
      'A prompt task follows instructions. A generate_pages task creates one page for each item.',
    headers: [idempotencyKeyParameter],
    body: createRequest,
    webhook: 'taskFinished',
    answer: tasks.StartedTaskResponse,
    errors: [...startErrors, 'NOT_FOUND', 'CONFLICT'],
  },
  getTask: {
    route: 'GET /agent/tasks/{taskId}',
    tag: 'Tasks',
    summary: 'Get a task',
    description:
      'Returns the status and the results. A failed task is not an HTTP error. Poll every 5 seconds, or send `Prefer: wait`.',
    headers: [preferParameter],
    answer: tasks.Task,
    errors: ['UNAVAILABLE'],
  },
  checkTask: {
    route: 'POST /agent/tasks/check',
    tag: 'Check',
    summary: 'Check a task',
    description:
      'Reports the problems and notes that a task would have. Takes the body of `POST /agent/tasks`. Starts no task and calls no language model.',
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
    summary: 'List the tasks of your organization',
    description:
      'If tasks change while you page through the list, a task may appear twice, but none is skipped.',
    query: taskListQuery,
    answer: tasks.TaskList,
    errors: ['UNAVAILABLE'],
  },
  followTask: {
    route: 'GET /agent/tasks/{taskId}/events',
    tag: 'Events',
    summary: 'Stream the events of a task',
    description:
      'Server-sent events: `status`, `progress`, `page`, `question`, `answer`, and `done` at the end. The response is 204 if you already have the last event.',
    headers: [lastEventIdParameter],
    answer: { stream: exampleStreams },
    others: { 204: null },
    errors: ['UNAVAILABLE'],
  },
  getTaskDiff: {
    route: 'GET /agent/tasks/{taskId}/diff',
    tag: 'Diffs',
    summary: 'Get the changes of a task',
    description:
      'The changes include edits by hand. `warnings` says what the response omits because it is too large.',
    answer: details.TaskDiffResponse,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  getTaskRun: {
    route: 'GET /agent/tasks/{taskId}/run',
    tag: 'Runs',
    summary: "Get a link to a task's run in Temporal's web UI",
    access: 'admin',
    answer: details.TaskRun,
    errors: ['UNAVAILABLE'],
  },
  getTaskRequest: {
    route: 'GET /agent/tasks/{taskId}/request',
    tag: 'Requests',
    summary: 'Get the request of a task',
    description:
      'Returns the fields of `POST /agent/tasks`, so that you can change them and send them again.',
    answer: details.TaskRequestResponse,
    errors: ['UNAVAILABLE'],
  },
  createBatch: {
    route: 'POST /agent/batches',
    tag: 'Batches',
    summary: 'Start a batch',
    description:
      'Creates a page for each row of a table with up to 5,000 rows and 20 MB. Send JSON, or CSV with the options in the query.',
    headers: [idempotencyKeyParameter, ...csvParameters],
    body: batchRequest,
    webhook: 'batchEnded',
    answer: batches.BatchCreated,
    errors: [...startErrors, 'NOT_FOUND'],
  },
  checkBatch: {
    route: 'POST /agent/batches/check',
    tag: 'Batches',
    summary: 'Check a batch',
    description:
      'Reports which rows would fail, and what the other rows would cost. Takes the body of `POST /agent/batches`. Starts no batch.',
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
    summary: 'List the batches of your organization',
    query: batchListQuery,
    answer: batches.BatchList,
  },
  getBatch: {
    route: 'GET /agent/batches/{batchId}',
    tag: 'Batches',
    summary: 'Get a batch',
    answer: batches.BatchResponse,
  },
  listBatchRows: {
    route: 'GET /agent/batches/{batchId}/rows',
    tag: 'Batches',
    summary: 'List the rows of a batch',
    query: rowListQuery,
    answer: batches.BatchRows,
  },
  listBatchNotes: {
    route: 'GET /agent/batches/{batchId}/notes',
    tag: 'Batches',
    summary: 'List the notes of a batch',
    description:
      'Lists each different note once, with the number of pages that have it. Open notes come first.',
    query: batchNotesQuery,
    answer: batches.BatchNotes,
  },
  pauseBatch: {
    route: 'POST /agent/batches/{batchId}/pause',
    tag: 'Batches',
    summary: 'Pause a batch',
    description: 'The batch first finishes the pages that it is creating.',
    answer: batches.BatchResponse,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  resumeBatch: {
    route: 'POST /agent/batches/{batchId}/resume',
    tag: 'Batches',
    summary: 'Resume a batch',
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  cancelBatch: {
    route: 'POST /agent/batches/{batchId}/cancel',
    tag: 'Batches',
    summary: 'Cancel a batch',
    description: 'The batch creates and publishes no more pages. Published pages stay live.',
    answer: batches.BatchResponse,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  publishBatch: {
    route: 'POST /agent/batches/{batchId}/publish',
    tag: 'Batches',
    summary: 'Publish a batch',
    description:
      'Makes pages of the preview live with one deployment: those of `rows`, which may be held, or all that nobody left out. Pages that do not go live are held. Rows that are written later go live too.',
    body: optionalRequestBody('SomeRows', someRowsBody, rowNumbers),
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  retryBatch: {
    route: 'POST /agent/batches/{batchId}/retry',
    tag: 'Batches',
    summary: 'Retry failed rows',
    description:
      'Retries all failed rows, or those in the body. A row whose request is invalid stays failed.',
    body: optionalRequestBody('SomeRows', someRowsBody, rowNumbers),
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  skipBatchRows: {
    route: 'POST /agent/batches/{batchId}/skip',
    tag: 'Batches',
    summary: 'Skip rows of a batch',
    description: 'You can skip rows that are waiting, failed or held.',
    body: requestBody('SkipRows', skipBody, rowNumbers),
    answer: batches.BatchResponse,
    errors: ['CONFLICT'],
  },
  approveBatch: {
    route: 'POST /agent/batches/{batchId}/approve',
    tag: 'Batches',
    summary: 'Approve rows of a batch',
    description:
      'With `rows`, approves these held pages. Without `rows`, approves all held pages and the rows after the canary. Puts nothing live: publish the batch afterwards.',
    body: optionalRequestBody('SomeRows', someRowsBody, rowNumbers),
    answer: batches.BatchResponse,
    errors: runErrors,
  },
  listBatchVersions: {
    route: 'GET /agent/batches/{batchId}/versions',
    tag: 'Versions',
    summary: 'List the versions of a batch',
    description: 'Lists what changed the pages since the batch last ran.',
    answer: versions.VersionList,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  undoBatchVersion: {
    route: 'POST /agent/batches/{batchId}/versions/undo',
    tag: 'Versions',
    summary: 'Undo the current version of a batch',
    description:
      'Makes the version before the current one current again, as a new version. The notes that the undone version resolved are open again.',
    body: optionalRequestBody('UndoVersion', undoBody, { current: { version: 2 } }),
    answer: versions.VersionChange,
    errors: ['CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  decideBatchNotes: {
    route: 'PATCH /agent/batches/{batchId}/notes',
    tag: 'Batches',
    summary: 'Decide on notes of a batch',
    description:
      'Records that a person corrected the facts by hand (`done`) or keeps them on purpose (`kept`), or removes the facts from the pages (`dropped`) as a new version of the batch. `done` with a `text` writes this text in place of the facts, on all pages that have the note, and `done` with `places` writes unused values to these places, each as a new version. The id of a note selects it on all pages that have the same note. Without a selection, the request means all notes of the batch.',
    body: requestBody('DecideNotes', batchNotesBody, {
      all: { state: 'kept', page: '/locations/lisbon', notes: ['0f1e2d3c4b5a6978'] },
      typed: { state: 'done', notes: ['0f1e2d3c4b5a6978'], text: 'from $5,200', value: '$4,800' },
      placed: {
        state: 'done',
        notes: ['0f1e2d3c4b5a6978'],
        places: { 'customer rating': 'Rating' },
      },
    }),
    answer: batches.BatchResponse,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  publishTask: {
    route: 'POST /agent/tasks/{taskId}/publish',
    tag: 'Follow-ups',
    summary: 'Publish a completed task',
    description:
      'Starts a new task that makes the pages live. The base tasks go live with it. Pages that are left out do not go live: leaving them out is a version of the result, without these pages, links to them and their entries in sitemaps. Undo the version to put them back.',
    headers: [idempotencyKeyParameter],
    body: optionalRequestBody('PublishTask', publishTaskBody, {
      callback: { callbackUrl },
      leaveOut: { leaveOut: ['/locations/porto'] },
    }),
    answer: tasks.StartedTaskResponse,
    errors: [...startErrors, 'CONFLICT'],
  },
  retryTask: {
    route: 'POST /agent/tasks/{taskId}/retry',
    tag: 'Follow-ups',
    summary: 'Retry a failed generate_pages task',
    description:
      'Starts a new task with the same request. It reuses the pages that the failed task has written.',
    headers: [idempotencyKeyParameter],
    body: followUpRequest,
    answer: tasks.StartedTaskResponse,
    errors: [...startErrors, 'CONFLICT'],
  },
  cancelTask: {
    route: 'POST /agent/tasks/{taskId}/cancel',
    tag: 'Follow-ups',
    summary: 'Cancel a running task',
    description:
      'The task fails with `Task was cancelled`. A task that is already publishing cannot be cancelled.',
    answer: tasks.TaskState,
    status: 202,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  answerTask: {
    route: 'POST /agent/tasks/{taskId}/answer',
    tag: 'Follow-ups',
    summary: 'Answer the question of a running task',
    description: '`progress.waitingFor` contains the question. Repeating an answer has no effect.',
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
    summary: 'Preview a publication',
    answer: details.PublishCheckResponse,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  dropNotes: {
    route: 'POST /agent/tasks/{taskId}/notes/drop',
    tag: 'Notes',
    summary: 'Remove or replace the facts of notes',
    description:
      'Removes the facts that the open notes are about from the result of the task, writes `text` in their place, or gives unused values of the context `places`, as a new version of it. The outcome does not depend on the order of several removals. It does not call a language model. A repeated request changes nothing.',
    body: requestBody('DropNotes', dropBody, {
      page: { page: '/locations/lisbon', kind: 'date', slots: ['s41'] },
      typed: { notes: ['0f1e2d3c4b5a6978'], text: 'from $5,200', value: '$4,800' },
      placed: { notes: ['0f1e2d3c4b5a6978'], places: { 'customer rating': 'Rating' } },
    }),
    answer: versions.FactRemovalResponse,
    errors: ['CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  listVersions: {
    route: 'GET /agent/tasks/{taskId}/versions',
    tag: 'Versions',
    summary: 'List the versions of a task',
    description:
      'A task has one result. What people and programs change after the task has completed makes a new version of this result.',
    answer: versions.VersionList,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  undoVersion: {
    route: 'POST /agent/tasks/{taskId}/versions/undo',
    tag: 'Versions',
    summary: 'Undo the current version',
    description:
      'Makes the version before the current one current again, as a new version. The notes that the undone version resolved are open again.',
    body: optionalRequestBody('UndoVersion', undoBody, { current: { version: 2 } }),
    answer: versions.VersionChange,
    errors: ['CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  updateTask: {
    route: 'POST /agent/tasks/{taskId}/versions/update',
    tag: 'Versions',
    summary: 'Update a task',
    description:
      'Takes over what the base tasks and the production branch have become since, as a new version. If both sides changed a page, `conflicts` decides which version wins.',
    body: optionalRequestBody('UpdateTask', updateBody, { keepOwnPages: { conflicts: 'own' } }),
    answer: versions.VersionChange,
    errors: ['CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  settleNotes: {
    route: 'PATCH /agent/tasks/{taskId}/notes',
    tag: 'Notes',
    summary: 'Resolve notes',
    description:
      'Records that a person corrected the facts by hand (`done`) or keeps them on purpose (`kept`). Select notes by id or by page. Without a selection, the request means all notes of the task.',
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
    description:
      'The result of the task stays. You can still publish it, compare it and build on it.',
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  getCallback: {
    route: 'GET /agent/tasks/{taskId}/callback',
    tag: 'Callbacks',
    summary: 'Get the deliveries of a callback',
    answer: details.CallbackResponse,
    errors: ['UNAVAILABLE'],
  },
  redeliverCallback: {
    route: 'POST /agent/tasks/{taskId}/callback/redeliver',
    tag: 'Callbacks',
    summary: 'Deliver a callback again',
    description:
      'Sends the callback again with the same `webhook-id`, the same body and the same retries.',
    answer: details.TaskReference,
    status: 202,
    errors: ['CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  testCallback: {
    route: 'POST /callbacks/test',
    tag: 'Callbacks',
    summary: 'Send a test callback',
    description: 'Sends one signed POST without retries, like that of a task that succeeded.',
    body: requestBody('CallbackTestRequest', callbackTestBody, { test: { url: callbackUrl } }),
    answer: details.CallbackTest,
    errors: ['INVALID_CALLBACK_URL'],
  },
  createEditLink: {
    route: 'POST /agent/tasks/{taskId}/edit-link',
    tag: 'Editing',
    summary: 'Create a link to edit the pages of a task',
    description:
      'Creates a secret link. It can be opened for ten minutes, and then allows editing for two hours.',
    body: optionalRequestBody('EditLinkRequest', editLinkBody, {
      page: { slug: '/locations/lisbon' },
    }),
    answer: details.EditLink,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  createBatchEditLink: {
    route: 'POST /agent/batches/{batchId}/edit-link',
    tag: 'Editing',
    summary: 'Create a link to edit the pages of a batch',
    description:
      'Like the link for a task, but it opens at one page. The batch must not be running.',
    body: requestBody('BatchEditLinkRequest', batchEditLinkBody, {
      page: { slug: '/locations/porto' },
    }),
    answer: details.EditLink,
    errors: ['CONFLICT'],
  },
  createSiteEditLink: {
    route: 'POST /sites/{siteId}/edit-link',
    tag: 'Editing',
    summary: 'Create a link to edit a page of a site',
    description:
      'Like the link for a task, but it opens a page as it is on the production branch. The first save starts a task of the type `edit`, which is reviewed and published like any other. If nothing is saved, there is no task.',
    body: requestBody('SiteEditLinkRequest', siteEditLinkBody, { page: { slug: '/pricing' } }),
    answer: details.EditLink,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
} satisfies Record<string, ApiOperation>;
