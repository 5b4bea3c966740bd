import type { AnySchema } from 'joi';
import { jsonSchemaOf, mapValues, schemaRef } from './jsonSchema.ts';
import type { JsonSchema } from './operation.ts';
import { writtenRequests } from './writtenRequests.ts';

export type DocumentComponents = ReturnType<typeof createComponents>;

/**
 * Collects the schemas that have names for `components.schemas` of the OpenAPI document. Returns
 * references to them: `answer(Cost)` → `{ $ref: '#/components/schemas/Cost' }`.
 */
export function createComponents() {
  const schemas: Record<string, JsonSchema> = {};

  /** Replaces the named schemas in the schema of a response body by references. */
  function answer(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(answer);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, $of, ...schemaParts } = value as { $id?: string; $of?: object } & JsonSchema;
    if ($of !== undefined) return { ...(answer($of) as object), ...schemaParts };
    if ($id === undefined) return mapValues(schemaParts, answer);
    schemas[$id] ??= mapValues(schemaParts, answer);
    return schemaRef($id);
  }

  /** Adds the schema of a request, and returns a reference to it. */
  function request(name: string, schema: AnySchema | null): JsonSchema {
    if (!(name in schemas)) {
      schemas[name] = {}; // keeps its position before the schemas that it refers to
      const writtenRequest = writtenRequests[name];
      schemas[name] = writtenRequest ? writtenRequest(request) : jsonSchemaOf(schema!, request);
    }
    return schemaRef(name);
  }

  return { schemas, answer, request };
}
