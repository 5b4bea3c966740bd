import type { CustomHelpers, Root, StringSchema } from 'joi';
import { Joi } from '../boundedJoi.ts';
import {
  findNameViolation,
  nameViolationMessages,
  type NameRule,
  NAME_LENGTH,
} from '../contract/text/nameRule.ts';
import { isLonger } from '../contract/text/summaries.ts';
import { removeInvisible } from '../contract/text/removeInvisible.ts';

/** A string schema for customers' texts. */
export interface TextSchema extends StringSchema {
  /**
   * At most `limit` characters, not blank, whole Unicode characters, and no control characters
   * except for tabs and line breaks. A text that is too long is not checked further.
   */
  printable(limit: number): this;
  /** Like `printable`, but one line. */
  line(limit: number): this;
  /** A name: one line without invisible characters, and without URLs if e-mails contain it. */
  name(rule?: NameRule): this;
}

const unprintable = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/;
const lineEnds = /[\p{Cc}\u2028\u2029]/u;

interface LengthLimit {
  limit: number;
}

function checkText(value: string, helpers: CustomHelpers, { limit }: LengthLimit) {
  if (isLonger(value, limit)) return helpers.error('text.characters', { limit });
  if (value.trim() === '') return helpers.error('text.blank');
  if (unprintable.test(value)) return helpers.error('text.control');
  return value.isWellFormed() ? value : helpers.error('text.surrogate');
}

/** Why a text is not printable, or longer than `limit` characters; undefined if it is valid. */
export function findTextViolation(value: string, limit: number): string | undefined {
  if (isLonger(value, limit)) return textFieldProblems.tooLong(limit);
  return unprintable.test(value) ? textFieldProblems.control : undefined;
}

/** What can be wrong with a text, each as the end of a sentence. */
export const textFieldProblems = {
  tooLong: (limit: number | string) => `must be at most ${limit} characters long`,
  blank: 'must not be blank',
  control: 'must not contain control characters other than tabs and line breaks',
  line: 'must be one line without control characters',
  surrogate: nameViolationMessages.half,
};

const jsonSchema = ({ args }: { args: LengthLimit }, schema: object) => ({
  ...schema,
  type: 'string',
  maxLength: args.limit,
  pattern: '\\S',
});

const textExtension = Joi.extend((joi: Root) => ({
  type: 'text',
  base: joi.string(),
  messages: {
    'text.characters': `{{#label}} ${textFieldProblems.tooLong('{{#limit}}')}`,
    'text.blank': `{{#label}} ${textFieldProblems.blank}`,
    'text.control': `{{#label}} ${textFieldProblems.control}`,
    'text.line': `{{#label}} ${textFieldProblems.line}`,
    ...Object.fromEntries(
      Object.entries(nameViolationMessages).map(([violation, violationWords]) => [
        `name.${violation}`,
        `{{#label}} ${violationWords}`,
      ]),
    ),
    'text.surrogate': `{{#label}} ${textFieldProblems.surrogate}`,
  },
  rules: {
    printable: {
      method(this: StringSchema, limit: number) {
        return this.$_addRule({ name: 'printable', args: { limit } });
      },
      args: ['limit'],
      validate: checkText,
      jsonSchema,
    },
    line: {
      method(this: StringSchema, limit: number) {
        return this.$_addRule({ name: 'line', args: { limit } });
      },
      args: ['limit'],
      validate(value: string, helpers: CustomHelpers, args: LengthLimit) {
        const checkedText = checkText(value, helpers, args);
        return checkedText === value && lineEnds.test(value)
          ? helpers.error('text.line')
          : checkedText;
      },
      jsonSchema,
    },
    name: {
      method(this: StringSchema, { limit = NAME_LENGTH, isMailed = false }: NameRule = {}) {
        return this.$_addRule({ name: 'name', args: { limit, isMailed } });
      },
      args: ['limit', 'isMailed'],
      validate(value: string, helpers: CustomHelpers, rule: Required<NameRule>) {
        const violation = findNameViolation(value, rule);
        return violation ? helpers.error(`name.${violation}`, { limit: rule.limit }) : value;
      },
      jsonSchema,
    },
  },
})) as { text(): TextSchema };

export const textSchema = (): TextSchema => textExtension.text();

/** A custom rule for texts from programs: no invisible characters. */
export function checkVisible(value: string, helpers: CustomHelpers) {
  if (removeInvisible(value) === value) return value;
  return helpers.message({ custom: `{{#label}} ${nameViolationMessages.hidden}` });
}
