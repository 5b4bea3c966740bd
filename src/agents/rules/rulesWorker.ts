import { serve } from '../../threads/answer.ts';
import type { PageJob } from '../agent.ts';
import { dropNoted } from './page/dropNoted.ts';
import { checkPage } from './page/checkPage.ts';
import { templateKeys } from './page/templateKeys.ts';
import { writePage } from './page/writePage.ts';
import { advance, planOf } from './prompt/promptJobs.ts';

export type WritingJob = Pick<PageJob, 'template' | 'item'>;

/** The parts of the embedded rules that read customers' texts. */
const calls = {
  writePage: ({ template, item }: WritingJob) => writePage(template, item),
  checkPage: ({ template, item }: WritingJob) => checkPage(template, item),
  templateKeys,
  dropNoted,
  planOf,
  advance,
};
export type RulesCalls = typeof calls;

export default serve(calls);
