import { shareDays } from '../../organizations/shares.ts';
import { answer, body } from '../openapi/bodies.ts';
import { wrongBody } from '../openapi/commonErrors.ts';
import { jsonSchemaOf, queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import {
  exampleShareId,
  exampleSiteId,
  exampleTaskId,
  taskNotFound,
} from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  nextCursor,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  slugSchema,
  textSchema,
  time,
  timeSchema,
  urlSchema,
  uuidSchema,
} from '../openapi/schemas.ts';
import { invalidCursor } from './keys.openapi.ts';
import { openShareBody, shareBody, shareListQuery } from './shares.schema.ts';

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
  summary: "Share a task's pages by a link",
  description: [
    'Who has the link needs no account: it shows the pages that the task created or modified, and with `access: edit`',
    'opens them in the editor. The link is a secret: its key stands after the `#`, which browsers never send.',
  ].join('\n'),
  body: body('ShareRequest', { view: { access: 'view', days: 7 } }),
  answers: {
    201: answer('The link. Its address is answered only here.', 'ShareCreated', {
      share: {
        ...example,
        url: `https://tasks.example.com/shared/${exampleShareId}#key=q0VnT3pX9wLr`,
      },
    }),
  },
  errors: {
    400: wrongBody('days must be one of 1, 7, 30'),
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
  summary: "List the links to a task's pages",
  description: 'Those in force, the newest first.',
  answers: {
    200: answer('The links, without their keys.', 'ShareList', { shares: { shares: [example] } }),
  },
  errors: { 409: notShareable },
};

const listAllShares: Operation = {
  method: 'get',
  path: '/shares',
  operationId: 'listAllShares',
  summary: 'List the links of the organization',
  description:
    'Those in force, the newest first, without those of previews that have ended: they show nothing.',
  parameters: queryParametersOf(shareListQuery),
  answers: {
    200: answer('A part of the list, without the keys of the links.', 'OrganizationShares', {
      shares: { shares: [listed], nextCursor: null },
    }),
  },
  errors: { 400: invalidCursor },
};

const revokeShare: Operation = {
  method: 'delete',
  path: '/shares/{shareId}',
  operationId: 'revokeShare',
  summary: 'End a link at once',
  description: "Editors that it has opened end with it. The previews' own addresses stay.",
  answers: { 204: { description: 'It opens nothing any more.' } },
  errors: { 404: { 'Share not found': 'Unknown, ended already, or of another organization.' } },
};

const openShare: Operation = {
  method: 'post',
  path: '/shared/{shareId}',
  atRoot: true,
  isOpen: true,
  operationId: 'openShare',
  summary: 'Read what a link shows',
  description: "For the link's own page: the request needs its `Origin`.",
  body: body('OpenShareRequest', { key: { key: 'q0VnT3pX9wLr' } }),
  answers: {
    200: answer('The pages.', 'OpenedShare', {
      view: {
        access: 'view',
        expiresAt: example.expiresAt,
        site: 'Northwind',
        host: 'embedded',
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
    }),
  },
  errors: {
    400: wrongBody('key is required'),
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
  shareId: uuidSchema(),
  taskId: textSchema('The task that made the pages.'),
  access: enumSchema(['view', 'edit']),
  createdAt: time,
  expiresAt: timeSchema('Until when it works.'),
};

export const shares: RoutesDescription = {
  tag: { name: 'Sharing', description: "Links to a task's pages for people without an account." },
  schemas: {
    ShareRequest: jsonSchemaOf(shareBody),
    ShareDays: { type: 'integer', enum: shareDays, description: 'How long a link works.' },
    OpenShareRequest: jsonSchemaOf(openShareBody),
    Share: objectSchema(share),
    ShareCreated: objectSchema({
      ...share,
      url: urlSchema('The link, for a browser. A secret.'),
    }),
    ShareList: objectSchema({ shares: arrayOf(schemaRef('Share'), 'The newest first.') }),
    OrganizationShares: objectSchema({
      shares: arrayOf(schemaRef('ListedShare'), 'The newest first.'),
      nextCursor,
    }),
    ListedShare: objectSchema({
      ...share,
      createdBy: nullable(schemaRef('Maker'), 'The person. Null: a program.'),
      title: orNull(
        textSchema("The task's. Null: the task is not kept any more, or Temporal does not answer."),
      ),
      siteId: orNull(
        textSchema("The task's site. Null: as for `title`, or the site is not known any more."),
      ),
    }),
    OpenedShare: objectSchema({
      access: share.access,
      expiresAt: share.expiresAt,
      site: textSchema("The site's name."),
      host: enumSchema(
        ['embedded', 'own'],
        "Who shows the pages: this service, or the team's host.",
      ),
      pages: arrayOf(schemaRef('SharedPage'), 'Those that the task created or modified.'),
    }),
    SharedPage: objectSchema({
      slug: slugSchema(),
      previewUrl: orNull(urlSchema("Null: the team's own host was not seen to show the page.")),
      editUrl: orNull(urlSchema('Opens the editor; null where only to look at.')),
      live: booleanSchema('Whether the live site has it as the task made it.'),
      published: booleanSchema('Whether it went live once.'),
    }),
  },
  operations: [createShare, listShares, listAllShares, revokeShare, openShare],
};
