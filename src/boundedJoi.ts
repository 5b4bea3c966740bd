import PlainJoi, {
  type CustomHelpers,
  type ErrorReport,
  type ObjectSchema,
  type Root,
  type Schema,
  type SchemaLike,
  type SchemaMap,
} from 'joi';

/** Maximum number of fields of an object. No request has half as many. */
const MAX_FIELDS = 1_000;
/** Maximum number of entries of a list whose schema sets no other limit. */
const MAX_ENTRIES = 10_000;

interface SchemaWithRules {
  $_getRule(name: string): { args?: { limit?: unknown } } | undefined;
}
type PreparedValue = { value: unknown; errors?: ErrorReport } | undefined;

function maxRuleOf(schema: Schema): number | undefined {
  const limit = (schema as unknown as SchemaWithRules).$_getRule('max')?.args?.limit;
  return typeof limit === 'number' ? limit : undefined;
}

/** Creates a validation step that refuses a value that is too large, and skips the other steps. */
const refuseLarge =
  (code: string, sizeOf: (value: unknown) => number, defaultLimit?: number) =>
  (value: unknown, helpers: CustomHelpers & { schema: Schema }): PreparedValue => {
    const limit = maxRuleOf(helpers.schema) ?? defaultLimit;
    if (limit === undefined || sizeOf(value) <= limit) return undefined;
    return { value, errors: helpers.error(code, { limit }) };
  };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Joi for values from outside, such as request bodies. It checks the size of a value before
 * everything else, and stops if the value is too large: a rule such as `email` may take quadratic
 * time, and each of 100,000 wrong fields would be reported. A string may have as many characters as
 * its `max` says, a list as many entries as its `max`, or 10,000, and an object 1,000 fields.
 */
export const Joi: Root = PlainJoi.extend(
  (joi: Root) => ({
    type: 'string',
    base: joi.string(),
    prepare: refuseLarge('string.max', (value) => (typeof value === 'string' ? value.length : 0)),
  }),
  (joi: Root) => ({
    type: 'array',
    base: joi.array(),
    prepare: refuseLarge(
      'array.max',
      (value) => (Array.isArray(value) ? value.length : 0),
      MAX_ENTRIES,
    ),
  }),
  (joi: Root) => ({
    type: 'object',
    base: joi.object(),
    // `args` makes `Joi.object(keys)` work on an extended type
    args: (schema: SchemaLike, keys?: SchemaLike) =>
      keys === undefined ? (schema as Schema) : (schema as ObjectSchema).keys(keys as SchemaMap),
    prepare: refuseLarge(
      'object.max',
      (value) => (isObject(value) ? Object.keys(value).length : 0),
      MAX_FIELDS,
    ),
  }),
) as Root;
