import type { JSONSchema7 } from 'ai';
import type { ObjectSchema } from 'joi';
import { Joi } from '../../../joi.ts';
import type { AskedQuestion } from '../../../contract/task.ts';
import { askedOf } from '../../text/askedOf.ts';

/**
 * A model's answer for a page: new texts by the ids of the outline, and new members of groups: how
 * many, and the numbers of those that stay, from 1.
 */
export interface Answer {
  texts: { id: string; text: string }[];
  groups: { id: string; members: number; keep?: number[] }[];
  /** Where links lead. */
  links?: { id: string; target: string }[];
}

const text = Joi.string().allow('').required();
const whole = Joi.number().integer().required();

/** @param presence of the lists that a model may leave out where its provider lets it */
const answerWith = (presence: 'required' | 'optional') =>
  Joi.object<Answer, true>({
    texts: Joi.array()
      .items(Joi.object({ id: text, text }))
      .required(),
    groups: Joi.array()
      .items(
        Joi.object({
          id: text,
          members: whole,
          keep: Joi.array().items(whole.optional()).presence(presence),
        }),
      )
      .required(),
    links: Joi.array()
      .items(Joi.object({ id: text, target: text }))
      .presence(presence),
  });

const answer = answerWith('optional');

/** A question to people; without words, it is none. */
const ask = Joi.object<AskedQuestion, true>({
  question: text,
  options: Joi.array().items(Joi.string().allow('')).required(),
});

const schemaOf = (form: ObjectSchema) =>
  form['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JSONSchema7;

/**
 * The JSON schema of answers. It is the same for all pages, and has no optional fields and no maps,
 * which not every provider supports.
 */
export const answerSchema = schemaOf(answerWith('required'));

/** The schema for a model that may ask people. */
export const answerOrQuestionSchema = schemaOf(
  answerWith('required').append({ ask: ask.required() }),
);

const asking = Joi.object<{ ask: AskedQuestion }, true>({
  ask: ask.fork('options', (options) => options.optional().default([])).required(),
}).required();

/** The question that an answer asks; undefined if it asks none. */
export function readQuestion(value: unknown): AskedQuestion | undefined {
  const read = asking.validate(value, { stripUnknown: true });
  const asked = read.error ? undefined : askedOf(read.value.ask);
  return asked?.question === '' ? undefined : asked;
}

/**
 * Checks the form of an answer. @returns the answer, or a sentence on what is wrong with its form
 */
export function readAnswer(value: unknown): Answer | string {
  if (value === undefined) return 'The answer is no JSON';
  const read = answer.validate(value, { stripUnknown: true });
  return read.error
    ? `The answer has another form than asked for: ${read.error.message}`
    : read.value;
}
