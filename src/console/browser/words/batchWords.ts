import type { BatchResponse } from '../../../contract/responses.ts';
import type { BatchStatus, RowCounts, RowState } from '../../../contract/batches/batch.ts';
import type { DotKind } from './taskWords.ts';

/** The states of a batch's rows in words, each with the kind of its dot. */
export const rowWords: Record<RowState, [DotKind, string]> = {
  waiting: ['', 'Waiting'],
  written: ['busy', 'Written'],
  committed: ['warn', 'Ready'],
  published: ['good', 'Live'],
  held: ['warn', 'Held'],
  failed: ['bad', 'Failed'],
  skipped: ['', 'Skipped'],
};

/** The states of rows, in the order in which a row usually has them. */
export const rowStateWords = Object.keys(rowWords) as RowState[];

const statusWords: Record<Exclude<BatchStatus, 'completed'>, [DotKind, string]> = {
  running: ['busy', 'Running'],
  paused: ['warn', 'Paused'],
  waiting: ['warn', 'Waits for your approval'],
  failed: ['bad', 'Failed'],
  cancelled: ['', 'Cancelled'],
};

/** The state of a batch, in words. “Live” is only said of pages that are live. */
export function batchWords({
  status,
  rows,
}: Pick<BatchResponse, 'status' | 'rows'>): [DotKind, string] {
  if (status !== 'completed') return statusWords[status];
  if (rows.held + rows.committed > 0) return ['warn', 'Ready to review'];
  if (rows.published === 0) return rows.failed > 0 ? ['bad', 'Failed'] : ['', 'Nothing to do'];
  return rows.failed > 0 ? ['warn', 'Live, some failed'] : ['good', 'Live'];
}

const sumRows = (rows: RowCounts, states: readonly RowState[]) =>
  states.reduce((totalRowCount, state) => totalRowCount + rows[state], 0);

/** How many rows a batch has. */
export const totalRows = (rows: RowCounts) => sumRows(rows, rowStateWords);

/** How many rows are done: nothing more happens to them until a person acts. */
export const doneRows = (rows: RowCounts) =>
  sumRows(rows, ['committed', 'published', 'held', 'failed', 'skipped']);

/** How many rows are in each state, in words: "96 live, 3 failed". */
export const countWords = (rows: RowCounts) =>
  rowStateWords
    .filter((state) => rows[state] > 0)
    .map((state) => `${rows[state]} ${rowWords[state][1].toLowerCase()}`)
    .join(', ');
