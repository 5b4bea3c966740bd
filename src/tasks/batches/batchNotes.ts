import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { noteIdOf } from '../../contract/notes/noteIds.ts';
import type { NoteState } from '../../contract/notes/noteStates.ts';
import {
  compareNotes,
  matchingNoteIds,
  noteSameness,
  sharedNoteText,
} from '../../contract/notes/sameNotes.ts';
import { type NoteKind, noteValues } from '../../contract/task.ts';
import { invalidInputError } from '../../errors.ts';
import type { RequestCaller } from '../caller.ts';
import { type NoteStatesRequest, selectNotes, setNoteStates } from '../changeNoteStates.ts';
import { firstNoteState } from '../openNotes.ts';
import { taskCreator } from '../startTask.ts';
import { type FactSelection, refuseUnclearText } from '../removeTaskFacts.ts';
import { changeBatchFacts } from './batchVersions.ts';
import { type BatchView, readAllRows, readBatch, type ReadRowsPorts } from './read.ts';

/** Which notes of a batch get which state. The id of a note selects it on all pages. */
export interface BatchNotesRequest
  extends Omit<NoteStatesRequest, 'state'>, Pick<FactSelection, 'text' | 'value' | 'places'> {
  batchId: string;
  /** `dropped` removes the facts of the notes from all of their pages. */
  state: NoteState;
}

/** What became of the notes. */
export interface NoteDecision {
  view: BatchView;
  /** The number of notes with the new state, counted on each page. */
  count: number;
  /** The number of notes that stay open, because their facts can't be changed by themselves. */
  remaining: number;
  /** Sentences for people on what could not be changed. */
  sentences: string[];
}

/**
 * Decides on the notes on the pages of a batch: a person resolves notes that are done or accepted,
 * removes their facts, types a text in place of these, gives unused values a place, or opens notes
 * again.
 * @throws DomainError NOT_FOUND; INVALID_INPUT for a text or places with another state than `done`;
 *   as `changeBatchFacts`
 */
export async function decideBatchNotes(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  { batchId, ...selection }: BatchNotesRequest,
): Promise<NoteDecision> {
  const { state, page, notes: noteIds, text, value, places } = selection;
  refuseUnclearText(selection);
  if ((text !== undefined || places) && state !== 'done')
    throw invalidInputError(
      `${places ? 'places needs' : 'text needs'} the state done, because it corrects the pages`,
    );
  const view = await readBatch(caller, deps, batchId);
  const rows = await readAllRows(caller, deps, batchId);
  const allNotes = rows.flatMap(({ row: { notes = [] } }) => notes);
  const notes = selectNotes(
    allNotes,
    withoutUndefined({ page, notes: noteIds && matchingNoteIds(allNotes, noteIds) }),
  );
  if (state === 'dropped' || text !== undefined || places) {
    const { batch } = view;
    const change = { batch, rows, notes, ...withoutUndefined({ text, value, places }) };
    const { removed, gone, remaining, sentences } = await changeBatchFacts(caller, deps, change);
    const count = removed.length + gone.length;
    return { view, count, remaining: remaining.length, sentences };
  }
  const { organizationId } = caller;
  const by = taskCreator(caller);
  await setNoteStates(deps.noteStates, { organizationId, taskId: batchId, notes, state, by });
  return { view, count: notes.length, remaining: 0, sentences: [] };
}

/** A note of a batch, which may be on many of its pages. */
export interface SharedNote {
  /** The id of the note on one of the pages. It selects the note on all of them. */
  noteId: string;
  kind: NoteKind;
  /** What to check, without the page. */
  text: string;
  /** What it names, such as prices of the template. */
  values: string[];
  /** The page with the blocks for the pages that the note is about. */
  linkFrom?: string;
  /** The columns whose values a page does not use. */
  keys: string[];
  /** `open` if it is open on any page. */
  state: NoteState;
  /** Whether a version of the pages resolved it. Undoing this version opens it again. */
  changed: boolean;
  /** The number of pages that have it. */
  count: number;
  /** The number of pages on which it is open. */
  open: number;
  /** The first pages that have it, to look at. */
  pages: { slug: string; previewUrl: string | null; editUrl: string | null }[];
}

/** Pages that a note names. */
const MOST_PAGES = 3;

/**
 * Lists each different note of a batch once: what visitors see first, and open notes before those
 * that are resolved.
 * @throws DomainError NOT_FOUND
 */
export async function listBatchNotes(
  caller: RequestCaller,
  deps: ReadRowsPorts,
  batchId: string,
): Promise<SharedNote[]> {
  const rows = await readAllRows(caller, deps, batchId);
  const foundNotes = rows.flatMap(({ row, editUrl, states }) =>
    (row.notes ?? []).map((note, index) => ({
      note,
      state: states[index]?.state ?? firstNoteState(note).state,
      isEdit: states[index]?.isEdit ?? false,
      page: { slug: row.targetPageSlug, previewUrl: row.previewUrl, editUrl },
    })),
  );
  const groups = Map.groupBy(foundNotes, ({ note }) => noteSameness(note));
  return [...groups.values()]
    .map((group): SharedNote => {
      const openNotes = group.filter(({ state }) => state === 'open');
      const [firstNote] = openNotes.length > 0 ? openNotes : group;
      return {
        noteId: noteIdOf(firstNote!.note),
        kind: firstNote!.note.kind,
        text: sharedNoteText(group.map(({ note }) => note)),
        values: noteValues(firstNote!.note),
        ...withoutUndefined({ linkFrom: firstNote!.note.linkFrom }),
        keys: firstNote!.note.keys ?? [],
        state: firstNote!.state,
        changed: firstNote!.isEdit,
        count: group.length,
        open: openNotes.length,
        pages: (openNotes.length > 0 ? openNotes : group)
          .slice(0, MOST_PAGES)
          .map(({ page }) => page),
      };
    })
    .toSorted(compareNotes)
    .toSorted((note, otherNote) => Number(note.open === 0) - Number(otherNote.open === 0));
}
