/**
 * The part of a forge's documented answer that we use: a kind of value, a list with one kind of
 * entry, or the fields of an object. A field whose name ends with `?` may be absent or null. For
 * example, `{ number: 'number', 'merged_at?': 'text' }`.
 */
export type AnswerSchema =
  | 'text'
  | 'number'
  | 'flag'
  | 'nothing'
  | readonly [AnswerSchema]
  | { readonly [field: string]: AnswerSchema };

/** The type of an answer with this schema. An absent field is null. */
export type AnswerOf<Schema> = Schema extends 'text'
  ? string
  : Schema extends 'number'
    ? number
    : Schema extends 'flag'
      ? boolean
      : Schema extends readonly [infer Entry]
        ? AnswerOf<Entry>[]
        : Schema extends object
          ? {
              [Field in keyof Schema & string as Field extends `${infer Name}?` ? Name : Field]:
                | AnswerOf<Schema[Field]>
                | (Field extends `${string}?` ? null : never);
            }
          : null;

/** Maximum number of entries in one list of an answer. Forges send at most 100 on one page. */
const MAX_ENTRIES = 1_000;

/** Characters of a text. Addresses and descriptions have at most a few hundred. */
const MAX_TEXT_LENGTH = 10_000;

/**
 * Reads the documented fields of an answer. Never visits any other field, because a forge may send
 * hundreds of thousands of them. Cuts texts after 10,000 characters, because they become parts of
 * names, URLs and messages.
 * @param value parsed JSON
 * @throws RangeError if the value does not have the schema, or a list has over 1,000 entries
 */
export const readDocumentedAnswer = <const Schema extends AnswerSchema>(
  value: unknown,
  schema: Schema,
) => readValue(value, schema, 'the response') as AnswerOf<Schema>;

function readValue(value: unknown, schema: AnswerSchema, name: string): unknown {
  if (schema === 'nothing') return null;
  if (schema === 'text' && typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH);
  if (schema === 'number' && Number.isSafeInteger(value)) return value;
  if (schema === 'flag' && typeof value === 'boolean') return value;
  if (isList(schema) && Array.isArray(value)) {
    if (value.length > MAX_ENTRIES)
      throw new RangeError(
        `a list has ${value.length} entries, and at most ${MAX_ENTRIES} are read`,
      );
    return value.map((entry) => readValue(entry, schema[0], `an entry of ${name}`));
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (typeof schema === 'string' || isList(schema) || !isObject)
    throw new RangeError(`${name} has another type than expected`);
  return Object.fromEntries(
    Object.entries(schema).map(([key, field]) => {
      const fieldName = key.replace(/\?$/, '');
      const fieldValue = Object.hasOwn(value, fieldName)
        ? (value as Record<string, unknown>)[fieldName]
        : undefined;
      const isAbsent = fieldName !== key && (fieldValue === undefined || fieldValue === null);
      return [
        fieldName,
        isAbsent ? null : readValue(fieldValue, field, `\`${fieldName}\` of ${name}`),
      ];
    }),
  );
}

const isList = (schema: AnswerSchema): schema is readonly [AnswerSchema] => Array.isArray(schema);
