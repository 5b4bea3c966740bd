import { jsonSchemaOf, queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleSiteId, exampleTaskId, taskIdParameter } from '../openapi/parameters.ts';
import { arrayOf, objectSchema, schemaRef, textSchema, timeSchema } from '../openapi/schemas.ts';
import { invalidCursor } from './keys.openapi.ts';
import { openShareBody, shareBody, shareListQuery } from './shares.schema.ts';
import { taskNotFound } from './tasks.errors.ts';

const exampleShareId = '7d0c4e0e-8d5b-4f6b-9a53-2f6b0f1f9a11';
const example = {
  shareId: exampleShareId,
  taskId: exampleTaskId,
  access: 'view',
  createdAt: '2026-11-21T07:00:20.346Z',
  expiresAt: '2026-11-28T07:00:20.346Z',
};
const listed = {
  ...example,
  createdBy: { userId: '0f9a3f6e-8a0c-4d6e-b0a5-7c3c9c1f4e21', name: 'Ada' },
  title: '2 pages from /locations/austin',
  siteId: exampleSiteId,
};
const shareIdParameter = {
  name: 'shareId',
  in: 'path' as const,
  required: true,
  description: 'The `shareId` of a link.',
  schema: { type: 'string' },
  example: exampleShareId,
};

const notShareable = {
  'Task is still running': 'Wait until it is completed.',
  'Task failed: there is nothing to edit': 'It has no result.',
  'Task changed nothing: there is nothing to edit': 'Its result has no page.',
  'Preview is gone: it was deleted or has expired': 'There is nothing to look at any more.',
};

const createShare: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/shares',
  operationId: 'createShare',
  limit: 'create',
  summary: "Share a task's pages by a link",
  description: [
    'Who has the link needs no account: it shows the pages that the task created or modified, and with `access: edit`',
    'opens them in the editor. The link is a secret: its key stands after the `#`, which browsers never send.',
  ].join('\n'),
  parameters: [taskIdParameter],
  body: {
    required: true,
    schema: schemaRef('ShareRequest'),
    examples: { view: { value: { access: 'view', days: 7 } } },
  },
  answers: {
    201: {
      description: 'The link. Its address is answered only here.',
      schema: schemaRef('NewShare'),
      examples: {
        share: {
          value: {
            ...example,
            url: `https://tasks.example.com/shared/${exampleShareId}#key=q0VnT3pX9wLr`,
          },
        },
      },
    },
  },
  errors: {
    400: {
      'Invalid request body: days must be one of 1, 7, 30': 'Every field that is wrong is named.',
    },
    404: taskNotFound,
    409: {
      ...notShareable,
      'Task has 100 links already: revoke some first': 'Links in force are counted.',
    },
  },
};

const listShares: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/shares',
  operationId: 'listShares',
  limit: 'read',
  summary: "List the links to a task's pages",
  description: 'Those in force, the newest first.',
  parameters: [taskIdParameter],
  answers: {
    200: {
      description: 'The links, without their keys.',
      schema: schemaRef('ShareList'),
      examples: { shares: { value: { shares: [example] } } },
    },
  },
  errors: { 404: taskNotFound, 409: notShareable },
};

const listAllShares: Operation = {
  method: 'get',
  path: '/shares',
  operationId: 'listAllShares',
  limit: 'read',
  summary: 'List the links of the organization',
  description:
    'Those in force, the newest first, without those of previews that have ended: they show nothing.',
  parameters: queryParametersOf(shareListQuery),
  answers: {
    200: {
      description: 'A part of the list, without the keys of the links.',
      schema: schemaRef('OrganizationShares'),
      examples: { shares: { value: { shares: [listed], nextCursor: null } } },
    },
  },
  errors: { 400: invalidCursor },
};

const revokeShare: Operation = {
  method: 'delete',
  path: '/shares/{shareId}',
  operationId: 'revokeShare',
  limit: 'create',
  summary: 'End a link at once',
  description: "Editors that it has opened end with it. The previews' own addresses stay.",
  parameters: [shareIdParameter],
  answers: { 204: { description: 'It opens nothing any more.' } },
  errors: { 404: { 'Share not found': 'Unknown, ended already, or of another organization.' } },
};

