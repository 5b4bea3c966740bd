/**
 * The outcome of a task (how it ended), as its workflow stores it: as the workflow's result
 * (`packOutcome`), and in the workflow's memo as far as it fits (`outcomeMemo`).
 */

import type { TaskOutcome, TaskEvent, TaskOutput } from './task.ts';
import { unpackNotes, packNotes, type PackedNotes } from './notes/packNotes.ts';

/** The final status of a task with its events. It never changes. */
export type OutcomeWithEvents = TaskOutcome & { events: TaskEvent[] };

/**
 * What a workflow returns, or fails with. The notes are stored apart from the output, each of them
 * once.
 */
export type ReturnedOutcome = OutcomeWithEvents & { notes?: PackedNotes };

/** Packs an outcome into what the workflow returns. */
export function packOutcome(outcome: OutcomeWithEvents): ReturnedOutcome {
  if (outcome.status === 'failed' || !outcome.output.notes) return outcome;
  const { notes, ...output } = outcome.output;
  return { ...outcome, output, notes: packNotes(notes) };
}

/** Unpacks what a workflow returned. */
export function unpackOutcome({ notes, ...packedOutcome }: ReturnedOutcome): OutcomeWithEvents {
  if (packedOutcome.status === 'failed' || !notes) return packedOutcome;
  return { ...packedOutcome, output: { ...packedOutcome.output, notes: unpackNotes(notes) } };
}

/**
 * The part of an outcome that fits into the memo if the whole is too large. The workflow's result
 * has the rest.
 */
export type PartialOutcome = { isPart: true; slugs?: ChangedSlugs } & (
  | Omit<CompletedOutcome, 'output'>
  | Omit<Extract<TaskOutcome, { status: 'failed' }>, 'errorMessage'>
);
type CompletedOutcome = Extract<TaskOutcome, { status: 'completed' }>;
interface ChangedSlugs {
  created: string[];
  modified: string[];
  deleted: string[];
}

export const isPartialOutcome = (
  outcome: TaskOutcome | PartialOutcome,
): outcome is PartialOutcome => 'isPart' in outcome;

/** Temporal Cloud terminates a workflow whose memo exceeds 40 KB. */
const MEMO_BYTES = 24 * 1024;
/**
 * Space for what is added to the memo later: four attempts of the callback with messages of 300
 * characters, and Temporal's overhead.
 */
const LATER_BYTES = 3 * 1024;

/**
 * Memo fields for the outcome of a task: all of it, or as much as fits.
 * @param existingFields the fields that the memo has already
 */
export function outcomeMemo(
  { events, ...finished }: OutcomeWithEvents,
  existingFields: Record<string, unknown> = {},
): { finished: TaskOutcome | PartialOutcome; events?: TaskEvent[] } {
  const availableBytes = MEMO_BYTES - LATER_BYTES - jsonBytes(existingFields);
  const partial = partialOutcome(finished);
  const candidates = [
    { finished, events },
    { finished: { ...partial, ...changedSlugsField(finished) } },
  ];
  return candidates.find((memo) => jsonBytes(memo) <= availableBytes) ?? { finished: partial };
}

const jsonBytes = (value: object) => new TextEncoder().encode(JSON.stringify(value)).length;

function partialOutcome(finished: TaskOutcome): PartialOutcome {
  if (finished.status === 'failed')
    return { isPart: true, status: 'failed', finishedAt: finished.finishedAt };
  return { isPart: true, ...withoutOutput(finished) };
}

const withoutOutput = ({ output: _, ...fieldsWithoutOutput }: CompletedOutcome) =>
  fieldsWithoutOutput;

const changedSlugsField = (finished: TaskOutcome) =>
  finished.status === 'completed' && { slugs: changedSlugs(finished.output) };

function changedSlugs({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput): ChangedSlugs {
  const [createdSlugs = [], modifiedSlugs = [], deletedSlugs = []] = [
    pagesCreated,
    pagesModified,
    pagesDeleted,
  ].map((pages) => pages.map(({ slug }) => slug));
  return { created: createdSlugs, modified: modifiedSlugs, deleted: deletedSlugs };
}
