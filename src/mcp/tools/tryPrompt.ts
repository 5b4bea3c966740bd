import { Joi } from '../../boundedJoi.ts';
import type { TaskCheckResponse } from '../../contract/responses.ts';
import { answerTaskCheck } from '../../api/routes/tasks/tasks.ts';
import { promptTaskBody } from '../../api/routes/tasks/tasks.schema.ts';
import { problemObject } from './checkItems.ts';
import { checkedNotes, distinctNotes } from '../distinctNotes.ts';
import {
  toolAnswer,
  pickFields,
  listField,
  openObject,
  siteId,
  textField,
  textList,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

/** The pages that a text would change. */
const changedPages = openObject({
  pagesCreated: textList('The pages that the task would create.').required(),
  pagesModified: textList('The pages that the task would change.').required(),
  pagesDeleted: textList('The pages that the task would delete.').required(),
});

/** `try_prompt`: checks the text of `change_site` without starting a task. */
export const tryPromptTool: AssistantTool<object> = {
  name: 'try_prompt',
  title: 'Try instructions',
  description:
    'Reports what change_site would do with a text, without starting a task: the pages that it would change, or why it would fail, with the nearest wordings. If a language model would do the work, it reports only whether the task could start.',
  hints: { ...readHints, openWorldHint: true },
  limit: 'check',
  input: Joi.object({ siteId, ...pickFields(promptTaskBody, 'prompt', 'baseTaskId', 'model') }),
  output: toolAnswer({
    ok: Joi.boolean().required().description('Whether there are no problems.'),
    agent: textField('What would read the text: `rules`, or a language model.').required(),
    problems: listField(problemObject, 'The reasons why the task would fail.').required(),
    changes: changedPages,
    notes: checkedNotes,
  }),
  async run({ caller, deps, jobOwner }, args) {
    const requestBody = { ...args, command: 'prompt' };
    return presentPromptCheck(await answerTaskCheck(caller, deps, requestBody, jobOwner));
  },
};

const presentPromptCheck = ({ ok, agent, problems, changes, notes = [] }: TaskCheckResponse) => ({
  ok,
  agent,
  problems,
  ...(changes && { changes }),
  notes: distinctNotes(notes),
  next: ok
    ? 'Call change_site with the same text.'
    : 'Use one of the wordings that the problem names.',
});
