import { Joi } from '../joi.ts';
import type { Checked } from '../contract/answers.ts';
import { checkRequest } from '../api/routes/tasks.ts';
import { promptTaskBody } from '../api/routes/tasks.schema.ts';
import { problem } from './checkItems.ts';
import { checkedNotes, distinctNotes } from './distinctNotes.ts';
import { answerOf, fieldsOf, listOf, partOf, siteId, string, strings } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

/** The pages that a text would change. */
const changedPages = partOf({
  pagesCreated: strings('New pages.').required(),
  pagesModified: strings('Changed pages.').required(),
  pagesDeleted: strings('Deleted pages.').required(),
});

export const tryPrompt: Tool<object> = {
  name: 'try_prompt',
  title: 'Try instructions',
  description:
    'Says what change_site would do with a text, without starting anything: the pages that it would change, or why it would fail, with the nearest wordings. Of a language model it says only whether the task could start.',
  hints: { ...reads, openWorldHint: true },
  limit: 'check',
  input: Joi.object({ siteId, ...fieldsOf(promptTaskBody, 'prompt', 'baseTaskId', 'model') }),
  output: answerOf({
    ok: Joi.boolean().required().description('Whether there are no problems.'),
    agent: string('Who would read the text: `rules`, or a language model.').required(),
    problems: listOf(problem, 'Why it would fail.').required(),
    changes: changedPages,
    notes: checkedNotes,
  }),
  async run({ caller, parts, work }, args) {
    const given = { ...args, command: 'prompt' };
    return present(await checkRequest(caller, parts, given, work));
  },
};

const present = ({ ok, agent, problems, changes, notes = [] }: Checked) => ({
  ok,
  agent,
  problems,
  ...(changes && { changes }),
  notes: distinctNotes(notes),
  next: ok
    ? 'Call change_site with the same text.'
    : 'Try one of the wordings that the problem names.',
});
