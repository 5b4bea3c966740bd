import type { AnySchema, CustomHelpers } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { isTaskId, limits, type PageItem } from '../../../contract/task.ts';
import { TITLE_LENGTH } from '../../../contract/text/taskTitles.ts';
import type { AnswerRequest } from '../../../tasks/answerQuestion.ts';
import type { CreateTaskRequest } from '../../../tasks/createTask.ts';
import type { FollowUpRequest, PublishTaskRequest } from '../../../tasks/publishTask.ts';
import { linkingSlug, pageSlug, targetSlug } from '../../slugSchemas.ts';
import { checkVisible, textSchema } from '../../textSchema.ts';

/**
 * The Joi schemas of requests about tasks, and the fields that other requests have in common with
 * them. The OpenAPI document takes its descriptions from here. Two kinds of requests create a task:
 *
 *     { siteId, prompt: 'Make the headline of /pricing friendlier' }
 *     { siteId, command: 'generate_pages', templatePageSlug, items: [{ targetPageSlug, context }] }
 */

export const taskIdText = () =>
  Joi.string()
    .custom((value: string, helpers) => (isTaskId(value) ? value : helpers.error('any.invalid')))
    .messages({ 'any.invalid': '{{#label}} must be the taskId of a task' });

/** What can be wrong with the fields of a task, each as the end of a sentence. */
export const fieldProblems = {
  uuid: 'must be a UUID',
  externalId: 'must not contain control characters or halves of characters',
  itemCount: `must contain 1 to ${limits.itemsPerTask} items`,
  contexts: `must contain at most ${limits.contextsBytes} bytes of context in total (UTF-8)`,
};

export const uuidSchema = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
export const uuidText = () =>
  Joi.string()
    .pattern(uuidSchema)
    .messages({ 'string.pattern.base': `{{#label}} ${fieldProblems.uuid}` });

const countProblem = `{{#label}} ${fieldProblems.itemCount}`;
const commands = ['prompt', 'generate_pages'] as const;

export const callbackUrl = Joi.string()
  .allow('')
  .empty(null)
  .description(
    'The HTTPS URL that receives a POST when the task finishes. Private addresses are rejected.',
  );

const limitedInteger = (maximum: number, description: string, minimum = 1) =>
  Joi.number().integer().min(minimum).max(maximum).empty(null).description(description);

export const budget = Joi.object({
  turns: limitedInteger(
    200,
    'The number of language model calls, or turns of the embedded agent, in a prompt task.',
  ),
  tokens: limitedInteger(
    50_000_000,
    'The number of tokens that all language model calls read and write.',
  ),
  minutes: limitedInteger(240, 'The working time in minutes.'),
  pagesChanged: limitedInteger(
    limits.pagesPerTask,
    'The number of pages that a prompt task may create or modify.',
  ),
  pagesDeleted: limitedInteger(
    limits.pagesPerTask,
    'The number of pages that a prompt task may delete. A task never deletes the home page.',
    0,
  ),
})
  .empty(null)
  .description(
    "Usage limits for this task. Omitted limits use the service's defaults. Exceeding a limit fails the task.",
  )
  .meta({ schemaName: 'BudgetRequest' });

export const title = textSchema()
  .name({ limit: TITLE_LENGTH })
  .empty(null)
  .description(
    'The title, which people read in lists. Default: a description of the work, such as `10 pages from /locations/austin`.',
  );

export const publish = Joi.boolean()
  .empty(null)
  .default(false)
  .description('Whether the pages go live. If true, the task triggers a production deployment.');

export const onWarnings = Joi.valid('publish', 'hold')
  .empty(null)
  .default('publish')
  .description(
    '`hold`: if the task has a warning, it is not published even if `publish` is true. It still has previews.',
  )
  .meta({ schemaName: 'OnWarnings' });

