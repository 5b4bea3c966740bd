import { noteStates } from '../../contract/noteStates.ts';
import { noteKinds } from '../../contract/task.ts';
import { answer } from '../openapi/bodies.ts';
import { startErrors, unreadableTask, wrongBody } from '../openapi/commonErrors.ts';
import { jsonSchemaOf, namedSchemas } from '../openapi/jsonSchema.ts';
import type { JsonSchema, Operation, RoutesDescription } from '../openapi/operation.ts';
import {
  exampleTaskId,
  idempotencyKeyParameter,
  preferParameter,
  siteNotFound,
} from '../openapi/parameters.ts';
import {
  arrayOf,
  constant,
  countSchema,
  eitherOf,
  enumSchema,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  slugSchema,
  textSchema,
  time,
  timeSchema,
  unionSchema,
  urlSchema,
} from '../openapi/schemas.ts';
import { aboutSchemas, viewFields } from './tasks.about.openapi.ts';
import { createBodyExamples, createdExample, viewExamples } from './tasks.examples.ts';
import {
  ask,
  budget,
  generatePagesTaskBody,
  itemFields,
  onWarnings,
  pageItem,
  promptCommand,
  promptTaskBody,
} from './tasks.schema.ts';

const taskId = schemaRef('TaskId');
const pages = (description: string) => arrayOf(schemaRef('Page'), description);
const url = (description: string) => orNull(urlSchema(description));

const noteFields = {
  'page?': slugSchema('The page; absent where it is about the whole task.'),
  kind: enumSchema(noteKinds, 'What it is about. There may be more kinds later.'),
  'slot?': textSchema(
    'The text on the page, by the id that the editor uses, where it is about one.',
  ),
  'slots?': arrayOf({ type: 'string' }, 'The texts, where it is known which ones.'),
  text: textSchema('The sentence, as in `warnings`.'),
  'value?': textSchema('The value it is about: a price, a text of the context.'),
  'values?': arrayOf({ type: 'string' }, 'The values one by one, where there are several.'),
};

/** Specification: Resources and their fields. */
const schemas: Record<string, JsonSchema> = {
  TaskId: { type: 'string', pattern: '^bg-[a-z0-9]{22}$', examples: [exampleTaskId] },
  CreateTaskRequest: eitherOf(['GeneratePagesTask', 'PromptTask']),
  PromptTask: jsonSchemaOf(promptTaskBody),
  GeneratePagesTask: jsonSchemaOf(generatePagesTaskBody),
  ...namedSchemas(promptCommand, pageItem, itemFields.facts, onWarnings, ask, budget),
  TaskCreated: objectSchema({
    taskId,
    status: constant('running'),
    createdAt: time,
  }),
  TaskView: unionSchema('status', {
    running: 'RunningTask',
    completed: 'CompletedTask',
    failed: 'FailedTask',
  }),
  RunningTask: objectSchema({
    taskId,
    status: constant('running'),
    'progress?': schemaRef('TaskProgress'),
    ...viewFields,
  }),
  CompletedTask: objectSchema({
    taskId,
    status: constant('completed'),
    output: schemaRef('TaskOutput'),
    ...viewFields,
  }),
  FailedTask: objectSchema({
    taskId,
    status: constant('failed'),
    errorMessage: textSchema('What went wrong.'),
    'usage?': schemaRef('TaskUsage'),
    ...viewFields,
  }),
  ...aboutSchemas,
  TaskProgress: objectSchema({
    phase: enumSchema(['reading', 'working', 'committing', 'deploying', 'publishing', 'finishing']),
    'pages?': { ...schemaRef('PageProgress'), description: 'Of generate_pages.' },
    'steps?': countSchema('Of prompt tasks: turns of the agent so far.'),
    'waitingFor?': {
      ...schemaRef('TaskWait'),
      description: 'What the task waits for outside of the service.',
    },
  }),
  PageProgress: objectSchema({
    done: countSchema(),
    total: { type: 'integer', minimum: 1 },
  }),
  TaskWait: eitherOf(['HostWait', 'Question']),
  HostWait: {
    ...objectSchema({
      what: textSchema(
        'In words, such as the build of a host, or somebody on the team to merge the pull request.',
      ),
      url: urlSchema('Where to watch it.'),
      since: timeSchema('When the wait began.'),
    }),
    description: 'A host or forge that the task waits for.',
  },
  Question: {
    ...objectSchema({
      question: textSchema('Plain text, as the options.'),
      options: arrayOf({ type: 'string' }, 'Answers to choose from. Others are possible too.'),
      questionId: textSchema('Unique in the task.'),
      'pages?': arrayOf(
        slugSchema('Path of a page.'),
        'Of generate_pages: the new pages that it is about.',
      ),
      since: timeSchema('When it was asked.'),
    }),
    description: 'A question that the task asks, and waits for the answer to.',
  },
  TaskOutput: objectSchema({
    pagesCreated: pages('Pages newly created.'),
    pagesModified: pages('Existing pages updated.'),
    pagesDeleted: pages('Pages removed.'),
    'warnings?': {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'What is worth a look: open notes.',
    },
    'notes?': {
      ...arrayOf(
        schemaRef('Note'),
        'The warnings as objects, in the same order, and those that are settled.',
      ),
      minItems: 1,
    },
    'summary?': textSchema(
      'What was done, in the words of the language model that did it: plain text.',
    ),
    'usage?': schemaRef('TaskUsage'),
    'pullRequestUrl?': urlSchema('Of sites that publish by pull requests.'),
  }),
  TaskUsage: {
    ...objectSchema({
      'model?': textSchema('The model, as `<provider>/<model>`.'),
      'turns?': countSchema('Calls of the model.'),
      'inputTokens?': countSchema('Tokens that it read, the cached ones included.'),
      'cachedInputTokens?': countSchema("Those of them from the provider's cache."),
      'outputTokens?': countSchema('Tokens that it wrote, its reasoning included.'),
      'cost?': nullable(
        schemaRef('Cost'),
        'By the prices that the operator has set now; writes to a cache cost as input. Null: the model has no price.',
      ),
      'builds?': countSchema(
        "Builds that the task caused at the team's own host: of previews, and of the live site. Tasks that share one count it once.",
      ),
    }),
    description:
      "What the language model used, where one did the work, and the team's own host. Estimated if the model's provider does not report it.",
  },
  CheckedNote: objectSchema(noteFields),
  Note: objectSchema({
    id: textSchema('Names it among the notes of its task.'),
    state: enumSchema(noteStates, 'Open, or what became of it.'),
    'by?': nullable(
      schemaRef('Maker'),
      'Who settled it. Null: somebody with a share link, or nobody knows any more.',
    ),
    'at?': timeSchema('When it was settled.'),
    'droppedIn?': {
      ...taskId,
      description: 'The task that took it out. In the result of its own task it is still there.',
    },
    'task?': { ...taskId, description: 'The task that it is a note of, if that is another one.' },
    ...noteFields,
  }),
  Page: objectSchema({
    slug: slugSchema('Path of the page.'),
    previewUrl: url(
      'Where to look at the page; null for a deleted page, and once the preview was deleted or has expired.',
    ),
    editUrl: url(
      'Where to edit the page; null where `previewUrl` is, and for pages of earlier tasks.',
    ),
    publishedUrl: url(
      'The live page: null unless it was published and the production deployment succeeded.',
    ),
    'externalId?': textSchema('The `externalId` of its item; absent where that had none.'),
  }),
};

