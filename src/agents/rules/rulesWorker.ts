import type { PageItem } from '../../contract/task.ts';
import { answering } from '../../threads/answer.ts';
import { unpack } from '../../threads/shared.ts';
import type { Conversation, TemplatePage } from '../agent.ts';
import { writePage } from './page/writePage.ts';
import { nextTurn } from './prompt/step.ts';

export type RulesJob = { template: TemplatePage; item: PageItem } | { conversation: Conversation; list?: string };

/** Writes one page, or one turn, in a worker thread. */
export default answering((posted: RulesJob) => {
  const job = unpack(posted);
  return 'item' in job ? writePage(job.template, job.item) : nextTurn(job.conversation, job.list);
});
