import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { mergeNotes } from '../../../contract/notes/mergeNotes.ts';
import type { PageFile } from '../../../contract/site.ts';
import { type Note, createPageNote } from '../../../contract/task.ts';
import { nullIfFinal } from '../../../errors.ts';
import { listFirstNames } from '../../../contract/text/summaries.ts';
import { truncateText, quoteText } from '../../../text/text.ts';
import type { SiteEdits } from './siteEdits.ts';
import { findLinksTo } from '../tools/toolArguments.ts';

/** A text that already was as an edit requested. */
export interface UnchangedText {
  slug: string;
  /** The text's name for people: `the headline`. */
  textName: string;
  text: string;
}

/** Finds the page, as it is now, that had a slug when a note was made; undefined if it is gone. */
type FindPage = (slug: string) => PageFile | undefined;

/** Whether a note holds in the end. */
export type NoteTest = (now: FindPage) => Promise<boolean>;

/**
 * Collects the notes of a task: what a person should check. Whether a note holds is only tested
 * when the notes are listed, on the site as it is then.
 */
export interface TaskWarnings {
  /** Adds notes that hold as long as their page exists. */
  add(...notes: Note[]): void;
  /**
   * Adds a note that is listed only while its test says that it holds. If a note is added twice,
   * one of its tests must say so.
   */
  addTested(note: Note, holds: NoteTest): void;
  /** Adds a note that an edit changed nothing, because the text was already as requested. */
  unchanged(found: UnchangedText): void;
  /**
   * Adds a note on the pages that link to a deleted page. It holds as long as the page is missing
   * and there is no redirect.
   * @returns the slugs of these pages
   */
  deleted(page: PageFile): Promise<string[]>;
  /** Copies the notes. @returns a function that brings them back */
  save(): () => void;
  /** The notes that hold now, one of each kind for a page. */
  list(): Promise<Note[]>;
  /** The texts of notes that were added, and of those that no longer hold, since the last call. */
  listChanges(): Promise<{ added: string[]; gone: string[] }>;
}

/** Most notes of a task: its view has a limited size. */
const MAX_NOTES = 100;
const MAX_NOTE_LENGTH = 500;
const MAX_QUOTED_LENGTH = 90;

type WarningsSite = Pick<SiteEdits, 'files' | 'changes' | 'query' | 'redirects' | 'moved'>;

interface WatchedNote {
  note: Note;
  /** The slug of its page in the commit that the task began with, or that it was created with. */
  first: string | undefined;
  holds: NoteTest;
}

export function createTaskWarnings(site: WarningsSite): TaskWarnings {
  let watched: WatchedNote[] = [];
  let unchangedTexts: UnchangedText[] = [];
  let reportedTexts = new Set<string>();
  const brokenLinks = createBrokenLinkNotes(site);
  const findFirstSlug = (slug: string) => site.moved().find(({ to }) => to === slug)?.from ?? slug;
  const findSlugNow = (originalSlug: string) =>
    site.moved().find(({ from }) => from === originalSlug)?.to ?? originalSlug;
  const watchNote = (note: Note, holds: NoteTest) => {
    watched.push({ note, first: note.page && findFirstSlug(note.page), holds });
  };
  const listHeldNotes = async (): Promise<Note[]> => {
    const pages = mapCurrentPages(site);
    const heldNotes: Note[] = [];
    for (const { note, first: originalSlug, holds } of watched) {
      const slugNow = originalSlug === undefined ? undefined : findSlugNow(originalSlug);
      if (slugNow !== undefined && !pages.has(slugNow)) continue;
      // a note stays if its page can't be read
      const isHeld = await holds((slug) => pages.get(findSlugNow(findFirstSlug(slug)))).catch(
        nullIfFinal,
      );
      if (isHeld !== false)
        heldNotes.push(slugNow === undefined ? note : moveNoteToPage(note, slugNow));
    }
    const unchangedNow = unchangedTexts
      .map((unchangedText) => ({ ...unchangedText, slug: findSlugNow(unchangedText.slug) }))
      .filter(({ slug }) => pages.has(slug));
    return [
      ...omitRepeatedNotes(heldNotes),
      ...createUnchangedNotes(unchangedNow),
      ...(await brokenLinks.notes(pages)),
    ];
  };
  return {
    add: (...notes) => {
      for (const note of notes) watchNote(note, () => Promise.resolve(true));
    },
    addTested: watchNote,
    unchanged: (unchangedText) =>
      void unchangedTexts.push({ ...unchangedText, slug: findFirstSlug(unchangedText.slug) }),
    deleted: (page) => brokenLinks.deleted(page),
    save: () => {
      const savedState = { watched: [...watched], texts: [...unchangedTexts] };
      const restoreBrokenLinks = brokenLinks.save();
      return () => {
        ({ watched, texts: unchangedTexts } = savedState);
        restoreBrokenLinks();
      };
    },
    list: async () => limitWarnings(mergeNotes((await listHeldNotes()).map(shortenNote))),
    listChanges: async () => {
      const reportedBefore = reportedTexts;
      reportedTexts = new Set((await listHeldNotes()).map(({ text }) => text));
      return {
        added: [...reportedTexts.difference(reportedBefore)],
        gone: [...reportedBefore.difference(reportedTexts)],
      };
    },
  };
}

