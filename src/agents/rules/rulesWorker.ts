import { serveFunctions } from '../../threads/threadAnswer.ts';
import type { PageWritingJob } from '../shared/agentTypes.ts';
import { removeNotedStatements } from './page/removeNotedStatements.ts';
import { placeContextValues } from './page/placeContextValues.ts';
import { replaceNotedValues } from './page/replaceNotedValues.ts';
import { checkRulesPage } from './page/checkRulesPage.ts';
import { listTemplateKeys } from './page/listTemplateKeys.ts';
import { writeRulesPage } from './page/writeRulesPage.ts';
import { advanceStep, planPrompt } from './prompt/planPrompt.ts';

export type RulesWritingJob = Pick<PageWritingJob, 'template' | 'item'>;

/** The functions of the rules that read customers' texts. They run in worker threads, by name. */
const rulesCalls = {
  writePage: ({ template, item }: RulesWritingJob) => writeRulesPage(template, item),
  checkPage: ({ template, item }: RulesWritingJob) => checkRulesPage(template, item),
  templateKeys: listTemplateKeys,
  findNotedParts: removeNotedStatements,
  replaceNotedValues,
  placeContextValues,
  planOf: planPrompt,
  advance: advanceStep,
};
export type RulesCalls = typeof rulesCalls;

export default serveFunctions(rulesCalls);
