import type { PageItem } from '../../contract/task.ts';
import { answering } from '../../threads/answer.ts';
import type { Conversation, TemplatePage } from '../agent.ts';
import { checkPage } from './page/stays.ts';
import { writePage } from './page/writePage.ts';
import { nextTurn } from './prompt/step.ts';

export type RulesJob =
  { template: TemplatePage; item: PageItem; isCheck?: true } | { conversation: Conversation; list?: string };

/** Writes or checks one page, or writes one turn, in a worker thread. */
export default answering((job: RulesJob) => {
  if (!('item' in job)) return nextTurn(job.conversation, job.list);
  return job.isCheck ? checkPage(job.template, job.item) : writePage(job.template, job.item);
});
