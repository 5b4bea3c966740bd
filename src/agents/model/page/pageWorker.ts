import { serve } from '../../../threads/answer.ts';
import { answerOf } from './answerOf.ts';
import { type PageWriting, questionIn } from './pageQuestions.ts';
import { requestOf } from './requestOf.ts';

/** The calls that read texts of customers and models. */
const calls = {
  requestOf,
  /** Reads a model's answer: the page, or what the model asks. */
  answerOf(job: PageWriting, value: unknown) {
    const asked = questionIn(job, value);
    return asked ? { asked } : answerOf(job, value);
  },
};
export type ModelPageCalls = typeof calls;

export default serve(calls);
