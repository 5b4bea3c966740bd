import { answer } from '../openapi/bodies.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  slugSchema,
  textSchema,
} from '../openapi/schemas.ts';
import { createBodyExamples } from './tasks.examples.ts';
import { tasks } from './tasks.openapi.ts';

const created = tasks.operations.find(({ operationId }) => operationId === 'createTask')!;
const { 400: invalid, 404: notFound, 409: conflict } = created.errors!;

const example = {
  ok: false,
  agent: 'rules',
  problems: [],
  items: [
    {
      targetPageSlug: '/locations/porto',
      problems: [],
      unused: ['Parking: behind the house'],
      stays: [{ slot: 's41', label: 'paragraph', text: 'Projects start at $4,800.' }],
      remarks: [
        {
          label: 'phone',
          value: '#REF!',
          fills: 'telephone number',
          code: 'spreadsheet-error',
          message: '"#REF!" is an error of a spreadsheet: it is not used',
          severity: 'error',
        },
      ],
      notes: [],
    },
    {
      targetPageSlug: '/locations/faro',
      problems: [{ code: 'INVALID_INPUT', message: 'items[1].context is not allowed to be empty' }],
      unused: [],
      stays: [],
      remarks: [],
      notes: [],
    },
  ],
  template: { language: 'en', home: 'www.example.com' },
};

const check: Operation = {
  method: 'post',
  path: '/agent/tasks/check',
  operationId: 'checkTask',
  summary: 'Say what would become of a task',
  description: [
    'Takes the body of `POST /agent/tasks`, and refuses what that refuses. Starts nothing. Only what is wrong with an',
    'item is no refusal: it stands in the `problems` of that item, and the others are checked. For generate_pages, `items`',
    'is what the embedded rules would make of each page: also where a language model will do the work, as `agent` says;',
    'the model may find more. For a prompt, the rules try it on the site as it is: `changes` says what it would change,',
    '`problems` why it would fail, with the nearest wordings. A model is not asked.',
    'No task is called `check`: other methods get a 405 with `Allow: POST`.',
  ].join('\n'),
  body: {
    required: true,
    schema: schemaRef('CreateTaskRequest'),
    examples: createBodyExamples,
  },
  answers: {
    200: answer('The answer. The site may change before a task begins.', 'TaskCheck', {
      checked: example,
    }),
  },
  errors: {
    400: invalid!,
    404: notFound!,
    409: { ...conflict, "The site's repository": 'It can not be read: the error says why.' },
    503: {
      'Service Unavailable':
        'The repository does not answer, or the check takes longer than a minute.',
    },
  },
};

export const taskCheck: RoutesDescription = {
  tag: { name: 'Check', description: 'Before a task is started.' },
  schemas: {
    TaskCheck: objectSchema({
      ok: booleanSchema('Whether there are no problems.'),
      agent: textSchema(
        'Who would do the work: `rules`, or a language model as `<provider>/<model>`.',
      ),
      problems: arrayOf(schemaRef('CheckProblem'), 'Why the whole task would fail.'),
      items: arrayOf(schemaRef('CheckedItem'), 'In the order of the request. None for a prompt.'),
      template: nullable(
        schemaRef('CheckedTemplate'),
        'What the template says of itself. null for a prompt, and where it could not be read.',
      ),
      'changes?': schemaRef('TriedChanges'),
      'notes?': arrayOf(
        schemaRef('CheckedNote'),
        'Of a prompt that was tried: what the task would warn of.',
      ),
    }),
    CheckedTemplate: objectSchema({
      language: orNull(textSchema('BCP 47 tag of the template (`lang`).')),
      home: orNull(textSchema("The site's host and folder, by the template's canonical URL.")),
    }),
    TriedChanges: {
      ...objectSchema({
        pagesCreated: arrayOf(slugSchema(), 'Pages that it would create, by their slugs.'),
        pagesModified: arrayOf(slugSchema(), 'Pages that it would change.'),
        pagesDeleted: arrayOf(slugSchema(), 'Pages that it would delete.'),
      }),
      description:
        'What a prompt would change. Absent where it was not tried: it fails, or the site is very large.',
    },
    CheckProblem: objectSchema({
      code: textSchema(
        'For programs: `TEMPLATE_NOT_FOUND`, `PAGE_EXISTS`, `NOT_UNDERSTOOD`, `LIMIT_EXCEEDED` …',
      ),
      message: textSchema('What is wrong, and what was expected.'),
    }),
    CheckedItem: objectSchema({
      targetPageSlug: orNull(slugSchema('null: what the item has is none.')),
      problems: arrayOf(
        schemaRef('CheckProblem'),
        'Why this page, and with it the task, would fail.',
      ),
      unused: arrayOf({ type: 'string' }, 'Parts of the context that would find no place.'),
      stays: arrayOf(
        schemaRef('CarriedText'),
        "Texts that would stay the template's: the first 200.",
      ),
      remarks: arrayOf(
        schemaRef('ContextRemark'),
        'Values of the context that are junk, or do not fit what they would fill: the first 100. None of them keeps the task from being started.',
      ),
      notes: arrayOf(schemaRef('CheckedNote'), 'What the task would warn of.'),
    }),
    CarriedText: objectSchema({
      slot: textSchema('The text on the template, by the id that the editor uses.'),
      label: textSchema('What it is: `headline`, `paragraph`.'),
      text: textSchema('At most 200 characters.'),
    }),
    ContextRemark: objectSchema({
      label: textSchema(
        'The key that the value stands under, in lower case. Empty for running text.',
      ),
      value: textSchema('At most 200 characters.'),
      fills: textSchema(
        'What it would fill: `telephone number`, `e-mail address`, `headline`, `text`.',
      ),
      code: textSchema(
        'For programs: `spreadsheet-error`, `merge-field`, `placeholder`, `markup`, `not-a-telephone-number`, `not-an-email-address`, `not-a-web-address`, `not-a-date`, `not-a-rating`, `not-a-price`, `not-coordinates`. There may be more later.',
      ),
      message: textSchema('What is wrong with it, and what becomes of it.'),
      severity: enumSchema(
        ['error', 'warning'],
        "`error`: the value is not used, and the template's stays or goes. `warning`: it is used.",
      ),
    }),
  },
  operations: [check],
};
