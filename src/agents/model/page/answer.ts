import type { JSONSchema7 } from 'ai';
import Joi from 'joi';

/**
 * What a model answers for a page: new texts by the ids of the outline, and how many members groups
 * get.
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

/** The same for all pages, and without options or maps, which not every provider takes. */
export const answerSchema = answer['~standard'].jsonSchema.input({
  target: 'draft-2020-12',
}) as JSONSchema7;

/** @returns the answer, or a sentence that says what is wrong with its form */
export function readAnswer(value: unknown): Answer | string {
  if (value === undefined) return 'The answer is no JSON';
  const read = answer.validate(value, { stripUnknown: true });
  return read.error
    ? `The answer has another form than asked for: ${read.error.message}`
    : read.value;
}
