import { answering } from '../../../threads/answer.ts';
import { unpack } from '../../../threads/sharedValues.ts';
import type { PageJob } from '../../agent.ts';
import { answerOf } from './answerOf.ts';
import { requestOf } from './requestOf.ts';

/** A page to request from a model. `answered`: the model's answer, which is then read instead. */
export type PageWork = Omit<PageJob, 'taskId' | 'checkLink'> & { answered?: { value: unknown } };

/** Reads texts of customers and models in a worker thread. */
export default answering((posted: PageWork) => {
  const work = unpack(posted);
  return work.answered ? answerOf(work, work.answered.value) : requestOf(work);
});
