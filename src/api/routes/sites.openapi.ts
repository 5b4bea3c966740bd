import { answer } from '../openapi/bodies.ts';
import {
  siteWithoutRepository,
  unreadableRepository,
  wrongQuery,
} from '../openapi/commonErrors.ts';
import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleSiteId, exampleTaskId } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  commitSchema,
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
import { siteListQuery, sitePagesQuery, slugCursor } from './sites.schema.ts';

const example = {
  siteId: exampleSiteId,
  commit: '1f0c0de5b2a94d6cb6f3a0a7c9f2f4f5f6a7b8c9',
  pages: [
    {
      slug: '/',
      title: 'Northwind',
      template: true,
      changedAt: '2026-11-02T10:20:30.000Z',
      changedBy: 'Ann',
      taskId: null,
    },
    {
      slug: '/locations/austin',
      title: 'Web design in Austin',
      template: true,
      changedAt: '2026-11-21T07:00:24.000Z',
      changedBy: 'Ada',
      taskId: exampleTaskId,
    },
  ],
  nextCursor: slugCursor.at('/locations/austin'),
};

const commit = commitSchema();
const exampleDeployment = {
  state: 'live',
  commit: example.commit,
  taskId: exampleTaskId,
  at: '2026-11-21T07:00:24.120Z',
};
const exampleSites = {
  sites: [
    {
      siteId: exampleSiteId,
      name: 'Northwind',
      liveUrl: 'http://northwind.sites.localhost:3000/',
      deployment: exampleDeployment,
      repository: {
        url: 'https://git.example/acme/site.git',
        branch: 'main',
        root: '',
        access: 'token',
      },
      problem: null,
    },
  ],
  nextCursor: null,
};

const listSites: Operation = {
  method: 'get',
  path: '/sites',
  operationId: 'listSites',
  summary: "List your organization's sites",
  description: 'By name.',
  parameters: queryParametersOf(siteListQuery),
  answers: { 200: answer('A part of the list.', 'SiteList', { sites: exampleSites }) },
  errors: {
    400: wrongQuery('limit must be less than or equal to 100'),
  },
};

const listPages: Operation = {
  method: 'get',
  path: '/sites/{siteId}/pages',
  operationId: 'listSitePages',
  summary: 'List the pages of a site',
  description: 'Those of the production branch, by slug.',
  parameters: queryParametersOf(sitePagesQuery),
  answers: { 200: answer('A part of the list.', 'SitePages', { pages: example }) },
  errors: {
    400: {
      ...wrongQuery('limit must be less than or equal to 500; colour is not allowed'),
      ...siteWithoutRepository,
    },
    ...unreadableRepository,
  },
};

export const sites: RoutesDescription = {
  tag: { name: 'Sites', description: 'What tasks change.' },
  schemas: {
    SiteList: objectSchema({
      sites: arrayOf(schemaRef('SiteSummary'), 'In the order of their names.'),
      nextCursor,
    }),
    SiteSummary: objectSchema({
      siteId: uuidSchema(),
      name: textSchema('As it was registered.'),
      liveUrl: orNull(urlSchema('Null where nothing is live yet.')),
      deployment: nullable(
        schemaRef('SiteDeployment'),
        'The last production deployment; null before the first one.',
      ),
      repository: nullable(schemaRef('SiteRepository'), 'Null: it has none.'),
      problem: orNull(textSchema('What went wrong at the repository last. Null: nothing.')),
    }),
    SiteDeployment: objectSchema({
      state: enumSchema(['live', 'failed'], 'After a failed one, the one before is live still.'),
      commit,
      taskId: orNull(textSchema('The task that published; null where no task did.')),
      at: time,
    }),
    SitePages: objectSchema({
      siteId: uuidSchema(),
      commit: commitSchema('Of the production branch.'),
      pages: arrayOf(schemaRef('SitePage'), 'In the order of their slugs.'),
      nextCursor,
    }),
    SitePage: objectSchema({
      slug: slugSchema(),
      title: textSchema('The slug, where the page has none.'),
      template: booleanSchema('Whether it can be the template of generate_pages.'),
      changedAt: orNull(
        timeSchema('When its file changed last. Null where the latest 1,000 commits do not tell.'),
      ),
      changedBy: orNull(
        textSchema(
          "Who edited it by hand, or made the task: a person's or a key's name. Else git's author.",
        ),
      ),
      taskId: orNull(textSchema('The task that made that change, if one did.')),
    }),
  },
  operations: [listSites, listPages],
};
