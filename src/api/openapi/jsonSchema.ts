import type { PresenceMode, Root, Schema } from 'joi';
import { Joi } from '../../boundedJoi.ts';
import { portablePattern } from './patterns.ts';
import type { JsonSchema, ApiParameter } from './operation.ts';

/**
 * Converts Joi schemas, which validate requests, to JSON Schema 2020-12: for the OpenAPI document,
 * and for the tools of assistants. In the document, a schema with a name (`meta({ schemaName })`)
 * becomes a reference.
 */

/** A reference to a schema that has a name. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

interface StandardJsonSchema {
  '~standard': { jsonSchema: { input(options: { target: 'draft-2020-12' }): JsonSchema } };
}

/** The `meta` of a Joi schema that has a name of its own in the document. */
interface SchemaMeta {
  schemaName?: string;
}

/**
 * Converts the Joi schema of a body to JSON Schema.
 * @param onNamed called with each part that has a name, which becomes a reference
 */
export const jsonSchemaOf = (
  schema: Schema,
  onNamed: (name: string, part: Schema) => unknown,
): JsonSchema => convertSchema(schema.invalid(null), { hasNull: true, onNamed });

/**
 * Converts a Joi schema to a JSON Schema without references, as tools of assistants need it. null
 * is left out where it means an absent field, because some programs drop a field whose type is a
 * list of types.
 */
export const wholeSchemaOf = (schema: Schema): JsonSchema =>
  convertSchema(schema, { hasNull: false });

/**
 * Converts the Joi schema of a query to parameters.
 * @param onNamed called with each part that has a name, which becomes a reference
 */
export function queryParametersOf(
  schema: Schema,
  onNamed: (name: string, part: Schema) => unknown,
): ApiParameter[] {
  const { properties, required = [] } = convertSchema(schema, { hasNull: false, onNamed }) as {
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

interface SchemaContext {
  /** Whether to add null where it means an absent field. A query has no null. */
  hasNull: boolean;
  /** Absent: a part that has a name is not replaced by a reference. */
  onNamed?: (name: string, part: Schema) => unknown;
}

function convertSchema(schema: Schema, context: SchemaContext): JsonSchema {
  const standard = withDescribedParts(schema, context) as unknown as StandardJsonSchema;
  const jsonSchema = standard['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return rewriteJson(jsonSchema) as JsonSchema;
}

/** A part of a Joi schema, as Joi's extensions see it. */
interface JoiSchemaPart {
  $_modify(options: { each: (part: unknown) => unknown; ref: false }): Schema | undefined;
  $_terms: { metas?: SchemaMeta[] };
}

const schemaNameOf = (schema: Schema): string | undefined =>
  (schema as unknown as JoiSchemaPart).$_terms.metas?.find(({ schemaName }) => schemaName)
    ?.schemaName;

function withDescribedParts(schema: Schema, context: SchemaContext): Schema {
  const describeEach = (part: unknown) =>
    Joi.isSchema(part) ? describePart(part as Schema, context) : undefined;
  return (
    (schema as unknown as JoiSchemaPart).$_modify({ each: describeEach, ref: false }) ?? schema
  );
}

/**
 * Replaces a part that has a name by a reference. Adds null to the values of a part where null
 * means an absent field, which Joi's JSON Schema lacks.
 */
function describePart(part: Schema, context: SchemaContext): Schema {
  const { flags = {}, allow = [] } = part.describe() as PartDescription;
  const isNullable = context.hasNull && (flags.empty !== undefined || allow.includes(null));
  const schemaName = context.onNamed && schemaNameOf(part);
  if (schemaName === undefined) {
    const describedWhole = withDescribedParts(part, context);
    return flags.empty === undefined || !context.hasNull
      ? describedWhole
      : describedWhole.empty().allow(null);
  }
  context.onNamed?.(schemaName, part);
  const { presence = 'optional', description = '', default: defaultValue } = flags;
  const reference = references.reference().presence(presence).meta({ schemaName, isNullable });
  const described = description === '' ? reference : reference.description(description);
  return defaultValue === undefined ? described : described.default(defaultValue);
}

interface PartDescription {
  flags?: { empty?: unknown; presence?: PresenceMode; description?: string; default?: unknown };
  allow?: unknown[];
}

/** Stands for a part that has a name, as `{ schemaName, isNullable }` of its meta data says. */
const references = Joi.extend((joi: Root) => ({
  type: 'reference',
  base: joi.any(),
  jsonSchema(schema: JoiSchemaPart, json: object) {
    const [referenceMeta] = schema.$_terms.metas as [{ schemaName: string; isNullable: boolean }];
    const targetReference = schemaRef(referenceMeta.schemaName);
    return {
      ...json,
      ...(referenceMeta.isNullable
        ? { oneOf: [targetReference, { type: 'null' }] }
        : targetReference),
    };
  },
})) as { reference(): Schema };

/**
 * Rewrites Joi's JSON Schema into forms that every reader of the document understands. A default is
 * described in words, because generators treat a property with a `default` as required.
 */
function rewriteJson(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(rewriteJson);
  if (typeof json !== 'object' || json === null) return json;
  const {
    pattern,
    default: defaultValue,
    description,
    properties,
    ...otherKeywords
  } = json as JoiJson;
  const descriptionWords = [
    description,
    defaultValue !== undefined && `Default: \`${String(defaultValue)}\`.`,
  ];
  return {
    ...(descriptionWords.some(Boolean) && {
      description: descriptionWords.filter(Boolean).join(' '),
    }),
    ...(properties && { properties: mapValues(properties, rewriteJson) }),
    ...mapValues(otherKeywords, rewriteJson),
    ...(pattern !== undefined && portablePattern(pattern)),
  };
}

interface JoiJson extends JsonSchema {
  pattern?: string;
  default?: string | number | boolean;
  description?: string;
  properties?: Record<string, unknown>;
}

export const mapValues = <Value>(
  object: Record<string, Value>,
  changeValue: (value: Value) => unknown,
) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, changeValue(value)]));
