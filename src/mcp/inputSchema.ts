import type { JsonSchema } from '../api/openapi/operation.ts';

/**
 * A JSON Schema without null, also in nested schemas: some programs drop a field whose type is a
 * list of types. Tools take null as an absent field all the same.
 */
export const withoutNull = (schema: JsonSchema): JsonSchema => stripped(schema) as JsonSchema;

function stripped(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(stripped);
  if (typeof json !== 'object' || json === null) return json;
  const { type, enum: values, ...others } = json as { type?: unknown; enum?: unknown };
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, stripped(value)])),
    ...(type !== undefined && { type: typeWithoutNull(type) }),
    ...(values !== undefined && { enum: withoutNulls(values) }),
  };
}

const withoutNulls = (values: unknown) =>
  Array.isArray(values) ? values.filter((value) => value !== null) : values;

function typeWithoutNull(type: unknown): unknown {
  if (!Array.isArray(type)) return stripped(type);
  const types = type.filter((name) => name !== 'null');
  return types.length === 1 ? types[0] : types;
}
