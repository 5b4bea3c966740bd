import type { ObjectSchema, Schema, SchemaMap } from 'joi';
import { Joi } from '../joi.ts';
import { idempotencyKeyPattern } from '../api/context.ts';

type Fields = Record<string, Schema>;

/** The named fields of a body of the REST API. */
export const fieldsOf = (body: ObjectSchema, ...names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, body.extract(name)]));

export const siteId = Joi.string().max(200).required().description('The site: see list_sites.');
export const taskId = Joi.string().max(200).required().description('The task: see list_tasks.');

export const idempotencyKey = Joi.string()
  .pattern(idempotencyKeyPattern)
  .empty(null)
  .messages({
    'string.pattern.base': 'Idempotency-Key must be 1 to 255 visible ASCII characters',
  })
  .description(
    'A new text for each new wish, such as a UUID. A call that is repeated with it does nothing twice.',
  );

export const confirm = Joi.boolean()
  .empty(null)
  .description(
    'True: the person has agreed to publish. Ignored where your program can ask the person itself.',
  );

/** An answer of a tool. There may be more fields later. */
export const answerOf = (fields: SchemaMap): ObjectSchema =>
  Joi.object({
    ...fields,
    next: Joi.string().required().description('What to do next.'),
  }).unknown();

/** An object in an answer. There may be more fields later. */
export const partOf = (fields: SchemaMap): ObjectSchema => Joi.object(fields).unknown();

export const string = (description: string) => Joi.string().allow('').description(description);
export const orNull = (description: string) => string(description).allow(null);
export const listOf = (item: Schema, description: string) =>
  Joi.array().items(item).description(description);
export const strings = (description: string) => listOf(Joi.string().allow(''), description);
export const nextCursor = orNull('`cursor` of the next call; null at the end.').required();

/** The answer of a tool that started a task. */
export const started = answerOf({
  taskId: string('The task.').required(),
  status: Joi.valid('running').required(),
  createdAt: string('ISO 8601, UTC.').required(),
});

/** Adds the next step to the answer of a start. */
export const presentStart = ({ taskId, createdAt }: { taskId: string; createdAt: string }) => ({
  taskId,
  status: 'running',
  createdAt,
  next: `Call get_task with taskId ${taskId}: it waits for the end, 45 seconds at most.`,
});
