import { answering } from '../../../threads/answer.ts';
import { unpack } from '../../../threads/sharedValues.ts';
import type { PageJob } from '../../agent.ts';
import { answerOf } from './answerOf.ts';
import { requestOf } from './requestOf.ts';

/** A page to ask a model for; with `answered`, what the model answered. */
export type PageWork = Omit<PageJob, 'taskId'> & { answered?: { value: unknown } };

/** Reads what customers and models wrote, in a worker thread. */
export default answering((posted: PageWork) => {
  const work = unpack(posted);
  return work.answered ? answerOf(work, work.answered.value) : requestOf(work);
});
