import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleSiteId, exampleTaskId, siteIdParameter } from '../openapi/parameters.ts';
import { arrayOf, objectSchema, schemaRef, textSchema, timeSchema } from '../openapi/schemas.ts';
import { cursorAt, siteListQuery, sitePagesQuery } from './sites.schema.ts';
import { siteNotFound, siteWithoutRepository } from './tasks.errors.ts';

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
  nextCursor: cursorAt('/locations/austin'),
};

const exampleExamples = {
  siteId: exampleSiteId,
  commit: example.commit,
  examples: [
    {
      prompt: 'Change the headline of /pricing to "A headline of your own"',
      changes: { pagesCreated: [], pagesModified: ['/pricing'], pagesDeleted: [] },
    },
  ],
};

const commit = { type: 'string', pattern: '^[0-9a-f]{40,64}$' };
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
  limit: 'read',
  summary: "List your organization's sites",
  description: 'By name.',
  parameters: queryParametersOf(siteListQuery),
  answers: {
    200: {
      description: 'A part of the list.',
      schema: schemaRef('SiteList'),
      examples: { sites: { value: exampleSites } },
    },
  },
  errors: {
    400: {
      'Invalid query: limit must be less than or equal to 100':
        'Every parameter that is wrong is named.',
    },
  },
};

const listPages: Operation = {
  method: 'get',
  path: '/sites/{siteId}/pages',
  operationId: 'listSitePages',
  limit: 'read',
  summary: 'List the pages of a site',
  description: 'Those of the production branch, by slug.',
  parameters: [siteIdParameter, ...queryParametersOf(sitePagesQuery)],
  answers: {
    200: {
      description: 'A part of the list.',
      schema: schemaRef('SitePages'),
      examples: { pages: { value: example } },
    },
  },
  errors: {
    400: {
      'Invalid query: limit must be less than or equal to 500; colour is not allowed':
        'Every parameter that is wrong is named.',
      ...siteWithoutRepository,
    },
    404: siteNotFound,
    409: {
      'Folder public not found in the repository':
        'The repository cannot be read as it is registered.',
    },
    503: { 'Service Unavailable': 'The repository does not answer.' },
  },
};

const listExamples: Operation = {
  method: 'get',
  path: '/sites/{siteId}/examples',
  operationId: 'listSiteExamples',
  limit: 'read',
  summary: 'List instructions that work on a site',
  description: [
    'Prompts with pages and names of this site, for people to begin with. Each was tried by the embedded rules on the',
    'production branch: it changes something, and doubles no entry of the navigation. Nothing was written.',
  ].join('\n'),
  parameters: [siteIdParameter],
  answers: {
    200: {
      description: 'Four at most. None where no example works.',
      schema: schemaRef('SiteExamples'),
      examples: { examples: { value: exampleExamples } },
    },
  },
  errors: {
    400: siteWithoutRepository,
    404: siteNotFound,
    409: {
      'Folder public not found in the repository':
        'The repository cannot be read as it is registered.',
    },
    503: { 'Service Unavailable': 'The repository does not answer.' },
  },
};

export const sites: RoutesDescription = {
  tag: { name: 'Sites', description: 'What tasks change.' },
  schemas: {
    SiteList: objectSchema({
      sites: arrayOf(schemaRef('SiteSummary'), 'In the order of their names.'),
      nextCursor: {
        type: ['string', 'null'],
        description: '`cursor` of the next request; null at the end.',
      },
    }),
    SiteSummary: objectSchema({
      siteId: { type: 'string', format: 'uuid' },
      name: textSchema('As it was registered.'),
      liveUrl: {
        type: ['string', 'null'],
        format: 'uri',
        description: 'Null where nothing is live yet.',
      },
      deployment: {
        oneOf: [schemaRef('SiteDeployment'), { type: 'null' }],
        description: 'The last production deployment; null before the first one.',
      },
      repository: {
        oneOf: [schemaRef('SiteRepository'), { type: 'null' }],
        description: 'Null: it has none.',
      },
      problem: {
        type: ['string', 'null'],
        description: 'What went wrong at the repository last. Null: nothing.',
      },
    }),
    SiteDeployment: objectSchema({
      state: {
        type: 'string',
        enum: ['live', 'failed'],
        description: 'After a failed one, the one before is live still.',
      },
      commit,
      taskId: {
        type: ['string', 'null'],
        description: 'The task that published; null where no task did.',
      },
      at: timeSchema('ISO 8601 with milliseconds, UTC.'),
    }),
    SiteExamples: objectSchema({
      siteId: { type: 'string', format: 'uuid' },
      commit: {
        type: 'string',
        pattern: '^[0-9a-f]{40,64}$',
        description: 'Of the production branch.',
      },
      examples: arrayOf(
        objectSchema({
          prompt: textSchema('The instruction.'),
          changes: schemaRef('TriedChanges'),
        }),
        'The most useful kinds first.',
      ),
    }),
    SitePages: objectSchema({
      siteId: { type: 'string', format: 'uuid' },
      commit: {
        type: 'string',
        pattern: '^[0-9a-f]{40,64}$',
        description: 'Of the production branch.',
      },
      pages: arrayOf(schemaRef('SitePage'), 'In the order of their slugs.'),
      nextCursor: {
        type: ['string', 'null'],
        description: '`cursor` of the next request; null at the end.',
      },
    }),
    SitePage: objectSchema({
      slug: { type: 'string', pattern: '^/' },
      title: textSchema('The slug, where the page has none.'),
      template: {
        type: 'boolean',
        description: 'Whether it can be the template of generate_pages.',
      },
      changedAt: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When its file changed last. Null where the latest 1,000 commits do not tell.',
      },
      changedBy: {
        type: ['string', 'null'],
        description:
          "Who edited it by hand, or made the task: a person's or a key's name. Else git's author.",
      },
      taskId: {
        type: ['string', 'null'],
        description: 'The task that made that change, if one did.',
      },
    }),
  },
  operations: [listSites, listPages, listExamples],
};
