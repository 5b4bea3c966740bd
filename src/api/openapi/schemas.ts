import { defined } from '../../contract/defined.ts';
import type { JsonSchema } from './operation.ts';

/** An object with exactly these fields. A name that ends in `?` is optional. */
export const objectSchema = (fields: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      isOptional(name) ? name.slice(0, -1) : name,
      schema,
    ]),
  ),
  required: Object.keys(fields).filter((name) => !isOptional(name)),
  additionalProperties: false,
});

const isOptional = (name: string) => name.endsWith('?');

/** A reference to a named schema of any RoutesDescription. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: pointerTo(name) });

const pointerTo = (name: string) => `#/components/schemas/${name}`;

export const arrayOf = (items: JsonSchema, description: string): JsonSchema => ({
  type: 'array',
  items,
  description,
});
export const textSchema = (description: string): JsonSchema => ({ type: 'string', description });
export const constant = (value: string): JsonSchema => ({ type: 'string', enum: [value] });
export const timeSchema = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
});
export const booleanSchema = (description?: string): JsonSchema =>
  defined({ type: 'boolean', description });
export const countSchema = (description?: string): JsonSchema =>
  defined({ type: 'integer', minimum: 0, description });
export const enumSchema = (values: readonly string[], description?: string): JsonSchema =>
  defined({ type: 'string', enum: values, description });
export const uuidSchema = (description?: string): JsonSchema =>
  defined({ type: 'string', format: 'uuid', description });
export const urlSchema = (description?: string): JsonSchema =>
  defined({ type: 'string', format: 'uri', description });
export const slugSchema = (description?: string): JsonSchema =>
  defined({ type: 'string', pattern: '^/', description });
export const commitSchema = (description?: string): JsonSchema =>
  defined({ type: 'string', pattern: '^[0-9a-f]{40,64}$', description });

/** Allows null, for a schema with a single `type`. */
export const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
});
/** Allows null, for a reference. */
export const nullable = (reference: JsonSchema, description: string): JsonSchema => ({
  oneOf: [reference, { type: 'null' }],
  description,
});

/**
 * One of several named schemas.
 * @param variants the names of the schemas by the value of the property that tells them apart
 */
export const unionSchema = (
  propertyName: string,
  variants: Record<string, string>,
  description?: string,
): JsonSchema => ({
  ...defined({ description }),
  oneOf: Object.values(variants).map(schemaRef),
  discriminator: {
    propertyName,
    mapping: Object.fromEntries(
      Object.entries(variants).map(([value, name]) => [value, pointerTo(name)]),
    ),
  },
});

/** One of several named schemas without a property that always tells them apart. */
export const eitherOf = (names: string[], description?: string): JsonSchema => ({
  ...defined({ description }),
  oneOf: names.map(schemaRef),
});

export const time = timeSchema('ISO 8601 with milliseconds, UTC.');
export const nextCursor = orNull(textSchema('`cursor` of the next request; null at the end.'));
