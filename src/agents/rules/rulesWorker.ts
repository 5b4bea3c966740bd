import { serveFunctions } from '../../threads/answer.ts';
import type { PageWritingJob } from '../agent.ts';
import { removeNotedStatements } from './page/dropNoted.ts';
import { checkRulesPage } from './page/checkPage.ts';
import { listTemplateKeys } from './page/templateKeys.ts';
import { writeRulesPage } from './page/writePage.ts';
import { advanceStep, planPrompt } from './prompt/promptJobs.ts';

export type RulesWritingJob = Pick<PageWritingJob, 'template' | 'item'>;

/** The parts of the embedded rules that read customers' texts. */
const rulesCalls = {
  writePage: ({ template, item }: RulesWritingJob) => writeRulesPage(template, item),
  checkPage: ({ template, item }: RulesWritingJob) => checkRulesPage(template, item),
  templateKeys: listTemplateKeys,
  dropNoted: removeNotedStatements,
  planOf: planPrompt,
  advance: advanceStep,
};
export type RulesCalls = typeof rulesCalls;

export default serveFunctions(rulesCalls);
