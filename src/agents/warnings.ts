import { defined } from '../contract/defined.ts';
import type { PageFile } from '../contract/site.ts';
import { type Note, type NoteKind, noteOn } from '../contract/task.ts';
import { nullIfFinal } from '../errors.ts';
import { namesOf } from '../contract/text.ts';
import { cut, quoted } from '../text/text.ts';
import type { SiteEdits } from './siteEdits.ts';
import { linksTo } from './tools/arguments.ts';

/** A text that already was as an edit requested. */
export interface AsAsked {
  slug: string;
  /** The text's name for people: `the headline`. */
  what: string;
  text: string;
  /** Whether the text repeats another text of the page. It is omitted if that one is listed. */
  isEcho?: boolean;
  /** Whether the page still has the text; absent: until `noLongerAsAsked`. */
  still?: (page: PageFile) => Promise<boolean>;
}

/**
 * Looks whether a note still holds.
 * @param now finds the page that had a slug when the note was made; undefined if it is gone
 */
export type Still = (now: (slug: string) => PageFile | undefined) => Promise<boolean>;

export interface Warnings {
  /** Adds notes that hold as long as their page exists. */
  add(...notes: Note[]): void;
  /** `add` for a note on a page. `value`: the value that the note is about. */
  note(page: string, kind: NoteKind, says: string, value?: string): void;
  /** Adds a note that holds only while `still` says so. */
  watch(note: Note, still: Still): void;
  /** Notes that a text already was as requested, as long as the page exists. */
  asAsked(found: AsAsked): void;
  /** Removes that note again if the text was changed after all. */
  noLongerAsAsked(found: AsAsked): void;
  /**
   * Notes which pages link to a deleted page, as long as it is missing and no redirect leads on.
   * @returns the slugs of these pages
   */
  deleted(page: PageFile): Promise<string[]>;
  /** Drops the notes on a page that is as before the task again. */
  undone(slug: string): void;
  /** Copies the notes. @returns a function that brings them back */
  save(): () => void;
  /** Updates the notes on a page that was moved to another slug. */
  moved(from: string, to: string): void;
  /** The notes that hold now. */
  list(): Promise<Note[]>;
  /** What the notes say more, and what no more, since this was last called. */
  news(): Promise<{ added: string[]; gone: string[] }>;
}

/** Most notes of a task: its view has a limited size. */
const MOST = 100;
const LONGEST = 500;
const LONGEST_TEXT = 90;

type Site = Pick<SiteEdits, 'files' | 'changes' | 'ask' | 'redirects'>;
type PagesNow = Map<string, PageFile>;

/** Collects notes for people to check after the task. */
export function createWarnings(site: Site): Warnings {
  let watched = new Map<string, Watched>();
  let moves: Move[] = [];
  const broken = createBrokenLinks(site);
  let asked: AsAsked[] = [];
  let told = new Map<string, Held>();
  const watch = (note: Note, still: Still = () => Promise.resolve(true)) => {
    const { stills = [] } = watched.get(note.text) ?? {};
    watched.set(note.text, { note, stills: [...stills, { still, since: moves.length }] });
  };
  const held = async (): Promise<Held[]> => {
    const there = pagesNow(site);
    const notes: Held[] = [];
    for (const [key, one] of watched) {
      const note = await noteNow(there, moves, one);
      if (note) notes.push({ note, key, says: key });
    }
    const stillAsked: AsAsked[] = [];
    for (const found of asked) {
      const page = there.get(found.slug);
      if (page && (await (found.still?.(page) ?? true))) stillAsked.push(found);
    }
    const first = (slug: string) => slugBefore(moves, slug);
    return [...notes, ...asAskedNotes(stillAsked, first), ...(await broken.notes(there, first))];
  };
  return {
    add: (...notes) => {
      for (const note of notes) watch(note);
    },
    note: (page, kind, says, value) => watch(noteOn(page, kind, says, defined({ value }))),
    watch,
    asAsked: (found) => {
      const reads = asked.filter(({ slug, text }) => slug === found.slug && text === found.text);
      if (!reads.some(({ what }) => found.isEcho || what === found.what)) asked.push(found);
    },
    noLongerAsAsked: (found) => {
      asked = asked.filter((known) => !isSame(known, found));
    },
    deleted: (page) => broken.deleted(page),
    undone: (slug) => {
      for (const [text, { note, stills }] of watched)
        if (stills.every(({ since }) => slugAfter(moves.slice(since), note.page) === slug))
          watched.delete(text);
      asked = asked.filter((found) => found.slug !== slug);
    },
    save: () => {
      const saved = { watched: new Map(watched), moves: [...moves], asked: [...asked] };
      const takeBack = broken.save();
      return () => {
        ({ watched, moves, asked } = saved);
        takeBack();
      };
    },
    moved: (from, to) => {
      moves.push({ from, to });
      asked = asked.map((found) => ({ ...found, slug: found.slug === from ? to : found.slug }));
    },
    list: async () => bounded((await held()).map(({ note }) => note)),
    news: async () => {
      const before = told;
      told = new Map((await held()).map((one) => [one.key, one]));
      const isNew = ({ key, says }: Held) => before.get(key)?.says !== says;
      const added = textsOf([...told.values()].filter(isNew));
      const gone = textsOf([...before.values()].filter(({ key }) => !told.has(key)));
      return {
        added: [...added.difference(textsOf([...before.values()]))],
        gone: [...gone.difference(textsOf([...told.values()]))],
      };
    },
  };
}

