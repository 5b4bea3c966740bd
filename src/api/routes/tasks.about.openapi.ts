import { exampleCommit, exampleTaskId } from '../openapi/parameters.ts';
import { arrayOf, objectSchema, schemaRef, timeSchema } from '../openapi/schemas.ts';

/** The fields of `TaskName`. */
export const aboutFields = {
  title: { type: 'string', description: 'At most 200 characters.' },
  createdBy: { ...schemaRef('Maker'), description: 'The person, or the API key.' },
  follows: {
    oneOf: [schemaRef('TaskId'), { type: 'null' }],
    description: 'The task that this one publishes, tries again, or works on top of.',
  },
};

const publicationFields = {
  state: {
    type: 'string',
    enum: ['live', 'partly-live', 'replaced'],
    description:
      'Whether the live site has all of its pages as they went live, some of them, or none.',
  },
  publishedAt: timeSchema('When they went live.'),
  publishedBy: {
    ...schemaRef('TaskId'),
    description:
      'The task that put them live: itself, or one that published it or a task built on it.',
  },
  deploymentId: { type: 'string', description: 'The deployment that they went live with.' },
  replacedAt: {
    ...timeSchema('When a page was last replaced. Null while all are live.'),
    type: ['string', 'null'],
  },
  replacedBy: {
    oneOf: [schemaRef('TaskId'), { type: 'null' }],
    description: 'The task that did it. Null while all are live, and where no task did it.',
  },
};
const live = { type: 'boolean', description: 'Whether all of its pages are live as it made them.' };
const publicationOf = (schema: object) => ({
  oneOf: [schema, { type: 'null' }],
  description: 'How it is live. Null if it never was.',
});

/** What a list tells of what is live of a task. */
export const listedLiveFields = {
  live,
  publication: publicationOf(objectSchema(publicationFields)),
  pages: {
    type: 'integer',
    minimum: 0,
    description:
      'How many pages it created, changed or deleted. Absent until it is completed, and if there are too many to tell.',
  },
};

/** And what else the view of one task has. */
export const viewFields = {
  ...aboutFields,
  siteId: { type: 'string', format: 'uuid' },
  type: { type: 'string', enum: ['prompt', 'generate_pages', 'publish', 'restore', 'drop'] },
  createdAt: timeSchema('ISO 8601 with milliseconds, UTC.'),
  group: {
    type: 'string',
    format: 'uuid',
    description: 'What tasks that were made from one table have in common.',
  },
  template: {
    type: 'string',
    description: 'Of generate_pages: slug of the page that new ones are made like.',
  },
  restores: timeSchema('Of restore: when the version that it puts live again went live.'),
  live,
  publication: publicationOf(
    objectSchema({
      ...publicationFields,
      livePages: arrayOf(
        { type: 'string', pattern: '^/' },
        'Slugs of its pages that are live as they went live. Of deleted pages: that are gone still.',
      ),
      isEdited: {
        type: 'boolean',
        description: 'Whether it was edited by hand since, so that it can be published again.',
      },
    }),
  ),
  base: {
    oneOf: [
      objectSchema({
        taskId: schemaRef('TaskId'),
        previewUrl: {
          type: ['string', 'null'],
          format: 'uri',
          description: 'Where the pages are as they were before. Null once that preview has ended.',
        },
      }),
      { type: 'null' },
    ],
    description: 'The task that it is built on, while that is not live. Publishing puts both live.',
  },
};
export const optionalFields = ['template', 'restores', 'group'];

const publicationExample = {
  state: 'live',
  publishedAt: '2026-11-21T07:00:24.120Z',
  publishedBy: exampleTaskId,
  deploymentId: exampleCommit,
  replacedAt: null,
  replacedBy: null,
};
export const liveExample = {
  live: true,
  publication: { ...publicationExample, livePages: ['/locations/porto'], isEdited: false },
  base: null,
};
export const notLiveExample = { live: false, publication: null, base: null };
export const listedLiveExample = { live: true, publication: publicationExample, pages: 3 };
