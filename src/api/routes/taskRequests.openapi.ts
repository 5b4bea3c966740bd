import { limits } from '../../contract/task.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleSiteId, exampleTaskId, taskIdParameter } from '../openapi/parameters.ts';
import { arrayOf, objectSchema, schemaRef, textSchema } from '../openapi/schemas.ts';
import { taskNotFound, unreadableTask } from './tasks.errors.ts';

const example = {
  taskId: exampleTaskId,
  siteId: exampleSiteId,
  command: 'prompt',
  baseTaskId: null,
  publish: false,
  onWarnings: 'publish',
  prompt: 'Make the headline of /pricing friendlier',
  model: 'rules',
  callbackOrigin: 'https://hooks.example.com',
};

const readRequest: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/request',
  operationId: 'getTaskRequest',
  limit: 'read',
  summary: 'Read what a task was asked for',
  description: [
    'Its request in the fields of `POST /agent/tasks`, to ask again in other words. Of a callback URL only the origin is',
    'told: the rest may hold a secret.',
  ].join('\n'),
  parameters: [taskIdParameter],
  answers: {
    200: {
      description: 'The request.',
      schema: schemaRef('TaskRequest'),
      examples: { request: { value: example } },
    },
  },
  errors: { 404: taskNotFound, 503: unreadableTask },
};

const slug = (description: string) => ({ type: 'string', pattern: '^/', description });
const upTo = { type: 'integer', minimum: 0 };

export const taskRequests: RoutesDescription = {
  tag: { name: 'Requests', description: 'What tasks were asked for.' },
  schemas: {
    TaskRequest: objectSchema(
      {
        taskId: schemaRef('TaskId'),
        siteId: { type: 'string', format: 'uuid' },
        command: {
          type: 'string',
          enum: ['prompt', 'generate_pages', 'publish', 'restore', 'drop'],
        },
        baseTaskId: {
          oneOf: [schemaRef('TaskId'), { type: 'null' }],
          description:
            'The task that it works on top of, or that it publishes. Null: the live site.',
        },
        publish: { type: 'boolean' },
        onWarnings: { type: 'string', enum: ['publish', 'hold'] },
        prompt: textSchema('Of prompt tasks.'),
        templatePageSlug: slug('Of generate_pages.'),
        items: arrayOf(
          schemaRef('TaskRequestItem'),
          `Of generate_pages: 1 to ${limits.itemsPerTask}.`,
        ),
        group: {
          type: 'string',
          format: 'uuid',
          description: 'What tasks of one table have in common.',
        },
        linkFrom: slug('Of generate_pages: the page that was to link to the new ones.'),
        model: textSchema(
          'Who did the work: `rules`, or a language model as `<provider>/<model>`.',
        ),
        budget: schemaRef('TaskBudget'),
        callbackOrigin: {
          type: 'string',
          format: 'uri',
          description: 'Where its callback goes, without a path.',
        },
      },
      [
        'prompt',
        'templatePageSlug',
        'items',
        'linkFrom',
        'group',
        'model',
        'budget',
        'callbackOrigin',
      ],
    ),
    TaskRequestItem: objectSchema(
      {
        targetPageSlug: slug('Path of the new page.'),
        context: textSchema('Content or data for the page.'),
        externalId: textSchema('A name of yours.'),
        facts: { type: 'string', enum: ['keep', 'drop'] },
      },
      ['externalId', 'facts'],
    ),
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
