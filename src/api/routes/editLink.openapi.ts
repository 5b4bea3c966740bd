import { answer, body, optionalBody } from '../openapi/bodies.ts';
import { unreadableTask, wrongBody } from '../openapi/commonErrors.ts';
import { jsonSchemaOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleBatchId, exampleTaskId, taskNotFound } from '../openapi/parameters.ts';
import { objectSchema, timeSchema, urlSchema } from '../openapi/schemas.ts';
import { batchEditLinkBody, editLinkBody } from './editLink.schema.ts';

const example = {
  url: `https://tasks.example.com/edit/${exampleTaskId}/locations/lisbon#key=WyI4ZmE5MGIzNiJd.c2lnbmF0dXJl`,
  expiresAt: '2026-11-21T07:10:20.346Z',
};

const createLink: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/edit-link',
  operationId: 'createEditLink',
  summary: "Get a link to edit a task's pages by hand",
  description: [
    'The link lets a person edit every page that the task created or modified, and nothing else, for two hours. It can',
    'be opened for ten minutes. It is a secret: its key stands after the `#`, which browsers never send.',
  ].join('\n'),
  body: optionalBody('EditLinkRequest', { page: { slug: '/locations/lisbon' } }),
  answers: { 200: answer('The link.', 'EditLink', { link: example }) },
  errors: {
    400: wrongBody('colour is not allowed'),
    404: {
      ...taskNotFound,
      'Page not found: the task has not created or modified /x':
        'Only its own pages can be edited.',
    },
    409: {
      'Task is still running': 'Wait until it is completed.',
      'Task failed: there is nothing to edit': 'It has no result.',
      'Task changed nothing: there is nothing to edit':
        'Its result has no page that can be edited.',
      'Preview is gone: it was deleted or has expired': 'Pages are edited on their preview.',
    },
    503: unreadableTask,
  },
};

const createBatchLink: Operation = {
  method: 'post',
  path: '/agent/batches/{batchId}/edit-link',
  operationId: 'createBatchEditLink',
  summary: "Get a link to edit a batch's pages by hand",
  description:
    "As a task's. It opens at one page, and the batch must not be running. Its next runs build on what was edited.",
  body: body('BatchEditLinkRequest', { page: { slug: '/locations/porto' } }),
  answers: {
    200: answer('The link.', 'EditLink', {
      link: { ...example, url: example.url.replace(exampleTaskId, exampleBatchId) },
    }),
  },
  errors: {
    400: wrongBody('slug is required'),
    404: {
      'Page not found: the batch has no /x in its preview':
        'Rows that failed, wait or were skipped have no page to edit.',
    },
    409: {
      'Batch is running: pause it to edit its pages, or wait for its end':
        'Its pages can be edited between its runs.',
      'Batch was cancelled: its pages are not edited any more': 'They can not go live either.',
      'Preview is gone: it was deleted or has expired': 'Pages are edited on their preview.',
    },
  },
};

export const editLink: RoutesDescription = {
  tag: {
    name: 'Editing',
    description:
      'Changing the pages of a completed task by hand, before they are published or after.',
  },
  schemas: {
    EditLinkRequest: jsonSchemaOf(editLinkBody),
    BatchEditLinkRequest: jsonSchemaOf(batchEditLinkBody),
    EditLink: objectSchema({
      url: urlSchema('Opens the editor, in a browser.'),
      expiresAt: timeSchema('Until when the link can be opened: ISO 8601 with milliseconds, UTC.'),
    }),
  },
  operations: [createLink, createBatchLink],
};
