import type { Schema } from 'joi';
import type { JsonSchema, Parameter } from './operation.ts';

interface StandardJsonSchema {
  '~standard': { jsonSchema: { input(options: { target: 'draft-2020-12' }): JsonSchema } };
}

/** The bodies that a Joi schema accepts, as JSON Schema. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  return (schema as unknown as StandardJsonSchema)['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
}

/** The parameters that the Joi schema of a query takes; their descriptions are its own. */
export function queryParametersOf(schema: Schema): Parameter[] {
  const { properties, required = [] } = jsonSchemaOf(schema) as {
    properties: Record<string, JsonSchema & { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    ...{ name, in: 'query', description, schema },
    ...(required.includes(name) && { required: true }),
  }));
}
