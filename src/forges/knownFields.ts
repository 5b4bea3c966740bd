import type Joi from 'joi';

/** The documented fields of an answer: those of an object, of a list's entries, or no fields. */
type FieldShape = { fields: Map<string, FieldShape> } | { entries: FieldShape } | null;

interface SchemaDescription {
  type?: string;
  keys?: Record<string, SchemaDescription>;
  items?: SchemaDescription[];
}

/** Maximum number of entries in one list of an answer. Forges send at most 100 on one page. */
export const MAX_ENTRIES = 1_000;

/** Characters of a text. Addresses and descriptions have at most a few hundred. */
const MAX_TEXT_LENGTH = 10_000;

const shapes = new WeakMap<Joi.AnySchema, FieldShape>();

/**
 * Copies the fields that a schema knows. A validator would visit every other field too, and a forge
 * may send hundreds of thousands of them. Longer texts than 10,000 characters are cut: they get
 * into names, addresses and messages.
 * @param value parsed JSON
 * @throws RangeError if a list has over 1,000 entries
 */
export function pickKnownFields(value: unknown, schema: Joi.AnySchema): unknown {
  const shape = shapes.get(schema) ?? shapeOf(schema.describe());
  shapes.set(schema, shape);
  return pick(value, shape);
}

function shapeOf({ type, keys = {}, items = [] }: SchemaDescription): FieldShape {
  if (type === 'array') return { entries: items[0] ? shapeOf(items[0]) : null };
  if (type !== 'object') return null;
  const fields = Object.entries(keys).map(([name, field]) => [name, shapeOf(field)] as const);
  return { fields: new Map(fields) };
}

function pick(value: unknown, shape: FieldShape): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH);
  if (shape === null || typeof value !== 'object' || value === null) return value;
  if ('entries' in shape) return pickEntries(value, shape.entries);
  if (Array.isArray(value)) return value;
  const found = [...shape.fields].filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    found.map(([name, field]) => [name, pick((value as Record<string, unknown>)[name], field)]),
  );
}

function pickEntries(value: object, entryShape: FieldShape): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length > MAX_ENTRIES)
    throw new RangeError(`a list has ${value.length} entries, ${MAX_ENTRIES} at most are read`);
  return value.map((entry) => pick(entry, entryShape));
}
