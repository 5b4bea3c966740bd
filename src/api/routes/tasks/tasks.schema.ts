import type { AnySchema, CustomHelpers } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { isTaskId, limits, type PageItem } from '../../../contract/task.ts';
import { TITLE_LENGTH } from '../../../contract/text/taskTitles.ts';
import type { AnswerRequest } from '../../../tasks/answerQuestion.ts';
import type { CreateTaskRequest } from '../../../tasks/createTask.ts';
import type { FollowUpRequest } from '../../../tasks/publishTask.ts';
import { linkingSlug, pageSlug, targetSlug } from '../../slugSchemas.ts';
import { checkVisible, textSchema } from '../../textSchema.ts';

export const taskIdText = () =>
  Joi.string()
    .custom((value: string, helpers) => (isTaskId(value) ? value : helpers.error('any.invalid')))
    .messages({ 'any.invalid': '{{#label}} must be the taskId of a task' });

export const uuidSchema = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
export const uuidText = () =>
  Joi.string().pattern(uuidSchema).messages({ 'string.pattern.base': '{{#label}} must be a UUID' });

const countProblem = `{{#label}} must contain 1 to ${limits.itemsPerTask} items`;
const commands = ['prompt', 'generate_pages'] as const;

export const callbackUrl = Joi.string()
  .allow('')
  .empty(null)
  .description('HTTPS URL that receives a POST on completion; private addresses are refused.');

const limitedInteger = (maximum: number, description: string, minimum = 1) =>
  Joi.number().integer().min(minimum).max(maximum).empty(null).description(description);

export const budget = Joi.object({
  turns: limitedInteger(
    200,
    "Calls of the model, or turns of the embedded agent's, in a prompt task.",
  ),
  tokens: limitedInteger(50_000_000, 'Tokens of all calls of the model, read and written.'),
  minutes: limitedInteger(240, 'Minutes of working time.'),
  pagesChanged: limitedInteger(
    limits.pagesPerTask,
    'Pages that a prompt task may create or modify.',
  ),
  pagesDeleted: limitedInteger(
    limits.pagesPerTask,
    'Pages that a prompt task may delete. The home page is never deleted.',
    0,
  ),
})
  .empty(null)
  .description(
    'What the task may use up. What is not given is as the service is set. Reaching one fails the task.',
  )
  .meta({ schemaName: 'BudgetRequest' });

export const title = textSchema()
  .name({ limit: TITLE_LENGTH })
  .empty(null)
  .description(
    'What people tell it apart by. Default: of the work, such as `10 pages from /locations/austin`.',
  );

export const publish = Joi.boolean()
  .empty(null)
  .default(false)
  .description('Whether the pages go live and a production deployment is triggered.');

export const onWarnings = Joi.valid('publish', 'hold')
  .empty(null)
  .default('publish')
  .description(
    '`hold`: a task with `publish` true and any warning is not published. It has previews.',
  )
  .meta({ schemaName: 'OnWarnings' });

export const ask = Joi.valid('allowed', 'never')
  .empty(null)
  .default('never')
  .description(
    '`allowed`: a language model may ask what only people can know, and waits for the answer for up to 7 days.',
  )
  .meta({ schemaName: 'AskMode' });

const commonFields = {
  siteId: uuidText().required().description('Site to modify.'),
  baseTaskId: taskIdText()
    .empty(null)
    .description("A completed task's id: work on top of its result instead of the live site."),
  callbackUrl,
  publish,
  onWarnings,
  model: Joi.string()
    .max(200)
    .empty(null)
    .description('The language model that does the work: one that the service offers, or `rules`.'),
  budget,
  ask,
  title,
};

export const TARGET_DESCRIPTION = 'Path for the new page. The first slash may be left out.';

