import { answer } from '../openapi/bodies.ts';
import { unreadableTask, wrongQuery } from '../openapi/commonErrors.ts';
import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleSiteId, exampleTaskId } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  nextCursor,
  nullable,
  objectSchema,
  schemaRef,
  time,
  timeSchema,
  uuidSchema,
} from '../openapi/schemas.ts';
import { taskListQuery } from './taskLists.schema.ts';
import { aboutFields, listedLiveExample, listedLiveFields } from './tasks.about.openapi.ts';
import { aboutExample } from './tasks.examples.ts';

const summary = {
  taskId: exampleTaskId,
  type: 'generate_pages',
  siteId: exampleSiteId,
  callback: null,
  ...aboutExample,
};
const running = { live: false, publication: null };
const example = {
  tasks: [
    {
      ...summary,
      status: 'running',
      publish: false,
      createdAt: '2026-11-21T07:00:16.667Z',
      ...running,
    },
    {
      ...summary,
      taskId: 'bg-273ynco1h80s3e1xlpsti9',
      type: 'prompt',
      status: 'completed',
      publish: true,
      createdAt: '2026-11-21T06:58:02.310Z',
      finishedAt: '2026-11-21T06:58:06.120Z',
      ...listedLiveExample,
    },
  ],
  nextCursor: null,
};

const list: Operation = {
  method: 'get',
  path: '/agent/tasks',
  operationId: 'listTasks',
  summary: "List your organization's tasks",
  description: [
    'Running ones first, then the latest finished. The list may be behind by a moment. While paging, a task may appear',
    'twice, but is never missed. The last answer may be empty.',
  ].join('\n'),
  parameters: queryParametersOf(taskListQuery),
  answers: { 200: answer('A part of the list.', 'TaskList', { tasks: example }) },
  errors: {
    400: {
      ...wrongQuery('status must be one of [running, completed, failed]; colour is not allowed'),
      'Invalid query: cursor must be the nextCursor of an answer to the same filters':
        'It was given out for another list.',
    },
    503: unreadableTask,
  },
};

export const taskLists: RoutesDescription = {
  tag: { name: 'Lists of tasks', description: 'What has been asked for.' },
  schemas: {
    TaskList: objectSchema({
      tasks: arrayOf(schemaRef('TaskSummary'), 'Running ones first, then the latest finished.'),
      nextCursor,
    }),
    TaskSummary: objectSchema({
      taskId: schemaRef('TaskId'),
      type: enumSchema(['prompt', 'generate_pages', 'publish', 'restore', 'drop']),
      siteId: uuidSchema(),
      status: enumSchema(['running', 'completed', 'failed']),
      publish: booleanSchema('Whether it was created to go live.'),
      createdAt: time,
      'finishedAt?': timeSchema('Absent while it runs.'),
      callback: nullable(
        schemaRef('CallbackState'),
        'The state of the latest delivery of its callback. Null where it has none.',
      ),
      ...aboutFields,
      'restores?': timeSchema('Of restore: when the version that it puts live again went live.'),
      ...listedLiveFields,
      'asks?': booleanSchema('True while it waits for an answer to a question. Otherwise absent.'),
    }),
    CallbackState: enumSchema(['pending', 'accepted', 'failed']),
  },
  operations: [list],
};
