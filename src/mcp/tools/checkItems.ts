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

/** Maximum number of entries of each list in one result. */
const MOST_ENTRIES = 50;

export const problemObject = openObject({
  code: textField('A code for programs.').required(),
  message: textField('What is wrong, and what the service expected.').required(),
});
const sharedTexts = (description: string) =>
  listField(
    openObject({ text: textField('It.').required(), ...sharedFields }),
    description,
  ).required();
const cursorOnly = Joi.object({ cursor: listCursor });

/** `check_items`: checks the items of `generate_pages` without starting a task. */
export const checkItemsTool: AssistantTool<object> = {
  name: 'check_items',
  title: 'Check new pages',
  description: `Reports what generate_pages would do with some items, without starting a task: problems, parts of the contexts that would not appear, and texts of the template that would be carried over. Returns ${MOST_ENTRIES} entries of each list. Pass the cursor with the same items to get the rest.`,
  hints: { ...readHints, openWorldHint: true },
  limit: 'check',
  // a malformed item is reported as a problem of that item
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
    agent: textField('What would write the pages: `rules`, or a language model.').required(),
    problems: listField(problemObject, 'The reasons why the whole task would fail.').required(),
    items: listField(
      openObject({
        targetPageSlug: nullableText(
          'The path of the new page. Null if it is not a valid slug.',
        ).required(),
        problems: listField(problemObject, 'The reasons why this page would fail.').required(),
      }),
      'The items, in the order of the request.',
    ).required(),
    unused: sharedTexts('The parts of the contexts that would not appear on the page.'),
    remarks: sharedTexts('The values of the contexts that are unusable or do not fit.'),
    stays: listField(
      openObject({
        slot: textField('The id of the slot, which can be a key of a context.').required(),
        label: textField('The kind of text, in words.').required(),
        text: textField('The text.').required(),
        ...sharedFields,
      }),
      'The texts of the template that would be carried over, headings first.',
    ).required(),
    notes: checkedNotes,
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, deps, jobOwner }, args) {
    const { cursor, ...request } = args as { cursor?: unknown };
    const { cursor: offset } = checkAs<{ cursor?: number }>(
      cursorOnly,
      withoutUndefined({ cursor }),
    );
    const requestBody = { ...request, command: 'generate_pages' };
    return presentItemCheck(await answerTaskCheck(caller, deps, requestBody, jobOwner), offset);
  },
};

/**
 * Presents a check without its repetitions: a text that ten pages would carry over is listed once.
 * @param offset the number of entries of each list that earlier results have shown
 */
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
      ? 'Call generate_pages with the same items. First add to the contexts what should replace the texts that would be carried over.'
      : 'Fix the problems, and call check_items again.',
  };
}

/** The findings on all items, each of them once, with the pages that it is about. */
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
