import type { JsonSchema } from './operation.ts';

/** An object of these fields and no other ones. All are required but those named in `optional`. */
export const objectSchema = (
  properties: Record<string, JsonSchema>,
  optional: string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

/** A reference to a schema of any RoutesDescription. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

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
