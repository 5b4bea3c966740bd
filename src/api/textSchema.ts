import type { CustomHelpers, Root, StringSchema } from 'joi';
import { Joi } from '../joi.ts';
import { nameFault, nameFaults, type NameRule, NAME_LENGTH } from '../contract/name.ts';
import { isLonger } from '../contract/text.ts';
import { visible } from '../contract/visible.ts';

/** A string schema for customers' texts. */
export interface TextSchema extends StringSchema {
  /**
   * At most `limit` characters, not blank, whole Unicode characters, and no control characters
   * except for tabs and line breaks. A text that is too long is not checked further.
   */
  printable(limit: number): this;
  /** Like `printable`, but one line. */
  line(limit: number): this;
  /** A name: one line without invisible characters. If mails carry it, also without addresses. */
  name(rule?: NameRule): this;
}

const unprintable = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/;
const lineEnds = /[\p{Cc}\u2028\u2029]/u;

interface Limit {
  limit: number;
}

function check(value: string, helpers: CustomHelpers, { limit }: Limit) {
  if (isLonger(value, limit)) return helpers.error('text.characters', { limit });
  if (value.trim() === '') return helpers.error('text.blank');
  if (unprintable.test(value)) return helpers.error('text.control');
  return value.isWellFormed() ? value : helpers.error('text.surrogate');
}

/** What is wrong with a text of up to `limit` characters that is to be printable. */
export function textFault(value: string, limit: number): string | undefined {
  if (isLonger(value, limit)) return `must be at most ${limit} characters long`;
  return unprintable.test(value) ? noControl : undefined;
}

const noControl = 'must not contain control characters other than tabs and line breaks';

const jsonSchema = ({ args }: { args: Limit }, schema: object) => ({
  ...schema,
  type: 'string',
  maxLength: args.limit,
  pattern: '\\S',
});

const extended = Joi.extend((joi: Root) => ({
  type: 'text',
  base: joi.string(),
  messages: {
    'text.characters': '{{#label}} must be at most {{#limit}} characters long',
    'text.blank': '{{#label}} must not be blank',
    'text.control': `{{#label}} ${noControl}`,
    'text.line': '{{#label}} must be one line without control characters',
    ...Object.fromEntries(
      Object.entries(nameFaults).map(([fault, words]) => [`name.${fault}`, `{{#label}} ${words}`]),
    ),
    'text.surrogate': '{{#label}} must not contain half of a character (an unpaired surrogate)',
  },
  rules: {
    printable: {
      method(this: StringSchema, limit: number) {
        return this.$_addRule({ name: 'printable', args: { limit } });
      },
      args: ['limit'],
      validate: check,
      jsonSchema,
    },
    line: {
      method(this: StringSchema, limit: number) {
        return this.$_addRule({ name: 'line', args: { limit } });
      },
      args: ['limit'],
      validate(value: string, helpers: CustomHelpers, args: Limit) {
        const checked = check(value, helpers, args);
        return checked === value && lineEnds.test(value) ? helpers.error('text.line') : checked;
      },
      jsonSchema,
    },
    name: {
      method(this: StringSchema, { limit = NAME_LENGTH, isMailed = false }: NameRule = {}) {
        return this.$_addRule({ name: 'name', args: { limit, isMailed } });
      },
      args: ['limit', 'isMailed'],
      validate(value: string, helpers: CustomHelpers, rule: Required<NameRule>) {
        const fault = nameFault(value, rule);
        return fault ? helpers.error(`name.${fault}`, { limit: rule.limit }) : value;
      },
      jsonSchema,
    },
  },
})) as { text(): TextSchema };

export const text = (): TextSchema => extended.text();

/** A rule for texts from programs: any visible characters. */
export function asShown(value: string, helpers: CustomHelpers) {
  if (visible(value) === value) return value;
  return helpers.message({ custom: `{{#label}} ${nameFaults.hidden}` });
}
