/**
 * A compact form of notes for workflow histories, in which many pages have the same note. Packed,
 * `/a: The price …` and `/b: The price …` are one note, to which both pages refer by its index.
 */

import { withoutUndefined } from '../withoutUndefined.ts';
import type { Note, WrittenPage } from '../task.ts';

/**
 * A note that several pages may share. `noteText` is its text without the page's slug. Without it,
 * `note` is complete and belongs to one page.
 */
type PackedNote =
  | { noteText: string; note: Omit<Note, 'page' | 'text'> }
  | { noteText?: undefined; note: Note };

/**
 * Packed notes: each distinct note once, and for each page the indexes of its notes, in their
 * order.
 */
export interface PackedNotes {
  pages: { page?: string; notes: number[] }[];
  notes: PackedNote[];
}

/** Packs notes. Consecutive notes of one page name the page once. */
export function packNotes(notes: readonly Note[]): PackedNotes {
  const { placeOf, all: allNotes } = createDistinctList();
  const pages: PackedNotes['pages'] = [];
  for (const note of notes) {
    const { page } = note;
    if (pages.length === 0 || pages.at(-1)!.page !== page)
      pages.push({ ...withoutUndefined({ page }), notes: [] });
    pages.at(-1)!.notes.push(placeOf(packNote(note, page)));
  }
  return { pages, notes: allNotes() };
}

/** Unpacks notes. */
export const unpackNotes = ({ pages, notes }: PackedNotes): Note[] =>
  pages.flatMap(({ page, notes: noteIndexes }) =>
    noteIndexes.map((noteIndex) => unpackNote(notes[noteIndex]!, page)),
  );

/** A written page as its activity returns it. Its notes name the page only once. */
export type PackedPage = Omit<WrittenPage, 'notes'> & { notes?: PackedNotes };

export const packPage = ({ notes, ...page }: WrittenPage): PackedPage => ({
  ...page,
  ...(notes && notes.length > 0 && { notes: packNotes(notes) }),
});

export const unpackPage = ({ notes, ...page }: PackedPage): WrittenPage => ({
  ...page,
  ...(notes && { notes: unpackNotes(notes) }),
});

/** A list of distinct notes. */
function createDistinctList() {
  const indexByNote = new Map<string, number>();
  return {
    placeOf: (note: PackedNote): number => {
      const noteJson = JSON.stringify(note);
      const index = indexByNote.get(noteJson) ?? indexByNote.size;
      indexByNote.set(noteJson, index);
      return index;
    },
    all: () => [...indexByNote.keys()].map((noteJson) => JSON.parse(noteJson) as PackedNote),
  };
}

const slugPrefix = (slug: string) => `${slug}: `;

function packNote(note: Note, slug: string | undefined): PackedNote {
  const { page, text, ...otherFields } = note;
  if (slug === undefined || page !== slug || !text.startsWith(slugPrefix(slug))) return { note };
  return { noteText: text.slice(slugPrefix(slug).length), note: otherFields };
}

function unpackNote({ noteText, note }: PackedNote, page: string | undefined): Note {
  if (noteText === undefined || page === undefined) return note as Note;
  return { page, text: slugPrefix(page) + noteText, ...note };
}
