/** Pages that one step wrote, as a history keeps them. Imports nothing but task.ts. */

import { defined } from './defined.ts';
import { type Note, notesOf, type WrittenPage } from './task.ts';

/** A note that may stand on several pages. `says`: its text without the page's slug; absent: `note` is one page's. */
type SharedNote = { says: string; note: Pick<Note, 'kind' | 'slot' | 'value'> } | { says?: undefined; note: Note };

type Kept = Omit<WrittenPage, 'notes' | 'warnings'> & {
  /** Places of its notes in the list of all notes. */
  notes: number[];
};

/**
 * The pages of several items, in their order; null: a step of its own writes that one. Pages of one template have most
 * notes in common, so each stands there once.
 */
export interface PagesTogether {
  pages: (Kept | null)[];
  notes: SharedNote[];
}

/** @param slugs of the pages, in their order */
export function together(slugs: string[], pages: (WrittenPage | null)[]): PagesTogether {
  const places = new Map<string, number>();
  const placeOf = (shared: SharedNote) => {
    const key = JSON.stringify(shared);
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  };
  const keep = ({ notes: _, warnings: __, ...page }: WrittenPage, notes: Note[], slug: string): Kept => ({
    ...page,
    notes: notes.map((note) => placeOf(shared(note, slug))),
  });
  const kept = pages.map((page, i) => page && keep(page, notesOf(page), slugs[i]!));
  return { pages: kept, notes: [...places.keys()].map((key) => JSON.parse(key) as SharedNote) };
}

/** The pages as their steps wrote them. */
export function apart(slugs: string[], { pages, notes }: PagesTogether): (WrittenPage | null)[] {
  return pages.map((page, i) => page && { ...page, notes: page.notes.map((place) => own(notes[place]!, slugs[i]!)) });
}

const beginningOf = (slug: string) => `${slug}: `;

function shared(note: Note, slug: string): SharedNote {
  const { page, kind, text, slot, value } = note;
  if (page !== slug || !text.startsWith(beginningOf(slug))) return { note };
  return { says: text.slice(beginningOf(slug).length), note: { kind, ...defined({ slot, value }) } };
}

function own({ says, note }: SharedNote, page: string): Note {
  if (says === undefined) return note;
  const { kind, slot, value } = note;
  return { page, kind, text: beginningOf(page) + says, ...defined({ slot, value }) };
}
