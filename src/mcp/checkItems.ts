import { Joi } from '../joi.ts';
import type { Checked } from '../contract/answers.ts';
import { defined } from '../contract/defined.ts';
import { checkAs } from '../api/middleware/validate.ts';
import { checkRequest } from '../api/routes/tasks.ts';
import { generatePagesTaskBody } from '../api/routes/tasks.schema.ts';
import { checkedNotes, distinctNotes, shareFindings, sharedFields } from './distinctNotes.ts';
import {
  answerOf,
  fieldsOf,
  listCursor,
  listOf,
  nextCursor,
  orNull,
  partOf,
  partsOf,
  siteId,
  string,
} from './schemas.ts';
import { reads, type Tool } from './tool.ts';

/** Entries of a list in one answer. */
const MOST = 50;

export const problem = partOf({
  code: string('For programs.').required(),
  message: string('What is wrong, and what was expected.').required(),
});
const sharedTexts = (description: string) =>
  listOf(partOf({ text: string('It.').required(), ...sharedFields }), description).required();
const cursorOnly = Joi.object({ cursor: listCursor });

export const checkItems: Tool<object> = {
  name: 'check_items',
  title: 'Try new pages',
  description: `Says what generate_pages would make of some items, without starting anything: problems, parts of the contexts without a place, texts of the template that would stay. A wrong item is a problem of that item. Shows ${MOST} entries of a list; a cursor, with the same items, shows the rest.`,
  hints: { ...reads, openWorldHint: true },
  limit: 'check',
  // a malformed item is told as that item's problem
  validatesItself: true,
  input: Joi.object({
    siteId,
    ...fieldsOf(
      generatePagesTaskBody,
      'templatePageSlug',
      'items',
      'linkFrom',
      'baseTaskId',
      'model',
    ),
    cursor: listCursor,
  }),
  output: answerOf({
    ok: Joi.boolean().required().description('Whether there are no problems.'),
    agent: string('Who would write the pages: `rules`, or a language model.').required(),
    problems: listOf(problem, 'Why all of it would fail.').required(),
    items: listOf(
      partOf({
        targetPageSlug: orNull('The page. null: that is none.').required(),
        problems: listOf(problem, 'Why this page would fail.').required(),
      }),
      'In the order of the items.',
    ).required(),
    unused: sharedTexts('Parts of the contexts without a place.'),
    remarks: sharedTexts('Values of the contexts that are junk or do not fit.'),
    stays: listOf(
      partOf({
        slot: string('Its id, which is a key of a context.').required(),
        label: string('Its kind, for people.').required(),
        text: string('The text.').required(),
        ...sharedFields,
      }),
      'Texts of the template that would stay, headings first.',
    ).required(),
    notes: checkedNotes,
    nextCursor,
  }),
  async run({ caller, parts, work }, args) {
    const { cursor, ...request } = args as { cursor?: unknown };
    const { cursor: offset } = checkAs<{ cursor?: number }>(cursorOnly, defined({ cursor }));
    const given = { ...request, command: 'generate_pages' };
    return present(await checkRequest(caller, parts, given, work), offset);
  },
};

/** @param offset how many entries of each list were shown before */
function present({ ok, agent, problems, items }: Checked, offset: number | undefined) {
  const { parts, nextCursor } = partsOf(listsOf(items), { offset, most: MOST });
  return {
    ok,
    agent,
    problems,
    items: items.map(({ targetPageSlug, problems: own }) => ({ targetPageSlug, problems: own })),
    ...parts,
    nextCursor,
    next: ok
      ? 'Call generate_pages with the same items. Add to the contexts what would stay and should not.'
      : 'Mend the problems and call check_items again.',
  };
}

/** What the check found of all items, each once. */
function listsOf(items: Checked['items']) {
  const all = items.map(({ targetPageSlug, ...item }) => ({
    ...item,
    page: targetPageSlug ?? undefined,
  }));
  return {
    unused: shareFindings(
      all.flatMap(({ page, unused }) => unused.map((text) => ({ page, text }))),
      ({ page, text }) => ({ page, shown: { text } }),
    ),
    remarks: shareFindings(
      all.flatMap(({ page, remarks }) => remarks.map(({ message }) => ({ page, text: message }))),
      ({ page, text }) => ({ page, shown: { text } }),
    ),
    stays: shareFindings(
      all
        .flatMap(({ page, stays }) => stays.map((staying, rank) => ({ page, staying, rank })))
        .toSorted((one, other) => one.rank - other.rank),
      ({ page, staying: { slot, label, text } }) => ({ page, shown: { slot, label, text } }),
    ),
    notes: distinctNotes(all.flatMap(({ notes }) => notes)),
  };
}
