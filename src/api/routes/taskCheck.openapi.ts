import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { arrayOf, objectSchema, schemaRef, textSchema } from '../openapi/schemas.ts';
import { createBodyExamples } from './tasks.examples.ts';
import { tasks } from './tasks.openapi.ts';

const created = tasks.operations.find(({ operationId }) => operationId === 'createTask')!;
const { 400: invalid, 404: notFound, 409: conflict } = created.errors!;

const example = {
  ok: true,
  agent: 'rules',
  problems: [],
  items: [
    {
      targetPageSlug: '/locations/porto',
      problems: [],
      unused: ['Parking: behind the house'],
      stays: [{ slot: 's41', label: 'paragraph', text: 'Projects start at $4,800.' }],
      notes: [],
    },
  ],
};

const check: Operation = {
  ...{ method: 'post', path: '/agent/tasks/check', operationId: 'checkTask', limit: 'check' },
  summary: 'Say what would become of a task',
  description: [
    'Takes the body of `POST /agent/tasks`, and refuses what that refuses. Starts nothing. For generate_pages, `items`',
    'is what the embedded rules would make of each page: also where a language model will do the work, as `agent` says;',
    'the model may find more. For a prompt, `problems` says whether the rules understand it; a model is not asked.',
    'No task is called `check`: other methods get a 405 with `Allow: POST`.',
  ].join('\n'),
  body: {
    required: true,
    schema: { oneOf: [schemaRef('GeneratePagesTask'), schemaRef('PromptTask')] },
    examples: createBodyExamples,
  },
  answers: {
    200: {
      description: 'The answer. The site may change before a task begins.',
      schema: schemaRef('TaskCheck'),
      examples: { checked: { value: example } },
    },
  },
  errors: {
    400: invalid!,
    404: notFound!,
    409: { ...conflict, "The site's repository": 'It can not be read: the error says why.' },
    503: { 'Service Unavailable': 'The repository does not answer, or the check takes longer than a minute.' },
  },
};

export const taskCheck: RoutesDescription = {
  tag: { name: 'Check', description: 'Before a task is started.' },
  schemas: {
    TaskCheck: objectSchema({
      ok: { type: 'boolean', description: 'Whether there are no problems.' },
      agent: textSchema('Who would do the work: `rules`, or a language model as `<provider>/<model>`.'),
      problems: arrayOf(schemaRef('CheckProblem'), 'Why the whole task would fail.'),
      items: arrayOf(schemaRef('CheckedItem'), 'In the order of the request. None for a prompt.'),
    }),
    CheckProblem: objectSchema({
      code: textSchema('For programs: `TEMPLATE_NOT_FOUND`, `PAGE_EXISTS`, `NOT_UNDERSTOOD`, `LIMIT_EXCEEDED` …'),
      message: textSchema('What is wrong, and what was expected.'),
    }),
    CheckedItem: objectSchema({
      targetPageSlug: { type: 'string', pattern: '^/' },
      problems: arrayOf(schemaRef('CheckProblem'), 'Why this page, and with it the task, would fail.'),
      unused: arrayOf({ type: 'string' }, 'Parts of the context that would find no place.'),
      stays: arrayOf(
        objectSchema({
          slot: textSchema('The text on the template, by the id that the editor uses.'),
          label: textSchema('What it is: `headline`, `paragraph`.'),
          text: textSchema('At most 200 characters.'),
        }),
        "Texts that would stay the template's: the first 200.",
      ),
      notes: arrayOf(schemaRef('Note'), 'What the task would warn of.'),
    }),
  },
  operations: [check],
};
