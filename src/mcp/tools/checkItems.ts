import { Joi } from '../../boundedJoi.ts';
import type { TaskCheckResponse } from '../../contract/responses.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { checkAs } from '../../api/middleware/validate.ts';
import { answerTaskCheck } from '../../api/routes/tasks/tasks.ts';
import { generatePagesTaskBody } from '../../api/routes/tasks/tasks.schema.ts';
import { checkedNotes, distinctNotes, shareFindings, sharedFields } from '../distinctNotes.ts';
import {
  toolAnswer,
  pickFields,
  listCursor,
  listField,
  nextCursorSchema,
  nullableText,
  openObject,
  sliceLists,
  siteId,
  textField,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

/** Entries of a list in one answer. */
const MOST_ENTRIES = 50;

export const problemObject = openObject({
  code: textField('For programs.').required(),
  message: textField('What is wrong, and what was expected.').required(),
});
const sharedTexts = (description: string) =>
  listField(
    openObject({ text: textField('It.').required(), ...sharedFields }),
    description,
  ).required();
const cursorOnly = Joi.object({ cursor: listCursor });

export const checkItemsTool: AssistantTool<object> = {
  name: 'check_items',
  title: 'Try new pages',
  description: `Says what generate_pages would make of some items, without starting anything: problems, parts of the contexts without a place, texts of the template that would stay. A wrong item is a problem of that item. Shows ${MOST_ENTRIES} entries of a list; a cursor, with the same items, shows the rest.`,
  hints: { ...readHints, openWorldHint: true },
  limit: 'check',
  // a malformed item is told as that item's problem
  validatesItself: true,
  input: Joi.object({
    siteId,
    ...pickFields(
      generatePagesTaskBody,
      'templatePageSlug',
      'items',
      'linkFrom',
      'baseTaskId',
      'model',
    ),
    cursor: listCursor,
  }),
  output: toolAnswer({
    ok: Joi.boolean().required().description('Whether there are no problems.'),
    agent: textField('Who would write the pages: `rules`, or a language model.').required(),
    problems: listField(problemObject, 'Why all of it would fail.').required(),
    items: listField(
      openObject({
        targetPageSlug: nullableText('The page. null: that is none.').required(),
        problems: listField(problemObject, 'Why this page would fail.').required(),
      }),
      'In the order of the items.',
    ).required(),
    unused: sharedTexts('Parts of the contexts without a place.'),
    remarks: sharedTexts('Values of the contexts that are junk or do not fit.'),
    stays: listField(
      openObject({
        slot: textField('Its id, which is a key of a context.').required(),
        label: textField('Its kind, for people.').required(),
        text: textField('The text.').required(),
        ...sharedFields,
      }),
      'Texts of the template that would stay, headings first.',
    ).required(),
    notes: checkedNotes,
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, parts, work }, args) {
    const { cursor, ...request } = args as { cursor?: unknown };
    const { cursor: offset } = checkAs<{ cursor?: number }>(
      cursorOnly,
      withoutUndefined({ cursor }),
    );
    const requestBody = { ...request, command: 'generate_pages' };
    return presentItemCheck(await answerTaskCheck(caller, parts, requestBody, work), offset);
  },
};

/** @param offset how many entries of each list were shown before */
function presentItemCheck(
  { ok, agent, problems, items }: TaskCheckResponse,
  offset: number | undefined,
) {
  const { parts: shownParts, nextCursor } = sliceLists(sharedLists(items), {
    offset,
    most: MOST_ENTRIES,
  });
  return {
    ok,
    agent,
    problems,
    items: items.map(({ targetPageSlug, problems: ownProblems }) => ({
      targetPageSlug,
      problems: ownProblems,
    })),
    ...shownParts,
    nextCursor,
    next: ok
      ? 'Call generate_pages with the same items. Add to the contexts what would stay and should not.'
      : 'Mend the problems and call check_items again.',
  };
}

/** What the check found of all items, each once. */
function sharedLists(items: TaskCheckResponse['items']) {
  const allItems = items.map(({ targetPageSlug, ...item }) => ({
    ...item,
    page: targetPageSlug ?? undefined,
  }));
  return {
    unused: shareFindings(
      allItems.flatMap(({ page, unused }) => unused.map((text) => ({ page, text }))),
      ({ page, text }) => ({ page, shown: { text } }),
    ),
    remarks: shareFindings(
      allItems.flatMap(({ page, remarks }) =>
        remarks.map(({ message }) => ({ page, text: message })),
      ),
      ({ page, text }) => ({ page, shown: { text } }),
    ),
    stays: shareFindings(
      allItems
        .flatMap(({ page, stays }) =>
          stays.map((carriedText, rank) => ({ page, staying: carriedText, rank })),
        )
        .toSorted((firstText, secondText) => firstText.rank - secondText.rank),
      ({ page, staying: { slot, label, text } }) => ({ page, shown: { slot, label, text } }),
    ),
    notes: distinctNotes(allItems.flatMap(({ notes }) => notes)),
  };
}
