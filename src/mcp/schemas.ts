import type { ObjectSchema, Schema, SchemaMap } from 'joi';
import { Joi } from '../boundedJoi.ts';
import { idempotencyKeyPattern } from '../api/context.ts';
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

export const confirmField = Joi.boolean()
  .empty(null)
  .description(
    'True: the person has agreed to publish. Ignored where your program can ask the person itself.',
  );

/** An answer of a tool. There may be more fields later. */
export const toolAnswer = (fields: SchemaMap): ObjectSchema =>
  Joi.object({
    ...fields,
    next: Joi.string().required().description('What to do next.'),
  }).unknown();

/** An object in an answer. There may be more fields later. */
export const openObject = (fields: SchemaMap): ObjectSchema => Joi.object(fields).unknown();

export const textField = (description: string) => Joi.string().allow('').description(description);
export const nullableText = (description: string) => textField(description).allow(null);
export const listField = (item: Schema, description: string) =>
  Joi.array().items(item).description(description);
export const textList = (description: string) => listField(Joi.string().allow(''), description);
export const countField = (description: string) =>
  Joi.number().integer().required().description(description);
export const nextCursorSchema = nullableText(
  '`cursor` of the next call; null at the end.',
).required();

/** The position in lists that are read as a whole: how many entries of each were shown before. */
const offsetCursor = createCursor<number>(String, (text) =>
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

/** The answer of a tool that started a task. */
export const startedAnswer = toolAnswer({
  taskId: textField('The task.').required(),
  status: Joi.valid('running').required(),
  createdAt: textField('ISO 8601, UTC.').required(),
});

/** Adds the next step to the answer of a start. */
export const presentStart = ({ taskId, createdAt }: { taskId: string; createdAt: string }) => ({
  taskId,
  status: 'running',
  createdAt,
  next: `Call get_task with taskId ${taskId}: it waits for the end, 45 seconds at most.`,
});
