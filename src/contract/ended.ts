/** The end of a task, as its workflow stores it. */

import type { FinishedView, TaskEvent, TaskOutput } from './task.ts';
import { notesApart, notesTogether, type NotesTogether } from './packedNotes.ts';

/** The final status of a task with its events. It never changes. */
export type Ended = FinishedView & { events: TaskEvent[] };

/**
 * What a workflow returns, or fails with. The notes are stored apart from the output, each of them
 * once.
 */
export type ReturnedEnd = Ended & { notes?: NotesTogether };

export function returned(ended: Ended): ReturnedEnd {
  if (ended.status === 'failed' || !ended.output.notes) return ended;
  const { notes, ...output } = ended.output;
  return { ...ended, output, notes: notesTogether(notes) };
}

/** Unpacks what a workflow returned. */
export function endOf({ notes, ...ended }: ReturnedEnd): Ended {
  if (ended.status === 'failed' || !notes) return ended;
  return { ...ended, output: { ...ended.output, notes: notesApart(notes) } };
}

/**
 * The part of an end that fits into the memo if the whole is too large. The workflow's result has
 * the rest.
 */
export type PartOfEnd = { isPart: true; slugs?: Slugs } & (
  | Omit<Completed, 'output'>
  | Omit<Extract<FinishedView, { status: 'failed' }>, 'errorMessage'>
);
type Completed = Extract<FinishedView, { status: 'completed' }>;
interface Slugs {
  created: string[];
  modified: string[];
  deleted: string[];
}

export const isPart = (end: FinishedView | PartOfEnd): end is PartOfEnd => 'isPart' in end;

/** Temporal Cloud terminates a workflow whose memo exceeds 40 KB. */
const MEMO_BYTES = 24 * 1024;
/**
 * Space for what is added to the memo later: four attempts of the callback with messages of 300
 * characters, and Temporal's overhead.
 */
const LATER_BYTES = 3 * 1024;

/**
 * Memo fields for a task's end: all of it, or as much as fits.
 * @param there the fields that the memo has already
 */
export function memoOf(
  { events, ...finished }: Ended,
  there: Record<string, unknown> = {},
): { finished: FinishedView | PartOfEnd; events?: TaskEvent[] } {
  const left = MEMO_BYTES - LATER_BYTES - bytesOf(there);
  const part = partOf(finished);
  const shorter = [{ finished, events }, { finished: { ...part, ...slugsIn(finished) } }];
  return shorter.find((memo) => bytesOf(memo) <= left) ?? { finished: part };
}

const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value)).length;

function partOf(finished: FinishedView): PartOfEnd {
  if (finished.status === 'failed')
    return { isPart: true, status: 'failed', finishedAt: finished.finishedAt };
  return { isPart: true, ...withoutOutput(finished) };
}

const withoutOutput = ({ output: _, ...rest }: Completed) => rest;

const slugsIn = (finished: FinishedView) =>
  finished.status === 'completed' && { slugs: slugsOf(finished.output) };

function slugsOf({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput): Slugs {
  const [created = [], modified = [], deleted = []] = [
    pagesCreated,
    pagesModified,
    pagesDeleted,
  ].map((pages) => pages.map(({ slug }) => slug));
  return { created, modified, deleted };
}