/** The fields of an item beside its page's path. */
export const itemFields = {
  context: textSchema()
    .printable(limits.contextLength)
    .required()
    .description(
      "The page's content: `Key: value` lines, a JSON object, YAML, one row of CSV, Markdown (`## Contact` with `- Phone: …`), or prose. Keys name texts (`headline`, `lead`), facts (`phone`, `price`), the template's labels and headings, or its slots by their ids; the tool `get_page` lists those of a template.",
    ),
  externalId: Joi.string()
    .max(200)
    .pattern(/^[^\p{Cc}\p{Cs}]*$/u)
    .empty(null)
    .messages({
      'string.pattern.base':
        '{{#label}} must not contain control characters or halves of characters',
    })
    .custom(checkVisible)
    .description('A name of yours that comes back on the page.'),
  facts: Joi.string()
    .valid('keep', 'drop')
    .empty(null)
    .description(
      "The template's facts that the context says nothing of: `keep` (default) leaves and names them, `drop` takes their blocks out.",
    )
    .meta({ schemaName: 'FactsMode' }),
};

export const pageItem = Joi.object({
  targetPageSlug: targetSlug().required().description(TARGET_DESCRIPTION),
  ...itemFields,
}).meta({ schemaName: 'PageItem' });

export const promptCommand = Joi.string()
  .valid('prompt')
  .empty(null)
  .default('prompt')
  .meta({ schemaName: 'PromptCommand' });

/** See docs/contract.md, section 5.2. */
export const promptTaskBody = Joi.object({
  ...commonFields,
  command: promptCommand,
  prompt: textSchema()
    .printable(limits.promptLength)
    .required()
    .description('Instructions in plain English.'),
}).label('body');

/** See docs/contract.md, section 5.3. */
export const generatePagesTaskBody = Joi.object({
  ...commonFields,
  command: Joi.string().valid('generate_pages').required(),
  templatePageSlug: pageSlug()
    .required()
    .description(
      'Path of any existing page on the site, used as the design template. The first slash may be left out.',
    ),
  items: Joi.array()
    .items(pageItem)
    .min(1)
    .max(limits.itemsPerTask)
    .messages({ 'array.min': countProblem, 'array.max': countProblem })
    .custom(checkContextSizes)
    .required(),
  linkFrom: linkingSlug()
    .empty(null)
    .description(
      'Path of a page that links to the template: its card, list item or table row is repeated for each item.',
    ),
}).label('body');

/** The optional body of publish and retry. */
export const followUpBody = Joi.object<Omit<FollowUpRequest, 'taskId'>>({
  callbackUrl,
  title,
}).label('body');

/** The body of POST /agent/tasks/{taskId}/answer. */
export const answerBody = Joi.object<Omit<AnswerRequest, 'taskId'>>({
  answer: textSchema()
    .printable(limits.answerLength)
    .required()
    .description('One of the options, or any other text.'),
  questionId: Joi.string()
    .max(20)
    .empty(null)
    .description('The question. Default: the one that the task asks now.'),
}).label('body');

/** The body of POST /callbacks/test. */
export const callbackTestBody = Joi.object<CallbackTestBody>({
  url: Joi.string()
    .allow('')
    .required()
    .description('HTTPS URL that receives one POST; private addresses are refused.'),
}).label('body');
export interface CallbackTestBody {
  url: string;
}

const unknownCommandBody = Joi.object({
  ...commonFields,
  command: Joi.any().valid(...commands),
})
  .unknown()
  .label('body');

/** The body of POST /agent/tasks. Its fields depend on `command`. */
export const createTaskBody: AnySchema<CreateTaskRequest> = Joi.when(Joi.ref('.command'), {
  switch: [
    { is: 'generate_pages', then: generatePagesTaskBody },
    {
      is: Joi.valid('prompt', null).optional(),
      then: promptTaskBody,
      otherwise: unknownCommandBody,
    },
  ],
}).required();

function checkContextSizes(items: unknown[], helpers: CustomHelpers) {
  const contexts = items.map((item) => (item as Partial<PageItem> | null)?.context);
  const totalBytes = contexts.reduce<number>(
    (totalSoFar, text) => totalSoFar + (typeof text === 'string' ? Buffer.byteLength(text) : 0),
    0,
  );
  if (totalBytes <= limits.contextsBytes) return items;
  return helpers.message({
    custom: `{{#label}} must hold at most ${limits.contextsBytes} bytes of context in all (UTF-8)`,
  });
}
