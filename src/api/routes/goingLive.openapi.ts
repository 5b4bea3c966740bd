import { answer } from '../openapi/bodies.ts';
import { siteWithoutRepository, unreadableTask } from '../openapi/commonErrors.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleCommit, exampleTaskId, siteNotFound } from '../openapi/parameters.ts';
import {
  arrayOf,
  countSchema,
  nullable,
  objectSchema,
  schemaRef,
  slugSchema,
  timeSchema,
} from '../openapi/schemas.ts';
import { notRestorable } from './deployments.openapi.ts';
import { notPublishable } from './followUps.openapi.ts';

const noPages = { count: 0, slugs: [] };

const publish: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/publish',
  operationId: 'checkPublish',
  summary: 'See what publishing a task would put live',
  description: [
    "The task's own pages, those of the tasks that it is built on and that are not live yet, and what others pushed to",
    'the production branch since the last deployment. Nothing is changed.',
  ].join('\n'),
  answers: {
    200: answer('What would go live.', 'PublishCheck', {
      followUp: {
        taskId: exampleTaskId,
        pages: { count: 1, slugs: ['/locations/porto'] },
        tasks: [
          {
            taskId: 'bg-273ynco1h80s3e1xlpsti9',
            title: '2 pages from /locations/austin',
            pages: { count: 2, slugs: ['/locations/porto', '/locations/lisbon'] },
          },
        ],
        pushed: {
          created: noPages,
          modified: { count: 1, slugs: ['/pricing'] },
          deleted: noPages,
        },
      },
    }),
  },
  errors: {
    400: siteWithoutRepository,
    404: siteNotFound,
    409: notPublishable,
    503: unreadableTask,
  },
};

const restore: Operation = {
  method: 'get',
  path: '/sites/{siteId}/deployments/{deploymentId}/restore',
  operationId: 'checkRestore',
  summary: 'See what putting a deployment live again would change',
  description: 'Compared with the head of the production branch. Nothing is changed.',
  answers: {
    200: answer('What would change.', 'RestoreCheck', {
      earlier: {
        deploymentId: exampleCommit,
        name: '3 pages from /locations/austin',
        at: '2026-11-21T07:00:24.120Z',
        created: noPages,
        modified: { count: 1, slugs: ['/pricing'] },
        deleted: { count: 2, slugs: ['/locations/porto', '/locations/lisbon'] },
      },
    }),
  },
  errors: {
    400: siteWithoutRepository,
    409: {
      ...notRestorable,
      'Commit of the deployment not found: …': 'The repository cannot be read.',
    },
    503: { 'Service Unavailable': 'The repository does not answer. Ask again.' },
  },
};

const lists = (created: string, modified: string, deleted: string) => ({
  created: { ...schemaRef('PageNames'), description: created },
  modified: { ...schemaRef('PageNames'), description: modified },
  deleted: { ...schemaRef('PageNames'), description: deleted },
});

export const goingLive: RoutesDescription = {
  tag: { name: 'Going live', description: 'What would go live, told before it does.' },
  schemas: {
    PageNames: objectSchema({
      count: countSchema(),
      slugs: arrayOf(slugSchema(), 'The first 100 of them.'),
    }),
    PublishCheck: objectSchema({
      taskId: schemaRef('TaskId'),
      pages: { ...schemaRef('PageNames'), description: "The task's own." },
      tasks: arrayOf(
        schemaRef('UnpublishedTask'),
        'Tasks that it is built on and that are not live: they go live too. The nearest first.',
      ),
      pushed: nullable(
        schemaRef('PushedPages'),
        'What others pushed since the last deployment. Null where the repository does not tell.',
      ),
    }),
    UnpublishedTask: objectSchema({
      taskId: schemaRef('TaskId'),
      title: { type: 'string' },
      pages: schemaRef('PageNames'),
    }),
    PushedPages: objectSchema(lists('New pages.', 'Changed pages.', 'Pages that are gone.')),
    RestoreCheck: objectSchema({
      deploymentId: { type: 'string' },
      name: { type: 'string' },
      at: timeSchema('When it went live.'),
      ...lists('Pages that come back.', 'Pages that change back.', 'Pages that would be gone.'),
    }),
  },
  operations: [publish, restore],
};