export const ask = Joi.valid('allowed', 'never')
  .empty(null)
  .default('never')
  .description(
    '`allowed`: the language model may ask a question that only a person can answer. The task waits up to 7 days for the answer.',
  )
  .meta({ schemaName: 'AskMode' });

const commonFields = {
  siteId: uuidText().required().description('The site to modify.'),
  baseTaskId: taskIdText()
    .empty(null)
    .description(
      'The id of a completed task. The new task builds on its result instead of on the live site.',
    ),
  callbackUrl,
  publish,
  onWarnings,
  model: Joi.string()
    .max(200)
    .empty(null)
    .description(
      'The language model that does the work: one of the models that the service offers, or `rules`.',
    ),
  budget,
  ask,
  title,
};

export const TARGET_DESCRIPTION = 'The path of the new page. You can omit the first slash.';

/** The fields of an item, without the path of its page. */
export const itemFields = {
  context: textSchema()
    .printable(limits.contextLength)
    .required()
    .description(
      'The content of the page: `Key: value` lines, a JSON object, YAML, one row of CSV, Markdown (`## Contact` with `- Phone: …`), or prose. Keys name texts (`headline`, `lead`), facts (`phone`, `price`), labels and headings of the template, or its slots by their ids. The tool `get_page` lists the keys of a template.',
    ),
  externalId: Joi.string()
    .max(200)
    .pattern(/^[^\p{Cc}\p{Cs}]*$/u)
    .empty(null)
    .messages({ 'string.pattern.base': `{{#label}} ${fieldProblems.externalId}` })
    .custom(checkVisible)
    .description('Your own name for the item. The service returns it with the page.'),
  facts: Joi.string()
    .valid('keep', 'drop')
    .empty(null)
    .description(
      'What to do with facts of the template that the context does not mention. `keep` (default) carries them over with a note for each. `drop` removes their blocks.',
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

/** The body that creates a prompt task (docs/contract.md, section 5.2). */
export const promptTaskBody = Joi.object({
  ...commonFields,
  command: promptCommand,
  prompt: textSchema()
    .printable(limits.promptLength)
    .required()
    .description('The instructions in plain English.'),
}).label('body');

/** The body that creates a generate_pages task (docs/contract.md, section 5.3). */
export const generatePagesTaskBody = Joi.object({
  ...commonFields,
  command: Joi.string().valid('generate_pages').required(),
  templatePageSlug: pageSlug()
    .required()
    .description(
      'The path of an existing page of the site, which is the design template. You can omit the first slash.',
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
      'The path of a page that links to the template. Its card, list item or table row is repeated for each item.',
    ),
}).label('body');

/** The optional body of retry, and of the restore of a deployment. */
export const followUpBody = Joi.object<Omit<FollowUpRequest, 'taskId'>>({
  callbackUrl,
  title,
}).label('body');

/** The optional body of publish. */
export const publishTaskBody = Joi.object<Omit<PublishTaskRequest, 'taskId'>>({
  callbackUrl,
  title,
  leaveOut: Joi.array()
    .items(pageSlug())
    .max(limits.pagesPerTask)
    .empty(null)
    .description(
      'The paths of pages that the task created or modified and that do not go live. Default: the pages that somebody left out in the review.',
    ),
}).label('body');

/** The body of POST /agent/tasks/{taskId}/answer. */
export const answerBody = Joi.object<Omit<AnswerRequest, 'taskId'>>({
  answer: textSchema()
    .printable(limits.answerLength)
    .required()
    .description('The answer: one of the options, or any other text.'),
  questionId: Joi.string()
    .max(20)
    .empty(null)
    .description('The id of the question. Default: the current question of the task.'),
}).label('body');

/** The body of POST /callbacks/test. */
export const callbackTestBody = Joi.object<CallbackTestBody>({
  url: Joi.string()
    .allow('')
    .required()
    .description('The HTTPS URL that receives one POST. Private addresses are rejected.'),
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
    custom: `{{#label}} ${fieldProblems.contexts}`,
  });
}
