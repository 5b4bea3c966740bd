import { Joi } from '../joi.ts';
import type { Checked, CheckedItem } from '../contract/answers.ts';
import { checkRequest } from '../api/routes/tasks.ts';
import { generatePagesTaskBody } from '../api/routes/tasks.schema.ts';
import { answerOf, fieldsOf, listOf, orNull, partOf, string, strings } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

/** Most texts of a kind for one item. */
const MOST = 20;

const problem = partOf({
  code: string('For programs.').required(),
  message: string('What is wrong, and what was expected.').required(),
});
export const checkItems: Tool<object> = {
  name: 'check_items',
  title: 'Try new pages',
  description:
    'Says what generate_pages would make of some items, without starting anything: problems, parts of the contexts without a place, texts of the template that would stay. A wrong item is a problem of that item.',
  hints: { ...reads, openWorldHint: true },
  limit: 'check',
  // a malformed item is told as that item's problem
  validatesItself: true,
  input: Joi.object(
    fieldsOf(
      generatePagesTaskBody,
      'siteId',
      'templatePageSlug',
      'items',
      'linkFrom',
      'baseTaskId',
      'model',
    ),
  ),
  output: answerOf({
    ok: Joi.boolean().required().description('Whether there are no problems.'),
    agent: string('Who would write the pages: `rules`, or a language model.').required(),
    problems: listOf(problem, 'Why all of it would fail.').required(),
    items: listOf(
      partOf({
        targetPageSlug: orNull('The page. null: that is none.').required(),
        problems: listOf(problem, 'Why this page would fail.').required(),
        unused: strings('Parts of the context without a place.').required(),
        remarks: strings('Values of the context that are junk or do not fit.').required(),
        stays: strings("Texts of the template that would stay: 'id label: text'.").required(),
        notes: strings('What to look at.').required(),
      }),
      `In the order of the items. At most ${MOST} texts of a kind.`,
    ).required(),
  }),
  async run({ caller, parts, work }, args) {
    const given = { ...args, command: 'generate_pages' };
    return present(await checkRequest(caller, parts, given, work));
  },
};

const present = ({ ok, agent, problems, items }: Checked) => ({
  ok,
  agent,
  problems,
  items: items.map(presentItem),
  next: ok
    ? 'Call generate_pages with the same items. Add to the contexts what would stay and should not.'
    : 'Mend the problems and call check_items again.',
});

const presentItem = ({ targetPageSlug, problems, unused, stays, ...item }: CheckedItem) => ({
  targetPageSlug,
  problems,
  unused: unused.slice(0, MOST),
  remarks: item.remarks.slice(0, MOST).map(({ message }) => message),
  stays: stays.slice(0, MOST).map(({ slot, label, text }) => `${slot} ${label}: ${text}`),
  notes: item.notes.slice(0, MOST).map(({ text }) => text),
});
