import { defined } from '../contract/defined.ts';
import { mergeNotes } from '../contract/mergedNotes.ts';
import type { PageFile } from '../contract/site.ts';
import { type Note, noteOn } from '../contract/task.ts';
import { nullIfFinal } from '../errors.ts';
import { namesOf } from '../contract/text.ts';
import { cut, quoted } from '../text/text.ts';
import type { SiteEdits } from './siteEdits.ts';
import { linksTo } from './tools/arguments.ts';

/** A text that already was as an edit requested. */
export interface UnchangedText {
  slug: string;
  /** The text's name for people: `the headline`. */
  what: string;
  text: string;
}

/** Finds the page that had a slug when a note was made; undefined if it is gone. */
type FindPage = (slug: string) => PageFile | undefined;

/** Whether a note holds in the end. */
export type NoteTest = (now: FindPage) => Promise<boolean>;

/**
 * Collects notes for people. Whether they hold is only tested when they are listed, on the site as
 * the task found it and as it is then.
 */
export interface Warnings {
  /** Adds notes that hold as long as their page exists. */
  add(...notes: Note[]): void;
  /** Adds a note that holds only if its test says so. A note that is added twice needs one test. */
  watch(note: Note, holds: NoteTest): void;
  /** Notes that an edit changed nothing. */
  unchanged(found: UnchangedText): void;
  /**
   * Notes which pages link to a deleted page, as long as it is missing and no redirect leads on.
   * @returns the slugs of these pages
   */
  deleted(page: PageFile): Promise<string[]>;
  /** Copies the notes. @returns a function that brings them back */
  save(): () => void;
  /** The notes that hold now, one of each kind for a page. */
  list(): Promise<Note[]>;
  /** What the notes say more, and what no more, since this was last called. */
  news(): Promise<{ added: string[]; gone: string[] }>;
}

/** Most notes of a task: its view has a limited size. */
const MOST = 100;
const LONGEST = 500;
const LONGEST_TEXT = 90;

type Site = Pick<SiteEdits, 'files' | 'changes' | 'ask' | 'redirects' | 'moved'>;

interface WatchedNote {
  note: Note;
  /** The slug of its page in the commit that the task began with, or that it was created with. */
  first: string | undefined;
  holds: NoteTest;
}

export function createWarnings(site: Site): Warnings {
  let watched: WatchedNote[] = [];
  let texts: UnchangedText[] = [];
  let told = new Set<string>();
  const broken = createBrokenLinks(site);
  const firstSlug = (slug: string) => site.moved().find(({ to }) => to === slug)?.from ?? slug;
  const slugNow = (first: string) => site.moved().find(({ from }) => from === first)?.to ?? first;
  const watch = (note: Note, holds: NoteTest) => {
    watched.push({ note, first: note.page && firstSlug(note.page), holds });
  };
  const heldNotes = async (): Promise<Note[]> => {
    const pages = pagesNow(site);
    const held: Note[] = [];
    for (const { note, first, holds } of watched) {
      const now = first === undefined ? undefined : slugNow(first);
      if (now !== undefined && !pages.has(now)) continue;
      // a page that can't be read is no reason to say less
      const isHeld = await holds((slug) => pages.get(slugNow(firstSlug(slug)))).catch(nullIfFinal);
      if (isHeld !== false) held.push(now === undefined ? note : onPage(note, now));
    }
    const same = texts
      .map((found) => ({ ...found, slug: slugNow(found.slug) }))
      .filter(({ slug }) => pages.has(slug));
    return [...distinct(held), ...unchangedNotes(same), ...(await broken.notes(pages))];
  };
  return {
    add: (...notes) => {
      for (const note of notes) watch(note, () => Promise.resolve(true));
    },
    watch,
    unchanged: (found) => void texts.push({ ...found, slug: firstSlug(found.slug) }),
    deleted: (page) => broken.deleted(page),
    save: () => {
      const saved = { watched: [...watched], texts: [...texts] };
      const takeBack = broken.save();
      return () => {
        ({ watched, texts } = saved);
        takeBack();
      };
    },
    list: async () => bounded(mergeNotes((await heldNotes()).map(shortened))),
    news: async () => {
      const before = told;
      told = new Set((await heldNotes()).map(({ text }) => text));
      return { added: [...told.difference(before)], gone: [...before.difference(told)] };
    },
  };
}

