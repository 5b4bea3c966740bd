import type { JSONSchema7 } from 'ai';
import Joi from 'joi';

/**
 * A model's answer for a page: new texts by the ids of the outline, and new numbers of groups'
 * members.
 */
export interface Answer {
  texts: { id: string; text: string }[];
  groups: { id: string; members: number }[];
}

const text = Joi.string().allow('').required();

const answer = Joi.object<Answer, true>({
  texts: Joi.array()
    .items(Joi.object({ id: text, text }))
    .required(),
  groups: Joi.array()
    .items(Joi.object({ id: text, members: Joi.number().integer().required() }))
    .required(),
});

/**
 * The JSON schema of answers. It is the same for all pages, and has no optional fields and no maps,
 * which not every provider supports.
 */
export const answerSchema = answer['~standard'].jsonSchema.input({
  target: 'draft-2020-12',
}) as JSONSchema7;

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
