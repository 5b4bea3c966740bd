import { serveFunctions } from '../../../threads/answer.ts';
import { createPageFromAnswer } from './answerOf.ts';
import { type ModelPageJob, readPageQuestion } from './pageQuestions.ts';
import { createPageRequest } from './requestOf.ts';

/** The calls that read texts of customers and models. */
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
