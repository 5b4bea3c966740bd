import { Joi } from '../../../boundedJoi.ts';
import { checkBatch } from '../../../tasks/batches/check.ts';
import {
  countField,
  listCursor,
  listField,
  nextCursorSchema,
  openObject,
  sliceLists,
  textField,
  toolAnswer,
} from '../../schemas.ts';
import { readHints, type AssistantTool } from '../../tool.ts';
import { problemObject } from '../checkItems.ts';
import { readTableArgs, type TableArgs, tableFields } from './batchFields.ts';

const MOST_ENTRIES = 50;

/** `check_batch`: checks a table without starting a batch. */
export const checkBatchTool: AssistantTool<TableArgs & { cursor?: number }> = {
  name: 'check_batch',
  title: 'Check a table',
  description: `Reports what make_batch would do with a table, without starting anything: the rows that would fail and why, and what a language model would use. Returns ${MOST_ENTRIES} rows. Pass the cursor with the same table to get the rest.`,
  hints: { ...readHints, openWorldHint: true },
  limit: 'check',
  input: Joi.object({ ...tableFields, cursor: listCursor }),
  output: toolAnswer({
    ok: Joi.boolean().required().description('Whether there are no problems.'),
    agent: textField('What would write the pages: `rules`, or a language model.').required(),
    make: countField('The number of rows that would become pages.'),
    fail: countField('The number of rows that would fail.'),
    problems: listField(problemObject, 'The reasons why the whole batch would fail.').required(),
    rows: listField(
      openObject({
        number: countField('The number of the row.'),
        targetPageSlug: textField('The path of its page.').required(),
        problems: listField(problemObject, 'The reasons why the row would fail.').required(),
      }),
      'The rows that would fail.',
    ).required(),
    estimate: openObject({
      inputTokens: countField('Tokens that a language model would read.'),
      outputTokens: countField('Tokens that it would write.'),
    }),
    nextCursor: nextCursorSchema,
  }),
  async run(call, { cursor, ...table }) {
    const { caller, deps, jobOwner } = call;
    const { rows, ...check } = await checkBatch(
      caller,
      deps,
      await readTableArgs(call, table),
      jobOwner,
    );
    const { parts, nextCursor } = sliceLists({ rows }, { offset: cursor, most: MOST_ENTRIES });
    return {
      ...check,
      ...parts,
      nextCursor,
      next: check.ok
        ? 'Call make_batch with the same table.'
        : 'Correct the rows that would fail, or call make_batch to create the pages of the others.',
    };
  },
};
