import type { JsonSchema } from '../openapi/operation.ts';
import { exampleCommit, exampleTaskId } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  countSchema,
  enumSchema,
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

/** The fields of `TaskName`. */
export const aboutFields = {
  title: textSchema('At most 200 characters.'),
  createdBy: { ...schemaRef('Maker'), description: 'The person, or the API key.' },
  // without the pattern of TaskId: clients in Go refuse one on a value that may be null
  follows: orNull(textSchema('The task that this one publishes, tries again, or works on top of.')),
};

const publicationFields = {
  state: enumSchema(
    ['live', 'partly-live', 'replaced'],
    'Whether the live site has all of its pages as they went live, some of them, or none.',
  ),
  publishedAt: timeSchema('When they went live.'),
  publishedBy: {
    ...schemaRef('TaskId'),
    description:
      'The task that put them live: itself, or one that published it or a task built on it.',
  },
  deploymentId: textSchema('The deployment that they went live with.'),
  replacedAt: orNull(timeSchema('When a page was last replaced. Null while all are live.')),
  replacedBy: orNull(
    textSchema('The task that did it. Null while all are live, and where no task did it.'),
  ),
};
const live = booleanSchema('Whether all of its pages are live as it made them.');
const publicationOf = (schemaName: string) =>
  nullable(schemaRef(schemaName), 'How it is live. Null if it never was.');

/** Fields of a listed task that tell whether it is live. */
export const listedLiveFields = {
  live,
  publication: publicationOf('PublicationSummary'),
  'pages?': countSchema(
    'How many pages it created, changed or deleted. Absent until it is completed, and if there are too many to tell.',
  ),
};

/** Additional fields in the view of one task. */
export const viewFields = {
  ...aboutFields,
  siteId: uuidSchema(),
  type: enumSchema(['prompt', 'generate_pages', 'publish', 'restore', 'drop']),
  createdAt: time,
  'template?': textSchema('Of generate_pages: slug of the page that new ones are made like.'),
  'restores?': timeSchema('Of restore: when the version that it puts live again went live.'),
  live,
  publication: publicationOf('TaskPublication'),
  base: nullable(
    schemaRef('BaseTask'),
    'The task that it is built on, while that is not live. Publishing puts both live.',
  ),
};

/** The schemas that these fields refer to. */
export const aboutSchemas: Record<string, JsonSchema> = {
  PublicationSummary: objectSchema(publicationFields),
  TaskPublication: objectSchema({
    ...publicationFields,
    livePages: arrayOf(
      slugSchema(),
      'Slugs of its pages that are live as they went live. Of deleted pages: that are gone still.',
    ),
    isEdited: booleanSchema(
      'Whether it was edited by hand since, so that it can be published again.',
    ),
  }),
  BaseTask: objectSchema({
    taskId: schemaRef('TaskId'),
    previewUrl: orNull(
      urlSchema('Where the pages are as they were before. Null once that preview has ended.'),
    ),
  }),
};

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