const create: Operation = {
  method: 'post',
  path: '/agent/tasks',
  operationId: 'createTask',
  summary: 'Start a task',
  description: [
    'A prompt task follows instructions in plain English. A generate_pages task makes one page per item from a page of',
    'the site: all of them, or none. With `publish` true the pages go live. Otherwise they have previews, and the live',
    'site stays as it is. With `onWarnings` `hold` too, pages with a warning are not published: look, then publish them.',
  ].join('\n'),
  parameters: [idempotencyKeyParameter],
  body: {
    required: true,
    schema: schemaRef('CreateTaskRequest'),
    examples: createBodyExamples,
  },
  webhook: 'taskFinished',
  answers: { 200: answer('The task is running.', 'TaskCreated', { created: createdExample }) },
  errors: {
    ...startErrors,
    400: {
      ...wrongBody('siteId must be a UUID; prompt must be a string; colour is not allowed'),
      'Invalid request body: model must be one of [openai/gpt-5, rules]':
        'The service offers these models.',
      'baseTaskId names a task of another site': 'A task works on one site.',
      ...startErrors[400],
    },
    404: {
      ...siteNotFound,
      'Base task not found': 'There is no task `baseTaskId` in your organization.',
    },
    409: {
      'Base task is still running': 'Wait until it is completed.',
      'Base task failed: there is no result to work on top of': 'Name another one, or none.',
      'Result is gone: the task finished too long ago':
        'Results of base tasks are kept as long as the tasks.',
    },
  },
};

const read: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}',
  operationId: 'getTask',
  summary: 'Read the status of a task',
  description:
    'A failed task is no HTTP error. Poll every 5 seconds until `status` is not `running`, or let the answer wait: until the task ends, or asks.',
  parameters: [preferParameter],
  answers: {
    200: {
      description: 'The task as it is now.',
      schema: schemaRef('TaskView'),
      examples: viewExamples,
    },
  },
  errors: { 503: unreadableTask },
};

export const tasks: RoutesDescription = {
  tag: { name: 'Tasks', description: 'What an agent does to a site.' },
  schemas,
  operations: [create, read],
};
