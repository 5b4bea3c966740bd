import type { PageItem } from '../../contract/task.ts';
import { answering } from '../../threads/answer.ts';
import { unpack } from '../../threads/sharedValues.ts';
import type { Slot } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import type { DropJob } from '../port.ts';
import { dropNoted } from './page/dropNoted.ts';
import { checkPage } from './page/checkPage.ts';
import { templateKeys } from './page/templateKeys.ts';
import { writePage } from './page/writePage.ts';
import type { Planned } from './prompt/planSteps.ts';
import { advance, planOf, type PlanRequest } from './prompt/promptJobs.ts';

export type RulesJob =
  | { template: TemplatePage; item: PageItem; isCheck?: true }
  | DropJob
  | { slots: readonly Slot[] }
  | { request: PlanRequest }
  | { step: Planned; answers: unknown[]; instructions: number };

/**
 * Runs in a worker thread. Depending on the job: writes or checks a page, lists a template's keys,
 * finds the blocks to remove from one, reads a prompt, or continues a step.
 */
export default answering((posted: RulesJob) => {
  const job = unpack(posted);
  if ('request' in job) return planOf(job.request);
  if ('step' in job) return advance(job.step, job.answers, job.instructions);
  if ('slots' in job) return templateKeys(job.slots);
  if ('notes' in job) return dropNoted(job);
  return job.isCheck ? checkPage(job.template, job.item) : writePage(job.template, job.item);
});
