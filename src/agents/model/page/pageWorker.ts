import { serveFunctions } from '../../../threads/threadAnswer.ts';
import { createPageFromAnswer } from './createPageFromAnswer.ts';
import { type ModelPageJob, readPageQuestion } from './pageQuestions.ts';
import { createPageRequest } from './pageRequest.ts';

/**
 * The calls of `writeModelPage` that read texts of customers and models. A worker thread runs them.
 */
const modelPageCalls = {
  requestOf: createPageRequest,
  /** Reads a model's answer: the page, or what the model asks. */
  answerOf(job: ModelPageJob, value: unknown) {
    const question = readPageQuestion(job, value);
    return question ? { asked: question } : createPageFromAnswer(job, value);
  },
};
export type ModelPageCalls = typeof modelPageCalls;

export default serveFunctions(modelPageCalls);