/** The pages by slug. */
const pagesNow = (site: Site): PagesNow =>
  new Map(site.files().map((page): [string, PageFile] => [page.slug, page]));

interface Move {
  from: string;
  to: string;
}

/** A note that holds. */
interface Held {
  note: Note;
  /** What it is about: the same after moves, and however many pages it names. */
  key: string;
  /** What it says, with the slugs that pages had before the task moved them. */
  says: string;
}

const textsOf = (held: Held[]) => new Set(held.map(({ note }) => note.text));

/** A note with what was asked for each time that it was added, and how many moves came before. */
interface Watched {
  note: Note;
  stills: { still: Still; since: number }[];
}

const slugAfter = <Slug extends string | undefined>(moves: Move[], slug: Slug) =>
  moves.reduce<string | Slug>((at, { from, to }) => (at === from ? to : at), slug);

/** The slug before the moves of the page that has this one now. */
const slugBefore = (moves: Move[], slug: string) =>
  moves.reduceRight((at, { from, to }) => (at === to ? from : at), slug);

/** The note as it reads now; undefined if it no longer holds. */
async function noteNow(there: PagesNow, moves: Move[], { note, stills }: Watched) {
  for (const { still, since } of stills) {
    const slugNow = (slug: string) => slugAfter(moves.slice(since), slug);
    const { page } = note;
    const now = page === undefined ? undefined : slugNow(page);
    if (now !== undefined && !there.has(now)) continue;
    // a page that can't be read is no reason to say less
    const holds = await still((slug) => there.get(slugNow(slug))).catch(nullIfFinal);
    if (holds === false) continue;
    if (page === undefined || now === undefined || now === page) return note;
    const text = note.text.startsWith(`${page}: `) ? now + note.text.slice(page.length) : note.text;
    return { ...note, page: now, text };
  }
  return undefined;
}

/** Counts the links to deleted pages. A page is read again only if it was written since. */
function createBrokenLinks(site: Site) {
  const paths = new Map<string, string>();
  const isLedOn = (gone: string) => site.redirects.filesFor(paths.get(gone)!).length > 0;
  let counts = new Map<string, Map<string, { count: number; content?: string | null }>>();
  const linkingTo = async (gone: string, there: PagesNow) => {
    const known = counts.get(gone)!;
    const written = new Map(site.changes().map(({ path, content }) => [path, content]));
    const linking: [string, number][] = [];
    for (const [slug, page] of there) {
      const content = written.get(page.path);
      const before = known.get(page.path);
      const count =
        before && before.content === content
          ? before.count
          : (await linksTo(site, page, gone)).length;
      known.set(page.path, defined({ count, content }));
      if (count > 0) linking.push([slug, count]);
    }
    return linking;
  };
  return {
    save: () => {
      const saved = new Map(counts);
      return () => void (counts = saved);
    },
    deleted: async ({ slug, path }: PageFile) => {
      paths.set(slug, path);
      counts.set(slug, new Map());
      return (await linkingTo(slug, pagesNow(site))).map(([slug]) => slug);
    },
    notes: async (there: PagesNow, first: (slug: string) => string) => {
      const notes: Held[] = [];
      for (const gone of counts.keys())
        if (!there.has(gone) && !isLedOn(gone))
          notes.push(...brokenNotes(gone, await linkingTo(gone, there), first));
      return notes;
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
function asAskedNotes(found: AsAsked[], first: (slug: string) => string): Held[] {
  const groups = Map.groupBy(
    found,
    ({ what, text }) => `${what} is already ${quoted(text, LONGEST_TEXT)}`,
  );
  return [...groups].map(([key, same]) => {
    const [{ slug, text: value }, ...others] = same as [AsAsked, ...AsAsked[]];
    const on = (slugs: string[]) => `${namesOf(slugs)}: ${key}`;
    const slugs = same.map(({ slug }) => slug);
    const note: Note =
      others.length === 0
        ? noteOn(slug, 'as-asked', key, { value })
        : { kind: 'as-asked', text: on(slugs), value };
    return { note, key, says: on(slugs.map(first)) };
  });
}

/** One note for each deleted page that other pages still link to. */
function brokenNotes(
  to: string,
  from: [string, number][],
  first: (slug: string) => string,
): Held[] {
  if (from.length === 0) return [];
  const key = `${to} was deleted, but is still linked from`;
  const textOf = (name: (slug: string) => string) => {
    const pages = from.map(([slug, count]) =>
      count === 1 ? name(slug) : `${name(slug)} (${count} links)`,
    );
    return `${key} ${namesOf(pages)}`;
  };
  const note: Note = { page: to, kind: 'link', text: textOf((slug) => slug) };
  return [{ note, key, says: textOf(first) }];
}
