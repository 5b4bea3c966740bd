import { limits } from '../../contract/task.ts';
import { answer } from '../openapi/bodies.ts';
import { unreadableTask } from '../openapi/commonErrors.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleSiteId, exampleTaskId } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  countSchema,
  enumSchema,
  nullable,
  objectSchema,
  schemaRef,
  slugSchema,
  textSchema,
  urlSchema,
  uuidSchema,
} from '../openapi/schemas.ts';

const example = {
  taskId: exampleTaskId,
  siteId: exampleSiteId,
  command: 'prompt',
  baseTaskId: null,
  publish: false,
  onWarnings: 'publish',
  ask: 'never',
  prompt: 'Make the headline of /pricing friendlier',
  model: 'rules',
  callbackOrigin: 'https://hooks.example.com',
};

const readRequest: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/request',
  operationId: 'getTaskRequest',
  summary: 'Read what a task was asked for',
  description: [
    'Its request in the fields of `POST /agent/tasks`, to ask again in other words. Of a callback URL only the origin is',
    'told: the rest may hold a secret.',
  ].join('\n'),
  answers: { 200: answer('The request.', 'TaskRequest', { request: example }) },
  errors: { 503: unreadableTask },
};

const upTo = countSchema();

export const taskRequests: RoutesDescription = {
  tag: { name: 'Requests', description: 'What tasks were asked for.' },
  schemas: {
    TaskRequest: objectSchema({
      taskId: schemaRef('TaskId'),
      siteId: uuidSchema(),
      command: enumSchema(['prompt', 'generate_pages', 'publish', 'restore', 'drop']),
      baseTaskId: nullable(
        schemaRef('TaskId'),
        'The task that it works on top of, or that it publishes. Null: the live site.',
      ),
      publish: booleanSchema(),
      onWarnings: enumSchema(['publish', 'hold']),
      ask: enumSchema(['allowed', 'never']),
      'prompt?': textSchema('Of prompt tasks.'),
      'templatePageSlug?': slugSchema('Of generate_pages.'),
      'items?': arrayOf(
        schemaRef('TaskRequestItem'),
        `Of generate_pages: 1 to ${limits.itemsPerTask}.`,
      ),
      'linkFrom?': slugSchema('Of generate_pages: the page that was to link to the new ones.'),
      'model?': textSchema(
        'Who did the work: `rules`, or a language model as `<provider>/<model>`.',
      ),
      'budget?': schemaRef('TaskBudget'),
      'callbackOrigin?': urlSchema('Where its callback goes, without a path.'),
    }),
    TaskRequestItem: objectSchema({
      targetPageSlug: slugSchema('Path of the new page.'),
      context: textSchema('Content or data for the page.'),
      'externalId?': textSchema('A name of yours.'),
      'facts?': enumSchema(['keep', 'drop']),
    }),
    TaskBudget: {
      ...objectSchema({
        turns: upTo,
        tokens: upTo,
        minutes: upTo,
        pagesChanged: upTo,
        pagesDeleted: upTo,
      }),
      description: 'What the task might use up: as it was asked for, or as the service was set.',
    },
  },
  operations: [readRequest],
};
