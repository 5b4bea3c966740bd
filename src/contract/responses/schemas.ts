import { Type, type Static, type TProperties, type TSchema } from 'typebox';

/**
 * Builders of the schemas of response bodies, for the files next to this one. Each schema is both a
 * JSON Schema for the OpenAPI document and a TypeScript type:
 *
 *     export const Cost = t.object('Cost', { amount: t.text('A decimal number.', '0.36') });
 *     export type Cost = Static<typeof Cost>; // { amount: string }
 *
 * A schema with a name (`$id`, here `Cost`) becomes a component of the document. Wherever another
 * schema uses it, the document has a reference to it.
 */

type VariantSchemas = readonly TSchema[];
type AnyVariant<Schemas extends VariantSchemas> = Static<Schemas[number]>;

/** Example values are for texts whose form does not follow from the schema. */
const annotations = (description?: string, example?: unknown) => ({
  ...(description !== undefined && { description }),
  ...(example !== undefined && { examples: [example] }),
});

/** An object with a name, and with exactly these fields. */
export const object = <Fields extends TProperties>(
  $id: string,
  fields: Fields,
  description?: string,
) => Type.Object(fields, { $id, additionalProperties: false, ...annotations(description) });

export const optional = Type.Optional;
export const text = (description?: string, example?: string) =>
  Type.String(annotations(description, example));
export const flag = (description?: string) => Type.Boolean(annotations(description));
export const integer = (
  description?: string,
  limits: { minimum?: number; maximum?: number } = {},
) => Type.Integer({ ...limits, ...annotations(description) });
export const count = (description?: string) => integer(description, { minimum: 0 });
export const fraction = (description?: string) =>
  Type.Number({ minimum: 0, maximum: 1, ...annotations(description) });
export const time = (description = 'A time in ISO 8601 with milliseconds, in UTC.') =>
  Type.String({ format: 'date-time', ...annotations(description) });
export const uuid = (description?: string) =>
  Type.String({ format: 'uuid', ...annotations(description) });
export const url = (description?: string, example?: string) =>
  Type.String({ format: 'uri', ...annotations(description, example) });
export const slug = (description?: string) =>
  Type.String({ pattern: '^/', ...annotations(description) });
export const commit = (description?: string) =>
  Type.String({ pattern: '^[0-9a-f]{40,64}$', ...annotations(description) });
export const list = <Item extends TSchema>(items: Item, description?: string) =>
  Type.Array(items, annotations(description));
/** A list that is absent if it is empty. */
export const nonEmptyList = <Item extends TSchema>(items: Item, description?: string) =>
  Type.Array(items, { minItems: 1, ...annotations(description) });
export const record = <Value extends TSchema>(values: Value, description?: string) =>
  Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: values,
    ...annotations(description),
  });
export const texts = (description?: string) => list(Type.String(), description);

export const oneOf = <const Value extends string>(values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: values, ...annotations(description) });
export const constant = <const Value extends string>(value: Value) => oneOf([value]);

/** A value of its own type, or null. */
export const orNull = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [(schema as { type?: string }).type, 'null'],
  });
/** A schema with a name, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Unsafe<Static<Schema> | null>({
    oneOf: [schema, { type: 'null' }],
    ...annotations(description),
  });

/** Gives a schema a name. */
export const withName = <Schema extends TSchema>($id: string, schema: Schema) =>
  Type.Unsafe<Static<Schema>>({ ...schema, $id });
/** A schema with a name, and a description for the field that uses it. */
export const described = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Unsafe<Static<Schema>>({ $of: schema, description });

/** One of several named schemas. */
export const eitherOf = <Schemas extends VariantSchemas>(
  $id: string,
  schemas: Schemas,
  description?: string,
) => Type.Unsafe<AnyVariant<Schemas>>({ $id, oneOf: schemas, ...annotations(description) });

/** One of several named schemas. The constant value of `propertyName` says which one it is. */
export const union = <Schemas extends VariantSchemas>(
  $id: string,
  propertyName: string,
  schemas: Schemas,
  description?: string,
) =>
  Type.Unsafe<AnyVariant<Schemas>>({
    $id,
    oneOf: schemas,
    discriminator: { propertyName, mapping: discriminatorMapping(propertyName, schemas) },
    ...annotations(description),
  });

const discriminatorMapping = (propertyName: string, schemas: VariantSchemas) =>
  Object.fromEntries(
    schemas.map((schema) => {
      const { $id, properties } = schema as unknown as {
        $id: string;
        properties: Record<string, { enum: [string] }>;
      };
      return [properties[propertyName]!.enum[0], `#/components/schemas/${$id}`];
    }),
  );

/** `nextCursor` of a list. */
export const nextCursor = orNull(
  text('The `cursor` of the next request. Null on the last page of the list.'),
);