const pagesNow = (site: Site) =>
  new Map(site.files().map((page): [string, PageFile] => [page.slug, page]));

/** A note with the slug that its page has now. */
function onPage(note: Note, slug: string): Note {
  const { page = '', text } = note;
  const isNamed = text.startsWith(`${page}: `);
  return { ...note, page: slug, text: isNamed ? slug + text.slice(page.length) : text };
}

const distinct = (notes: Note[]) => [...new Map(notes.map((note) => [note.text, note])).values()];

/** Counts the links to deleted pages. A page is read again only if it was written since. */
function createBrokenLinks(site: Site) {
  let gone = new Map<string, { path: string; counts: Map<string, LinkCount> }>();
  const linkingTo = async (slug: string, pages: Map<string, PageFile>) => {
    const { counts } = gone.get(slug)!;
    const written = new Map(site.changes().map(({ path, content }) => [path, content]));
    const linking: { slug: string; count: number }[] = [];
    for (const [from, page] of pages) {
      const content = written.get(page.path);
      const before = counts.get(page.path);
      const count =
        before && before.content === content
          ? before.count
          : (await linksTo(site, page, slug)).length;
      counts.set(page.path, defined({ count, content }));
      if (count > 0) linking.push({ slug: from, count });
    }
    return linking;
  };
  return {
    save: () => {
      const saved = new Map(gone);
      return () => void (gone = saved);
    },
    deleted: async ({ slug, path }: PageFile) => {
      gone.set(slug, { path, counts: new Map() });
      return (await linkingTo(slug, pagesNow(site))).map((page) => page.slug);
    },
    notes: async (pages: Map<string, PageFile>) => {
      const notes: Note[] = [];
      for (const [page, { path }] of gone) {
        if (pages.has(page) || site.redirects.filesFor(path).length > 0) continue;
        const linking = (await linkingTo(page, pages)).map(({ slug, count }) =>
          count === 1 ? slug : `${slug} (${count} links)`,
        );
        const text = `${page} was deleted, but is still linked from ${namesOf(linking)}`;
        if (linking.length > 0) notes.push({ page, kind: 'part', text });
      }
      return notes;
    },
  };
}

interface LinkCount {
  count: number;
  content?: string | null;
}

function bounded(notes: Note[]): Note[] {
  const rest = notes.length - MOST;
  if (rest <= 0) return notes;
  return [...notes.slice(0, MOST), { kind: notes[MOST]!.kind, text: `${rest} more of these` }];
}

const shortened = ({ text, value, values, ...note }: Note): Note => ({
  ...note,
  ...(values && { values: values.map((one) => cut(one, LONGEST)) }),
  text: cut(text, LONGEST),
  ...(value !== undefined && { value: cut(value, LONGEST) }),
});

/** The same text on several pages gets one note: `the headline is already "Simple prices"`. */
function unchangedNotes(found: UnchangedText[]): Note[] {
  const says = ({ what, text }: UnchangedText) =>
    `${what} is already ${quoted(text, LONGEST_TEXT)}`;
  return [...Map.groupBy(found, says)].map(([key, same]) => {
    const { text: value } = same[0]!;
    const slugs = [...new Set(same.map(({ slug }) => slug))];
    return slugs.length === 1
      ? noteOn(slugs[0]!, 'undone', key, { value })
      : { kind: 'undone', text: `${namesOf(slugs)}: ${key}`, value };
  });
}
