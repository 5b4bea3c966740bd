import { defined } from '../contract/defined.ts';
import { type Note, type NoteKind, noteOn } from '../contract/task.ts';
import { namesOf } from '../contract/text.ts';
import { cut, quoted } from '../text/text.ts';
import type { SiteEdits } from './siteEdits.ts';

/** A text that already was as an edit requested. */
export interface AsAsked {
  slug: string;
  /** The text's name for people: `the headline`. */
  what: string;
  text: string;
  /** Whether the text repeats another text of the page. It is omitted if that one is listed. */
  isEcho?: boolean;
}

export interface Warnings {
  add(...notes: Note[]): void;
  /** Adds a note on a page. `value`: the value that the note is about. */
  note(page: string, kind: NoteKind, says: string, value?: string): void;
  /** Removes a note whose problem was fixed since. */
  drop(note: Note): void;
  /** Notes that a text already was as requested, as long as the page exists. */
  asAsked(found: AsAsked): void;
  /** Removes that note again if the text was changed after all. */
  noLongerAsAsked(found: AsAsked): void;
  /**
   * Notes that `from` links to the deleted page `to`, as long as `to` is missing and `from` exists.
   */
  brokenLinks(to: string, from: string, count: number): void;
  /** Deleted pages that other pages linked to at that time. */
  deleted(): string[];
  /** Updates the notes on a page that was moved to another slug. */
  moved(from: string, to: string): void;
  list(): Note[];
}

/** Most notes of a task: its view has a limited size. */
const MOST = 100;
const LONGEST = 500;
const LONGEST_TEXT = 90;

/** Collects notes for people to check after the task. */
export function createWarnings(site: Pick<SiteEdits, 'files'>): Warnings {
  const plain = new Map<string, Note>();
  const links = new Map<string, Map<string, number>>();
  let asked: AsAsked[] = [];
  const add = (...notes: Note[]) => {
    for (const note of notes) plain.set(note.text, note);
  };
  return {
    add,
    note: (page, kind, says, value) => add(noteOn(page, kind, says, defined({ value }))),
    drop: ({ text }) => void plain.delete(text),
    asAsked: (found) => {
      const reads = asked.filter(({ slug, text }) => slug === found.slug && text === found.text);
      if (!reads.some(({ what }) => found.isEcho || what === found.what)) asked.push(found);
    },
    noLongerAsAsked: (found) => {
      asked = asked.filter((known) => !isSame(known, found));
    },
    brokenLinks: (to, from, count) => {
      links.set(to, (links.get(to) ?? new Map<string, number>()).set(from, count));
    },
    deleted: () => [...links.keys()],
    moved: (from, to) => {
      const slugNow = (slug: string) => (slug === from ? to : slug);
      asked = asked.map((found) => ({ ...found, slug: slugNow(found.slug) }));
      for (const [gone, counts] of links)
        links.set(gone, new Map([...counts].map(([slug, count]) => [slugNow(slug), count])));
    },
    list: () => {
      const there = new Set(site.files().map(({ slug }) => slug));
      const broken = [...links].filter(([to]) => !there.has(to));
      return bounded([
        ...plain.values(),
        ...asAskedNotes(asked.filter(({ slug }) => there.has(slug))),
        ...broken.flatMap(([to, from]) =>
          brokenNotes(
            to,
            [...from].filter(([slug, count]) => count > 0 && there.has(slug)),
          ),
        ),
      ]);
    },
  };
}

const isSame = (a: AsAsked, b: AsAsked) =>
  a.slug === b.slug && a.what === b.what && a.text === b.text;

function bounded(notes: Note[]): Note[] {
  const rest = notes.length - MOST;
  const named = notes.slice(0, MOST).map(shortened);
  return rest > 0 ? [...named, { kind: 'more', text: `${rest} more of these` }] : named;
}

const shortened = ({ text, value, values, ...note }: Note): Note => ({
  ...note,
  ...(values && { values: values.map((one) => cut(one, LONGEST)) }),
  text: cut(text, LONGEST),
  ...(value !== undefined && { value: cut(value, LONGEST) }),
});

/**
 * `/pricing: the headline is already "Simple prices"`; the same text on several pages gets one
 * note.
 */
function asAskedNotes(found: AsAsked[]): Note[] {
  const groups = Map.groupBy(
    found,
    ({ what, text }) => `${what} is already ${quoted(text, LONGEST_TEXT)}`,
  );
  return [...groups].map(([says, same]) => {
    const [{ slug, text: value }, ...others] = same as [AsAsked, ...AsAsked[]];
    if (others.length === 0) return noteOn(slug, 'as-asked', says, { value });
    return { kind: 'as-asked', text: `${namesOf(same.map(({ slug }) => slug))}: ${says}`, value };
  });
}

/** One note for each deleted page that other pages still link to. */
function brokenNotes(to: string, from: [string, number][]): Note[] {
  if (from.length === 0) return [];
  const pages = from.map(([slug, count]) => (count === 1 ? slug : `${slug} (${count} links)`));
  const text = `${to} was deleted, but is still linked from ${namesOf(pages)}`;
  return [{ page: to, kind: 'link', text }];
}
