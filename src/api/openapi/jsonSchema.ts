import type { PresenceMode, Root, Schema } from 'joi';
import { Joi } from '../../joi.ts';
import { portable } from './patterns.ts';
import type { JsonSchema, Parameter } from './operation.ts';

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
): JsonSchema => convert(schema.invalid(null), { hasNull: true, onNamed });

/**
 * Converts a Joi schema to a JSON Schema that stands alone, as tools of assistants need it: parts
 * that have names stay in their places. null is left out where it means an absent field, because
 * some programs drop a field whose type is a list of types.
 */
export const wholeSchemaOf = (schema: Schema): JsonSchema => convert(schema, { hasNull: false });

/**
 * Converts the Joi schema of a query to parameters.
 * @param onNamed called with each part that has a name, which becomes a reference
 */
export function queryParametersOf(
  schema: Schema,
  onNamed: (name: string, part: Schema) => unknown,
): Parameter[] {
  const { properties, required = [] } = convert(schema, { hasNull: false, onNamed }) as {
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

interface Place {
  /** Whether to add null where it means an absent field. A query has no null. */
  hasNull: boolean;
  /** Absent: a part that has a name is not replaced by a reference. */
  onNamed?: (name: string, part: Schema) => unknown;
}

function convert(schema: Schema, place: Place): JsonSchema {
  const standard = withDescribedParts(schema, place) as unknown as StandardJsonSchema;
  const json = standard['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return rewriteJson(json) as JsonSchema;
}

/** A part of a Joi schema, as Joi's extensions see it. */
interface Part {
  $_modify(options: { each: (part: unknown) => unknown; ref: false }): Schema | undefined;
  $_terms: { metas?: SchemaMeta[] };
}

const schemaNameOf = (schema: Schema): string | undefined =>
  (schema as unknown as Part).$_terms.metas?.find(({ schemaName }) => schemaName)?.schemaName;

function withDescribedParts(schema: Schema, place: Place): Schema {
  const each = (part: unknown) =>
    Joi.isSchema(part) ? describePart(part as Schema, place) : undefined;
  return (schema as unknown as Part).$_modify({ each, ref: false }) ?? schema;
}

/**
 * Replaces a part that has a name by a reference. Adds null to the values of a part where null
 * means an absent field, which Joi's JSON Schema lacks.
 */
function describePart(part: Schema, place: Place): Schema {
  const { flags = {}, allow = [] } = part.describe() as PartDescription;
  const isNullable = place.hasNull && (flags.empty !== undefined || allow.includes(null));
  const schemaName = place.onNamed && schemaNameOf(part);
  if (schemaName === undefined) {
    const whole = withDescribedParts(part, place);
    return flags.empty === undefined || !place.hasNull ? whole : whole.empty().allow(null);
  }
  place.onNamed?.(schemaName, part);
  const { presence = 'optional', description = '', default: preset } = flags;
  const reference = references.reference().presence(presence).meta({ schemaName, isNullable });
  const described = description === '' ? reference : reference.description(description);
  return preset === undefined ? described : described.default(preset);
}

interface PartDescription {
  flags?: { empty?: unknown; presence?: PresenceMode; description?: string; default?: unknown };
  allow?: unknown[];
}

/** Stands for a part that has a name, as `{ schemaName, isNullable }` of its meta data says. */
const references = Joi.extend((joi: Root) => ({
  type: 'reference',
  base: joi.any(),
  jsonSchema(schema: Part, json: object) {
    const [meta] = schema.$_terms.metas as [{ schemaName: string; isNullable: boolean }];
    const target = schemaRef(meta.schemaName);
    return { ...json, ...(meta.isNullable ? { oneOf: [target, { type: 'null' }] } : target) };
  },
})) as { reference(): Schema };

/**
 * Rewrites Joi's JSON Schema into forms that every reader of the document understands. A default is
 * told in words, because generators take a property with a `default` for a required one.
 */
function rewriteJson(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(rewriteJson);
  if (typeof json !== 'object' || json === null) return json;
  const { pattern, default: preset, description, properties, ...others } = json as JoiJson;
  const words = [description, preset !== undefined && `Default: \`${String(preset)}\`.`];
  return {
    ...(words.some(Boolean) && { description: words.filter(Boolean).join(' ') }),
    ...(properties && { properties: mapValues(properties, rewriteJson) }),
    ...mapValues(others, rewriteJson),
    ...(pattern !== undefined && portable(pattern)),
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
  change: (value: Value) => unknown,
) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
