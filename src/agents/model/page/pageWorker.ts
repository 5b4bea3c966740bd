import { answering } from '../../../threads/answer.ts';
import { unpack } from '../../../threads/sharedValues.ts';
import { answerOf } from './answerOf.ts';
import { type PageWriting, questionIn } from './pageQuestions.ts';
import { requestOf } from './requestOf.ts';

/** A page to request from a model. `answered`: the model's answer, which is then read instead. */
export type PageWork = PageWriting & { answered?: { value: unknown } };

/** Reads texts of customers and models in a worker thread. */
export default answering((posted: PageWork) => {
  const work = unpack(posted);
  if (!work.answered) return requestOf(work);
  const { value } = work.answered;
  const asked = questionIn(work, value);
  return asked ? { asked } : answerOf(work, value);
});
