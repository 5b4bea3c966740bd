/** A compact form of notes for workflow histories. */

import { defined } from './defined.ts';
import type { Note, WrittenPage } from './task.ts';

/**
 * A note that several pages may share. `says`: its text without the page's slug. Without `says`,
 * `note` belongs to one page.
 */
type SharedNote =
  | { says: string; note: Omit<Note, 'page' | 'text'> }
  | { says?: undefined; note: Note };

/**
 * Packed notes: each distinct note once, and for each page the indexes of its notes. The order
 * stays.
 */
export interface NotesTogether {
  pages: { page?: string; notes: number[] }[];
  notes: SharedNote[];
}

/** Packs notes. Consecutive notes of one page name the page once. */
export function notesTogether(notes: readonly Note[]): NotesTogether {
  const { placeOf, all } = createList();
  const pages: NotesTogether['pages'] = [];
  for (const note of notes) {
    const { page } = note;
    if (pages.length === 0 || pages.at(-1)!.page !== page)
      pages.push({ ...defined({ page }), notes: [] });
    pages.at(-1)!.notes.push(placeOf(shared(note, page)));
  }
  return { pages, notes: all() };
}

/** Unpacks notes. */
export const notesApart = ({ pages, notes }: NotesTogether): Note[] =>
  pages.flatMap(({ page, notes: places }) => places.map((place) => own(notes[place]!, page)));

/** A written page as its activity returns it. Its notes name the page only once. */
export type PackedPage = Omit<WrittenPage, 'notes'> & { notes?: NotesTogether };

export const packPage = ({ notes, ...page }: WrittenPage): PackedPage => ({
  ...page,
  ...(notes && notes.length > 0 && { notes: notesTogether(notes) }),
});

export const unpackPage = ({ notes, ...page }: PackedPage): WrittenPage => ({
  ...page,
  ...(notes && { notes: notesApart(notes) }),
});

/** A list of distinct notes. */
function createList() {
  const places = new Map<string, number>();
  return {
    placeOf: (note: SharedNote): number => {
      const key = JSON.stringify(note);
      const place = places.get(key) ?? places.size;
      places.set(key, place);
      return place;
    },
    all: () => [...places.keys()].map((key) => JSON.parse(key) as SharedNote),
  };
}

const beginningOf = (slug: string) => `${slug}: `;

function shared(note: Note, slug: string | undefined): SharedNote {
  const { page, text, ...others } = note;
  if (slug === undefined || page !== slug || !text.startsWith(beginningOf(slug))) return { note };
  return { says: text.slice(beginningOf(slug).length), note: others };
}

function own({ says, note }: SharedNote, page: string | undefined): Note {
  if (says === undefined || page === undefined) return note as Note;
  return { page, text: beginningOf(page) + says, ...note };
}