const mapCurrentPages = (site: WarningsSite) =>
  new Map(site.files().map((page): [string, PageFile] => [page.slug, page]));

/** A note with the slug that its page has now. */
function moveNoteToPage(note: Note, slug: string): Note {
  const { page = '', text } = note;
  const isNamed = text.startsWith(`${page}: `);
  return { ...note, page: slug, text: isNamed ? slug + text.slice(page.length) : text };
}

const omitRepeatedNotes = (notes: Note[]) => [
  ...new Map(notes.map((note) => [note.text, note])).values(),
];

/** Counts the links to deleted pages. A page is read again only if it was written since. */
function createBrokenLinkNotes(site: WarningsSite) {
  let deletedPages = new Map<string, { path: string; counts: Map<string, LinkCount> }>();
  const findLinkingPages = async (slug: string, pages: Map<string, PageFile>) => {
    const { counts } = deletedPages.get(slug)!;
    const contentsByPath = new Map(site.changes().map(({ path, content }) => [path, content]));
    const linking: { slug: string; count: number }[] = [];
    for (const [from, page] of pages) {
      const content = contentsByPath.get(page.path);
      const countBefore = counts.get(page.path);
      const count =
        countBefore && countBefore.content === content
          ? countBefore.count
          : (await findLinksTo(site, page, slug)).length;
      counts.set(page.path, withoutUndefined({ count, content }));
      if (count > 0) linking.push({ slug: from, count });
    }
    return linking;
  };
  return {
    save: () => {
      const savedPages = new Map(deletedPages);
      return () => void (deletedPages = savedPages);
    },
    deleted: async ({ slug, path }: PageFile) => {
      deletedPages.set(slug, { path, counts: new Map() });
      return (await findLinkingPages(slug, mapCurrentPages(site))).map((page) => page.slug);
    },
    notes: async (pages: Map<string, PageFile>) => {
      const notes: Note[] = [];
      for (const [page, { path }] of deletedPages) {
        if (pages.has(page) || site.redirects.filesFor(path).length > 0) continue;
        const linking = (await findLinkingPages(page, pages)).map(({ slug, count }) =>
          count === 1 ? slug : `${slug} (${count} links)`,
        );
        const text = brokenLinksSentence(page, linking);
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

function limitWarnings(notes: Note[]): Note[] {
  const omittedCount = notes.length - MAX_NOTES;
  if (omittedCount <= 0) return notes;
  return [
    ...notes.slice(0, MAX_NOTES),
    { kind: notes[MAX_NOTES]!.kind, text: omittedNotesSentence(omittedCount) },
  ];
}

const shortenNote = ({ text, value, values, ...otherFields }: Note): Note => ({
  ...otherFields,
  ...(values && {
    values: values.map((listedValue) => truncateText(listedValue, MAX_NOTE_LENGTH)),
  }),
  text: truncateText(text, MAX_NOTE_LENGTH),
  ...(value !== undefined && { value: truncateText(value, MAX_NOTE_LENGTH) }),
});

/** The same text on several pages gets one note: `the headline is already "Simple prices"`. */
function createUnchangedNotes(unchangedTexts: UnchangedText[]): Note[] {
  return [...Map.groupBy(unchangedTexts, unchangedSentence)].map(([sentence, sameTexts]) => {
    const { text: value } = sameTexts[0]!;
    const slugs = [...new Set(sameTexts.map(({ slug }) => slug))];
    return slugs.length === 1
      ? createPageNote(slugs[0]!, 'undone', sentence, { value })
      : { kind: 'undone', text: `${listFirstNames(slugs)}: ${sentence}`, value };
  });
}

export const unchangedSentence = ({ textName, text }: Omit<UnchangedText, 'slug'>) =>
  `${textName} is already ${quoteText(text, MAX_QUOTED_LENGTH)}`;

export const omittedNotesSentence = (omittedCount: number) =>
  `${omittedCount} more notes of this kind`;

/** @param linking the slugs of the pages that still link to the deleted page */
export const brokenLinksSentence = (page: string, linking: string[]) =>
  `${page} was deleted, but is still linked from ${listFirstNames(linking)}`;
