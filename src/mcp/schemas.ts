import type { ObjectSchema, Schema, SchemaMap } from 'joi';
import { Joi } from '../joi.ts';
import { idempotencyKeyPattern } from '../api/context.ts';
import { cursorOf } from '../api/cursors.ts';

type Fields = Record<string, Schema>;

/**
 * The named fields of a body or query of the REST API. null counts as an absent field, because many
 * programs send it for each argument that a model leaves out.
 */
export const fieldsOf = (body: ObjectSchema, ...names: string[]): Fields =>
  Object.fromEntries(
    names.map((name) => {
      const field = body.extract(name);
      const { presence } = (field.describe().flags ?? {}) as { presence?: string };
      return [name, presence === 'required' ? field : field.empty(null)];
    }),
  );

export const siteId = Joi.string()
  .max(200)
  .required()
  .description("The site's id, not its name: see list_sites.");
export const taskId = Joi.string().max(200).required().description('The task: see list_tasks.');

export const shareId = Joi.string().max(60).required().description('The link: see list_shares.');

export const idempotencyKey = Joi.string()
  .pattern(idempotencyKeyPattern)
  .empty(null)
  .messages({
    'string.pattern.base': 'Idempotency-Key must be 1 to 255 visible ASCII characters',
  })
  .description('A new text for each wish, such as a UUID. A repeated call does nothing twice.');

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
export const count = (description: string) =>
  Joi.number().integer().required().description(description);
export const nextCursor = orNull('`cursor` of the next call; null at the end.').required();

/** The position in lists that are read as a whole: how many entries of each were shown before. */
const offsetCursor = cursorOf<number>(String, (text) =>
  /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null,
);

/** The `cursor` of a tool that shows lists in parts. */
export const listCursor = Joi.string()
  .max(20)
  .empty(null)
  .custom(offsetCursor.read)
  .description('`nextCursor` of the answer before, for the rest of its lists.');

/**
 * The part of each list that an answer shows.
 * @param most entries of a list in one answer
 */
export function partsOf<Lists extends Record<string, readonly unknown[]>>(
  lists: Lists,
  { offset = 0, most }: { offset?: number | undefined; most: number },
): { parts: Lists; nextCursor: string | null } {
  const end = offset + most;
  const parts = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, list.slice(offset, end)]),
  ) as unknown as Lists;
  const isMore = Object.values(lists).some((list) => list.length > end);
  return { parts, nextCursor: isMore ? offsetCursor.at(end) : null };
}

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
