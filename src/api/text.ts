import Joi, { type CustomHelpers, type StringSchema } from 'joi';

/** A string of a customer's words. */
export interface TextSchema extends StringSchema {
  /** At most so many characters, an emoji of several UTF-16 units counting as one, as in JSON Schema's `maxLength`. */
  characters(limit: number): this;
  /** Not blank, whole Unicode characters, and no control characters other than tabs and line breaks. */
  printable(): this;
}

const unprintable = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/;

const extended = Joi.extend((joi: Joi.Root) => ({
  type: 'text',
  base: joi.string(),
  messages: {
    'text.characters': '{{#label}} must be at most {{#limit}} characters long',
    'text.blank': '{{#label}} must not be blank',
    'text.control': '{{#label}} must not contain control characters other than tabs and line breaks',
    'text.surrogate': '{{#label}} must not contain half of a character (an unpaired surrogate)',
  },
  rules: {
    characters: {
      method(this: StringSchema, limit: number) {
        return this.$_addRule({ name: 'characters', args: { limit } });
      },
      args: ['limit'],
      validate(value: string, helpers: CustomHelpers, { limit }: { limit: number }) {
        return isLonger(value, limit) ? helpers.error('text.characters', { limit }) : value;
      },
      jsonSchema(rule: { args: { limit: number } }, schema: Record<string, unknown>) {
        return { ...schema, type: 'string', maxLength: rule.args.limit };
      },
    },
    printable: {
      validate(value: string, helpers: CustomHelpers) {
        if (value.trim() === '') return helpers.error('text.blank');
        if (unprintable.test(value)) return helpers.error('text.control');
        return value.isWellFormed() ? value : helpers.error('text.surrogate');
      },
      jsonSchema: (_: unknown, schema: object) => ({ ...schema, type: 'string', pattern: '\\S' }),
    },
  },
})) as { text(): TextSchema };

/** A string schema with the rules of `TextSchema`. */
export const text = (): TextSchema => extended.text();

function isLonger(value: string, limit: number): boolean {
  if (value.length <= limit) return false;
  return value.length > 2 * limit || [...value].length > limit;
}
