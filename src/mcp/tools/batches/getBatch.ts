import { setTimeout as wait } from 'node:timers/promises';
import { Joi } from '../../../boundedJoi.ts';
import { rowStates } from '../../../contract/batches/batch.ts';
import type { BatchRowResponse } from '../../../contract/responses.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { presentRow } from '../../../api/routes/batches/batches.present.ts';
import { type BatchView, readAllRows, readBatch } from '../../../tasks/batches/read.ts';
import { distinctTaskNotes, taskNotes } from '../../distinctNotes.ts';
import {
  countField,
  listCursor,
  listField,
  nextCursorSchema,
  nullableText,
  openObject,
  sliceLists,
  textField,
  toolAnswer,
  waitSeconds,
} from '../../schemas.ts';
import { type AssistantCall, readHints, type AssistantTool } from '../../tool.ts';
import { batchId, requireBatchId } from './batchFields.ts';

interface GetBatchArgs {
  batchId: string;
  wait: number;
  cursor?: number;
}

/** Maximum entries of each list in one result. */
const MOST_ENTRIES = 50;
/** Milliseconds between two looks at a batch that runs. */
const POLL_MS = 2_000;
/** Milliseconds of a call that remain for reading the rows after the wait. */
const READING_MS = 5_000;
/** A row is odd if it has less than this share of the text that half of the rows have. */
const ODD_SHARE = 0.6;

/** `get_batch`: waits for a batch, and reads its counts, its notes and the rows that stand out. */
export const getBatchTool: AssistantTool<GetBatchArgs> = {
  name: 'get_batch',
  title: 'Read a batch',
  description: `Returns a batch: how many rows are in which state, each different note once with the pages that have it, and the rows that need a person: those that failed, those that are held, and odd ones. Waits up to 45 seconds while the batch runs. Returns ${MOST_ENTRIES} entries of each list. Pass the cursor to get the rest.`,
  hints: readHints,
  input: Joi.object({
    batchId,
    wait: waitSeconds('while the batch runs'),
    cursor: listCursor,
  }),
  output: toolAnswer({
    batchId: textField('The batch.').required(),
    status: textField(
      '`running`, `paused`, `waiting`, `completed`, `failed` or `cancelled`.',
    ).required(),
    title: textField('The title.').required(),
    siteId: textField('The site.').required(),
    publish: Joi.boolean().required().description('Whether the pages go live.'),
    counts: openObject(
      Object.fromEntries(rowStates.map((state) => [state, Joi.number().integer().required()])),
    )
      .required()
      .description('The number of rows in each state.'),
    previewUrl: nullableText('The preview of all pages.').required(),
    consoleUrl: textField('The batch in the console, for a person.').required(),
    errorMessage: textField('Why the batch failed.'),
    notes: taskNotes,
    rowsToCheck: listField(
      openObject({
        number: countField('The number of the row, for approve_rows and retry_rows.'),
        targetPageSlug: textField('The path of its page.').required(),
        why: textField(
          '`failed`; `held`: it waits for an approval; `odd`: it has far less text of its own than most.',
        ).required(),
        error: textField('Why it failed.'),
        previewUrl: nullableText('The preview of the page.').required(),
        editUrl: nullableText('Opens the page in the editor for a person.').required(),
      }),
      'The rows that need a person.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run(call, { batchId: id, wait: seconds, cursor }) {
    const view = await waitWhileRunning(
      call,
      requireBatchId(call, id),
      Math.min(seconds * 1_000, call.longestMs - READING_MS),
    );
    const { batch, counts, previewUrl } = view;
    const { status, title, siteId, publish, errorMessage } = batch;
    const rows = (await readAllRows(call.caller, call.deps, id)).map(presentRow);
    const lists = {
      notes: distinctTaskNotes(rows.flatMap(({ notes = [] }) => notes)),
      rowsToCheck: [
        ...rows.flatMap((row) =>
          row.state === 'failed' || row.state === 'held' ? [presentRowToCheck(row, row.state)] : [],
        ),
        ...findOddRows(rows).map((row) => presentRowToCheck(row, 'odd')),
      ],
    };
    const { parts, nextCursor } = sliceLists(lists, { offset: cursor, most: MOST_ENTRIES });
    return {
      batchId: id,
      status,
      title,
      siteId,
      publish,
      counts,
      previewUrl,
      consoleUrl: new URL(`/batches/${id}`, call.deps.publicUrl()).href,
      ...withoutUndefined({ errorMessage }),
      ...parts,
      nextCursor,
      next: nextAdvice(view),
    };
  },
};

async function waitWhileRunning(
  { caller, deps, jobOwner: { signal } }: AssistantCall,
  id: string,
  ms: number,
): Promise<BatchView> {
  const deadline = performance.now() + ms;
  for (;;) {
    const view = await readBatch(caller, deps, id);
    const remainingMs = deadline - performance.now();
    if (view.batch.status !== 'running' || remainingMs <= 0) return view;
    await wait(Math.min(POLL_MS, remainingMs), undefined, { signal });
  }
}

/** The rows with the least text of their own, if that is far less than most rows have. */
function findOddRows(rows: BatchRowResponse[]): BatchRowResponse[] {
  const byShare = rows
    .filter(({ ownShare, state }) => ownShare !== undefined && state !== 'held')
    .toSorted((one, other) => one.ownShare! - other.ownShare!);
  const usualShare = byShare[Math.floor(byShare.length / 2)]?.ownShare ?? 0;
  return byShare.filter(({ ownShare }) => ownShare! < usualShare * ODD_SHARE);
}

const presentRowToCheck = (
  { number, targetPageSlug, error, previewUrl, editUrl }: BatchRowResponse,
  why: 'failed' | 'held' | 'odd',
) => ({ number, targetPageSlug, why, ...withoutUndefined({ error }), previewUrl, editUrl });

/** What the assistant should do next, in our own words only. */
function nextAdvice({ batch: { status, batchId: id, publish }, counts }: BatchView): string {
  if (status === 'running') return `Call get_batch again with batchId ${id}.`;
  if (status === 'paused') return 'A person can resume the batch in the console.';
  if (status === 'waiting')
    return 'Show the first pages to the person. Once they agree, call approve_rows to create the others.';
  const advice = [
    counts.failed > 0 && 'Call retry_rows to write the failed rows again.',
    counts.held > 0 && 'Show the held pages to the person, and call approve_rows once they agree.',
    !publish && counts.committed > 0 && 'Call publish_batch to make the pages live.',
  ].filter((sentence) => sentence !== false);
  return advice.length > 0 ? advice.join(' ') : 'There is nothing left to do.';
}
