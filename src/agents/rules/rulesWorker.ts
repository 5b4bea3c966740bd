import type { PageItem } from '../../contract/task.ts';
import { answering } from '../../threads/answer.ts';
import { unpack } from '../../threads/shared.ts';
import type { TemplatePage } from '../agent.ts';
import { checkPage } from './page/stays.ts';
import { writePage } from './page/writePage.ts';
import type { Planned } from './prompt/plan.ts';
import { advance, type Asked, planOf } from './prompt/step.ts';

export type RulesJob =
  | { template: TemplatePage; item: PageItem; isCheck?: true }
  | { asked: Asked }
  | { step: Planned; answers: unknown[]; instructions: number };

/** In a worker thread: writes or checks one page, reads a prompt, or works on one of its steps. */
export default answering((posted: RulesJob) => {
  const job = unpack(posted);
  if ('asked' in job) return planOf(job.asked);
  if ('step' in job) return advance(job.step, job.answers, job.instructions);
  return job.isCheck ? checkPage(job.template, job.item) : writePage(job.template, job.item);
});
