import { defined } from '../../contract/defined.ts';
import type { Answer, Examples, JsonSchema, RequestBody } from './operation.ts';
import { schemaRef } from './schemas.ts';

/** The name of a schema in a RoutesDescription, or a schema. */
type Schema = string | JsonSchema;
type Values = Record<string, unknown>;

/**
 * An answer with a body.
 * @param values examples by name
 */
export const answer = (description: string, schema: Schema, values?: Values): Answer => ({
  description,
  schema: schemaOf(schema),
  ...defined({ examples: values && examplesOf(values) }),
});

/**
 * A required body.
 * @param values examples by name
 */
export const body = (schema: Schema, values: Values): RequestBody => ({
  required: true,
  schema: schemaOf(schema),
  examples: examplesOf(values),
});

/**
 * An optional body.
 * @param values examples by name
 */
export const optionalBody = (schema: Schema, values: Values): RequestBody => ({
  ...body(schema, values),
  required: false,
});

const schemaOf = (schema: Schema) => (typeof schema === 'string' ? schemaRef(schema) : schema);

const examplesOf = (values: Values): Examples =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
