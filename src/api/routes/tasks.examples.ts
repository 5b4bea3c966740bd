import { exampleSiteId, exampleTaskId } from '../openapi/parameters.ts';
import { liveExample, notLiveExample } from './tasks.about.openapi.ts';

const host = `http://${exampleTaskId}--northwind.preview.localhost:3000`;

export const createBodyExamples = {
  generatePages: {
    summary: 'One page per item',
    value: {
      siteId: exampleSiteId,
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [
        {
          targetPageSlug: '/locations/porto',
          context: 'City: Porto\nHeadline: Web design in Porto\nPhone: +351 22 000 0000',
          externalId: 'row-17',
        },
      ],
      callbackUrl: 'https://hooks.example.com/agent-tasks',
      publish: true,
    },
  },
  prompt: {
    summary: 'Instructions',
    value: {
      siteId: exampleSiteId,
      prompt: 'Change the headline of /pricing to "Prices that fit on one page"',
      publish: false,
    },
  },
};

export const createdExample = {
  taskId: exampleTaskId,
  status: 'running',
  createdAt: '2026-11-21T07:00:16.667Z',
};

export const aboutExample = {
  title: '3 pages from /locations/austin',
  createdBy: { keyId: '7d1f1c1e-4f5b-4b39-9d0b-6a1f6f3a2b11', name: 'Nightly import' },
  follows: null,
};

/** Additional fields in the view of one task. */
const viewedExample = {
  ...aboutExample,
  siteId: exampleSiteId,
  type: 'generate_pages',
  createdAt: createdExample.createdAt,
  template: '/locations/austin',
};

export const viewExamples = {
  running: {
    summary: 'Running',
    value: {
      taskId: exampleTaskId,
      status: 'running',
      progress: { phase: 'working', pages: { done: 1, total: 3 } },
      ...viewedExample,
      ...notLiveExample,
    },
  },
  completed: {
    summary: 'Completed',
    value: {
      taskId: exampleTaskId,
      status: 'completed',
      ...viewedExample,
      ...liveExample,
      output: {
        pagesCreated: [
          {
            slug: '/locations/porto',
            previewUrl: `${host}/locations/porto`,
            editUrl: null,
            publishedUrl: 'http://northwind.sites.localhost:3000/locations/porto',
            externalId: 'row-17',
          },
        ],
        pagesModified: [],
        pagesDeleted: [],
        warnings: ['/locations/porto: the price "$4,800" is the template\'s'],
        notes: [
          {
            id: '0f1e2d3c4b5a6978',
            state: 'open',
            page: '/locations/porto',
            kind: 'price',
            slot: 's41',
            slots: ['s41'],
            text: '/locations/porto: the price "$4,800" is the template\'s',
            value: '$4,800',
          },
        ],
      },
    },
  },
  failed: {
    summary: 'Failed',
    value: {
      taskId: exampleTaskId,
      status: 'failed',
      errorMessage: 'Template page not found: /locations/paris',
      ...viewedExample,
      ...notLiveExample,
    },
  },
};
