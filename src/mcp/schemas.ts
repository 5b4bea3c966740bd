import type { ObjectSchema, Schema, SchemaMap } from 'joi';
import { Joi } from '../boundedJoi.ts';
import { idempotencyKeyPattern, IDEMPOTENCY_KEY_PROBLEM } from '../api/context.ts';
import { createCursor } from '../api/cursors.ts';

type SchemaFields = Record<string, Schema>;

/**
 * The named fields of a body or query of the REST API. null counts as an absent field, because many
 * programs send it for each argument that a model leaves out.
 */
export const pickFields = (body: ObjectSchema, ...fieldNames: string[]): SchemaFields =>
  Object.fromEntries(
    fieldNames.map((fieldName) => {
      const fieldSchema = body.extract(fieldName);
      const { presence } = (fieldSchema.describe().flags ?? {}) as { presence?: string };
      return [fieldName, presence === 'required' ? fieldSchema : fieldSchema.empty(null)];
    }),
  );

export const siteId = Joi.string()
  .max(200)
  .required()
  .description('The id of the site, not its name. See list_sites.');
export const taskId = Joi.string()
  .max(200)
  .required()
  .description('The id of the task. See list_tasks.');

export const shareId = Joi.string()
  .max(60)
  .required()
  .description('The id of the share link. See list_shares.');

export const idempotencyKey = Joi.string()
  .pattern(idempotencyKeyPattern)
  .empty(null)
  .messages({ 'string.pattern.base': IDEMPOTENCY_KEY_PROBLEM })
  .description(
    'A new text for each piece of work, such as a UUID. A call with the same key does not repeat the work.',
  );

export const confirmField = Joi.boolean()
  .empty(null)
  .description(
    'True if the person has agreed to publish. Ignored if your program can ask the person itself.',
  );

/** The schema of a tool's result: its fields and `next`. Later versions may add fields. */
export const toolAnswer = (fields: SchemaMap): ObjectSchema =>
  Joi.object({
    ...fields,
    next: Joi.string().required().description('What to do next.'),
  }).unknown();

/** An object in a result. Later versions may add fields. */
export const openObject = (fields: SchemaMap): ObjectSchema => Joi.object(fields).unknown();

export const textField = (description: string) => Joi.string().allow('').description(description);
export const nullableText = (description: string) => textField(description).allow(null);
export const listField = (item: Schema, description: string) =>
  Joi.array().items(item).description(description);
export const textList = (description: string) => listField(Joi.string().allow(''), description);
export const countField = (description: string) =>
  Joi.number().integer().required().description(description);
export const nextCursorSchema = nullableText(
  'The `cursor` of the next call. Null at the end of the list.',
).required();

/** The position in lists that the service reads as a whole: the number of entries shown before. */
const offsetCursor = createCursor<number>(String, (text) =>
  /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null,
);

/** The `cursor` argument of a tool that shows lists in parts. */
export const listCursor = Joi.string()
  .max(20)
  .empty(null)
  .custom(offsetCursor.read)
  .description('The `nextCursor` of the previous answer, to get the rest of its lists.');

/**
 * The part of each list that one result shows.
 * @param options.offset the number of entries that earlier results have shown
 * @param options.most maximum number of entries of each list
 */
export function sliceLists<Lists extends Record<string, readonly unknown[]>>(
  lists: Lists,
  { offset = 0, most: maxEntries }: { offset?: number | undefined; most: number },
): { parts: Lists; nextCursor: string | null } {
  const endOffset = offset + maxEntries;
  const listParts = Object.fromEntries(
    Object.entries(lists).map(([name, listEntries]) => [
      name,
      listEntries.slice(offset, endOffset),
    ]),
  ) as unknown as Lists;
  const isMore = Object.values(lists).some((listEntries) => listEntries.length > endOffset);
  return { parts: listParts, nextCursor: isMore ? offsetCursor.at(endOffset) : null };
}

/** The `wait` argument of a tool that waits. @param reason until when, for the description */
export const waitSeconds = (reason: string) =>
  Joi.number()
    .integer()
    .min(0)
    .max(45)
    .empty(null)
    .default(45)
    .description(`The number of seconds to wait ${reason}.`);

/** The schema of the result of a tool that starts a task. */
export const startedAnswer = toolAnswer({
  taskId: textField('The task.').required(),
  status: Joi.valid('running').required(),
  createdAt: textField('A time in ISO 8601, in UTC.').required(),
});

/** The result of a tool that started a task. */
export const presentStart = ({ taskId, createdAt }: { taskId: string; createdAt: string }) => ({
  taskId,
  status: 'running',
  createdAt,
  next: `Call get_task with taskId ${taskId}. It waits up to 45 seconds until the task finishes.`,
});
