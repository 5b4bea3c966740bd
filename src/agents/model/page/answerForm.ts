import type { JSONSchema7 } from 'ai';
import type { ObjectSchema } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import type { ModelQuestion } from '../../../contract/task.ts';
import { cleanQuestion } from '../../shared/text/cleanQuestion.ts';
import { answerProblems } from './answerProblems.ts';

/**
 * A model's answer for a page: new texts by the ids of the outline, and the new sizes of groups,
 * which are blocks that repeat, such as cards. `members`: how many blocks the group has then.
 * `keep`: the numbers, from 1, of the old ones that stay.
 */
export interface ModelPageAnswer {
  texts: { id: string; text: string }[];
  groups: { id: string; members: number; keep?: number[] }[];
  /** New targets of links, by their ids in the outline. */
  links?: { id: string; target: string }[];
}

const requiredText = Joi.string().allow('').required();
const wholeNumber = Joi.number().integer().required();

/** The form of an answer. @param presence whether lists that may be empty must be there */
const createAnswerForm = (presence: 'required' | 'optional') =>
  Joi.object<ModelPageAnswer, true>({
    texts: Joi.array()
      .items(Joi.object({ id: requiredText, text: requiredText }))
      .required(),
    groups: Joi.array()
      .items(
        Joi.object({
          id: requiredText,
          members: wholeNumber,
          keep: Joi.array().items(wholeNumber.optional()).presence(presence),
        }),
      )
      .required(),
    links: Joi.array()
      .items(Joi.object({ id: requiredText, target: requiredText }))
      .presence(presence),
  });

const answerForm = createAnswerForm('optional');

/** A question to people. A question without words counts as none. */
const questionForm = Joi.object<ModelQuestion, true>({
  question: requiredText,
  options: Joi.array().items(Joi.string().allow('')).required(),
});

const createJsonSchema = (form: ObjectSchema) =>
  form['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JSONSchema7;

/**
 * The JSON schema of answers. It is the same for all pages, and has no optional fields and no maps,
 * which not every provider supports.
 */
export const answerSchema = createJsonSchema(createAnswerForm('required'));

/** The schema for a model that may ask people. */
export const answerOrQuestionSchema = createJsonSchema(
  createAnswerForm('required').append({ ask: questionForm.required() }),
);

const askingForm = Joi.object<{ ask: ModelQuestion }, true>({
  ask: questionForm.fork('options', (options) => options.optional().default([])).required(),
}).required();

/** The question that an answer asks; undefined if it asks none. */
export function readModelQuestion(value: unknown): ModelQuestion | undefined {
  const validated = askingForm.validate(value, { stripUnknown: true });
  const question = validated.error ? undefined : cleanQuestion(validated.value.ask);
  return question?.question === '' ? undefined : question;
}

/**
 * Checks the form of an answer, but not yet its content.
 * @returns the answer, or a sentence on what is wrong with its form
 */
export function readModelAnswer(value: unknown): ModelPageAnswer | string {
  if (value === undefined) return answerProblems.noJson();
  const validated = answerForm.validate(value, { stripUnknown: true });
  return validated.error ? answerProblems.wrongForm(validated.error.message) : validated.value;
}