const openShare: Operation = {
  method: 'post',
  path: '/shared/{shareId}',
  atRoot: true,
  operationId: 'openShare',
  summary: 'Read what a link shows',
  description: "For the link's own page: the request needs its `Origin`.",
  parameters: [shareIdParameter],
  body: {
    required: true,
    schema: schemaRef('OpenShareRequest'),
    examples: { key: { value: { key: 'q0VnT3pX9wLr' } } },
  },
  answers: {
    200: {
      description: 'The pages.',
      schema: schemaRef('OpenedShare'),
      examples: {
        view: {
          value: {
            access: 'view',
            expiresAt: example.expiresAt,
            site: 'Northwind',
            pages: [
              {
                slug: '/locations/lisbon',
                previewUrl: `https://${exampleTaskId}--northwind.preview.example/locations/lisbon`,
                editUrl: null,
                live: false,
                published: false,
              },
            ],
          },
        },
      },
    },
  },
  errors: {
    400: { 'Invalid request body: key is required': 'Every field that is wrong is named.' },
    401: { Unauthorized: 'The link is unknown, wrong, expired or ended.' },
    403: {
      'Forbidden: the request must come from a page of this service':
        'Its `Origin` is another one.',
    },
    404: taskNotFound,
    409: notShareable,
    429: {
      'Too Many Requests':
        'Over the limits of the link, or too many wrong links from this address.',
    },
  },
};

const share = {
  shareId: { type: 'string', format: 'uuid' },
  taskId: textSchema('The task that made the pages.'),
  access: { type: 'string', enum: ['view', 'edit'] },
  createdAt: timeSchema('ISO 8601 with milliseconds, UTC.'),
  expiresAt: timeSchema('Until when it works.'),
};
const url = { type: 'string', format: 'uri' };

export const shares: RoutesDescription = {
  tag: { name: 'Sharing', description: "Links to a task's pages for people without an account." },
  schemas: {
    ShareRequest: jsonSchemaOf(shareBody),
    OpenShareRequest: jsonSchemaOf(openShareBody),
    Share: objectSchema(share),
    NewShare: objectSchema({
      ...share,
      url: { ...url, description: 'The link, for a browser. A secret.' },
    }),
    ShareList: objectSchema({ shares: arrayOf(schemaRef('Share'), 'The newest first.') }),
    OrganizationShares: objectSchema({
      shares: arrayOf(schemaRef('ListedShare'), 'The newest first.'),
      nextCursor: {
        type: ['string', 'null'],
        description: '`cursor` of the next request; null at the end.',
      },
    }),
    ListedShare: objectSchema({
      ...share,
      createdBy: {
        oneOf: [schemaRef('Maker'), { type: 'null' }],
        description: 'The person. Null: a program.',
      },
      title: {
        type: ['string', 'null'],
        description:
          "The task's. Null: the task is not kept any more, or Temporal does not answer.",
      },
      siteId: {
        type: ['string', 'null'],
        description: "The task's site. Null: as for `title`, or the site is not known any more.",
      },
    }),
    OpenedShare: objectSchema({
      access: share.access,
      expiresAt: share.expiresAt,
      site: textSchema("The site's name."),
      pages: arrayOf(schemaRef('SharedPage'), 'Those that the task created or modified.'),
    }),
    SharedPage: objectSchema({
      slug: { type: 'string', pattern: '^/' },
      previewUrl: url,
      editUrl: {
        type: ['string', 'null'],
        format: 'uri',
        description: 'Opens the editor; null where only to look at.',
      },
      live: { type: 'boolean', description: 'Whether the live site has it as the task made it.' },
      published: { type: 'boolean', description: 'Whether it went live once.' },
    }),
  },
  operations: [createShare, listShares, listAllShares, revokeShare, openShare],
};
