import type { Schema } from 'joi';
import { Joi } from '../../joi.ts';
import { portable } from './patterns.ts';
import type { JsonSchema, Parameter } from './operation.ts';

interface StandardJsonSchema {
  '~standard': { jsonSchema: { input(options: { target: 'draft-2020-12' }): JsonSchema } };
}

/** Converts a Joi schema to JSON Schema. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  const standard = withNulls(schema) as unknown as StandardJsonSchema;
  return written(standard['~standard'].jsonSchema.input({ target: 'draft-2020-12' })) as JsonSchema;
}

/** Converts the Joi schema of a query to parameters. */
export function queryParametersOf(schema: Schema): Parameter[] {
  const { properties, required = [] } = jsonSchemaOf(schema) as {
    properties: Record<string, JsonSchema & { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(required.includes(name) && { required: true }),
  }));
}

/** A part of a Joi schema, as Joi's extensions see it. */
interface Part {
  $_modify(options: { each: (part: unknown) => unknown; ref: false }): Schema | undefined;
}

/**
 * Adds null to the schema's values wherever null means an absent field, which Joi's JSON Schema
 * lacks.
 */
function withNulls(schema: Schema): Schema {
  const each = (part: unknown) => (Joi.isSchema(part) ? withNulls(part as Schema) : undefined);
  const whole = (schema as unknown as Part).$_modify({ each, ref: false }) ?? schema;
  const { empty } = (whole.describe().flags ?? {}) as { empty?: unknown };
  return empty === undefined ? whole : whole.empty().allow(null);
}

/** Rewrites Joi's JSON Schema into forms that every reader of the document understands. */
function written(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(written);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).map(([name, value]) => [name, written(value)]);
  const {
    type,
    enum: values,
    pattern,
    ...others
  } = Object.fromEntries(entries) as JsonSchema & {
    enum?: unknown[];
    pattern?: unknown;
  };
  const isNullable = Array.isArray(type) && type.includes('null') && !values?.includes(null);
  return {
    ...others,
    ...(type !== undefined && { type }),
    ...(values && { enum: isNullable ? [...values, null] : values }),
    ...(typeof pattern === 'string' ? portable(pattern) : pattern !== undefined && { pattern }),
  };
}
