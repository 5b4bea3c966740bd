import type { PageFile } from '../../contract/site.ts';
import { mergeNotes, valueFields } from '../../contract/notes/mergeNotes.ts';
import { type Note, createPageNote } from '../../contract/task.ts';
import { listFirstNames } from '../../contract/text/summaries.ts';
import { REDIRECTS } from '../redirects/hostFileNames.ts';
import { isDerived } from '../pages/sitemap/derivedFiles.ts';
import type { ChangedPages } from '../pages/sitemap/deriveSitemap.ts';
import type { SetupChange } from '../formats/pageFindings.ts';
import { truncateText, quoteText } from '../../text/text.ts';
import type { PageMethods } from '../pages/pages.ts';
import type {
  AddedDuplicate,
  NewReference,
  PageStaleDetail,
  PageSetupChange,
} from './newReferences.ts';

/** Effects of a commit that a person should check before it goes live. Each becomes a note. */
export interface NotableEffects {
  changed: ChangedPages;
  /** Moved pages, by their slugs. `isOver` means that the move replaced another page. */
  moved: { from: string; to: string; isOver: boolean }[];
  /** Pages that another page replaced. */
  replaced: PageFile[];
  /** Pages whose URLs redirect to other pages, by their slugs. */
  redirects: { from: string; to: string }[];
  /** Paths of the written and deleted files. */
  paths: string[];
  externalReferences: NewReference[];
  duplicates: AddedDuplicate[];
  setups: PageSetupChange[];
  staleDetails: PageStaleDetail[];
}

type PageSlugReader = Pick<PageMethods, 'isPage' | 'slugOf'>;

/** The most items of one kind to name; further ones are counted. */
const MAX_NOTES = 30;
/** Characters of a note. */
const MAX_NOTE_LENGTH = 500;
const MAX_TARGET_LENGTH = 120;
const NAMED_TEXTS = 4;
const NAMED_PARTS = 8;

/** A moved page, and whether its old URL redirects. */
interface NotedMove {
  from: string;
  to: string;
  isOver?: boolean;
  isRedirected: boolean;
}

/** What the notes on a commit say. */
export const changeSentences = {
  moreReferences: (count: number) =>
    `The task added ${count} more new hosts, e-mail addresses and telephone numbers`,
  deletedPage: ({ isReplaced, to }: { isReplaced: boolean; to: string | undefined }) =>
    `the page was deleted${isReplaced ? ', and another page was created at its path' : ''}${to === undefined ? '' : `, and its URL redirects to ${to}`}`,
  deletedPages: (pages: { slug: string; to?: string | undefined }[]) => {
    const names = pages.map(
      ({ slug, to }) => slug + (to === undefined ? '' : ` (redirects to ${to})`),
    );
    return `${pages.length} pages were deleted: ${listFirstNames(names)}`;
  },
  movedPage: ({ from, isOver, isRedirected }: Omit<NotedMove, 'to'>) =>
    `the page was moved here from ${from}${isRedirected ? ', and the old URL redirects here' : ''}${isOver ? ', and replaced the page that was here before' : ''}`,
  movedPages: (moves: NotedMove[]) => {
    const names = moves.map(
      ({ from, to, isRedirected }) => `${from} to ${to}${isRedirected ? ' (redirects there)' : ''}`,
    );
    return `${moves.length} pages were moved: ${listFirstNames(names)}`;
  },
  duplicates: ({ where, target, texts }: Omit<AddedDuplicate, 'path'>) => {
    const quotedTexts = [...new Set(texts)].slice(0, NAMED_TEXTS).map((text) => quoteText(text));
    return `${where === 'navigation' ? 'the navigation' : 'a list'} has ${texts.length} entries that link to ${truncateText(target, MAX_TARGET_LENGTH)}: ${quotedTexts.join(', ')}`;
  },
  files: (files: string[]) => {
    const [verb, pronoun] = files.length === 1 ? ['was', 'it'] : ['were', 'them'];
    return `${listFirstNames(files, 'files')} ${verb} changed: check the pages that use ${pronoun}`;
  },
};

/**
 * Makes the notes on a commit: "the task added a link to the new host "partner.example"", "the page
 * was moved here from /about". Effects of the same kind on many pages share one note.
 */
export function createChangeNotes(pages: PageSlugReader, effects: NotableEffects): Note[] {
  const referenceNotes = limitNotes(
    effects.externalReferences.map((reference) => externalReferenceNote(pages, reference)),
  );
  const notes = [
    ...referenceNotes,
    ...deletedNotes(effects),
    ...movedNotes(effects),
    ...fileNotes(pages, effects),
    ...duplicateNotes(pages, effects),
    ...setupNotes(pages, effects),
    ...effects.staleDetails.map(({ path, noteText, values }) =>
      createPageNote(pages.slugOf(path), 'part', noteText, {
        ...valueFields(values.map((value) => truncateText(value, MAX_NOTE_LENGTH))),
      }),
    ),
  ];
  return mergeNotes(
    notes.map((note) => ({ ...note, text: truncateText(note.text, MAX_NOTE_LENGTH) })),
  );
}

function limitNotes(notes: Note[]): Note[] {
  const remaining = notes.length - MAX_NOTES;
  const moreNote: Note = {
    kind: 'host',
    text: changeSentences.moreReferences(remaining),
  };
  return remaining > 0 ? [...notes.slice(0, MAX_NOTES), moreNote] : notes;
}

function externalReferenceNote(pages: PageSlugReader, reference: NewReference): Note {
  const { description, paths } = reference;
  const kind = 'host';
  const value = truncateText(reference.value, MAX_NOTE_LENGTH);
  const [path = '', ...otherPaths] = paths;
  if (otherPaths.length === 0 && pages.isPage(path))
    return createPageNote(pages.slugOf(path), kind, description, { value });
  const places = paths.map((filePath) =>
    pages.isPage(filePath) ? pages.slugOf(filePath) : filePath,
  );
  return {
    kind,
    text: `${description[0]!.toUpperCase()}${description.slice(1)}: ${listFirstNames(places)}`,
    value,
  };
}

function deletedNotes({ changed, moved, replaced, redirects }: NotableEffects): Note[] {
  const deletedSlugs = [...changed.deleted, ...replaced].map(({ slug }) => slug);
  const slugs = deletedSlugs.filter((slug) => !moved.some(({ from }) => from === slug));
  const [slug, ...otherPaths] = slugs;
  if (slug === undefined) return [];
  const redirectTarget = (from: string) => redirects.find((redirect) => redirect.from === from)?.to;
  if (otherPaths.length === 0) {
    const isReplaced = replaced.length > 0;
    const to = redirectTarget(slug);
    return [createPageNote(slug, 'changed', changeSentences.deletedPage({ isReplaced, to }))];
  }
  const pages = slugs.map((pageSlug) => ({ slug: pageSlug, to: redirectTarget(pageSlug) }));
  return [{ kind: 'changed', text: changeSentences.deletedPages(pages) }];
}

function movedNotes({ moved, redirects }: NotableEffects): Note[] {
  const moves = moved.map((move) => ({
    ...move,
    isRedirected: redirects.some(({ from, to }) => from === move.from && to === move.to),
  }));
  const [firstMove, ...otherMoves] = moves;
  if (firstMove === undefined) return [];
  return otherMoves.length === 0
    ? [createPageNote(firstMove.to, 'changed', changeSentences.movedPage(firstMove))]
    : [{ kind: 'changed', text: changeSentences.movedPages(moves) }];
}

/** Makes one note for each target of duplicate links. It names all pages that have them. */
function duplicateNotes(pages: PageSlugReader, { duplicates }: NotableEffects): Note[] {
  const groups = Map.groupBy(duplicates, ({ where, target }) => `${where} ${target}`);
  return [...groups.values()].slice(0, MAX_NOTES).map((duplicates) => {
    const noteText = changeSentences.duplicates(duplicates[0]!);
    const slugs = [...new Set(duplicates.map(({ path }) => pages.slugOf(path)))];
    if (slugs.length === 1) return createPageNote(slugs[0]!, 'part', noteText);
    return { kind: 'part', text: `${listFirstNames(slugs)}: ${noteText}` };
  });
}

/**
 * Makes one note for each change of the setup, such as a removed script. It names all pages with
 * the same change.
 */
function setupNotes(pages: PageSlugReader, { setups }: NotableEffects): Note[] {
  const groups = [...Map.groupBy(setups, setupWords)];
  const notes = groups.slice(0, MAX_NOTES).map(([noteText, samePages]): Note => {
    const slugs = samePages.map(({ path }) => pages.slugOf(path));
    if (slugs.length === 1) return createPageNote(slugs[0]!, 'setup', noteText);
    return { kind: 'setup', text: `${listFirstNames(slugs)}: ${noteText}` };
  });
  const moreCount = groups.slice(MAX_NOTES).flatMap(([, samePages]) => samePages).length;
  if (moreCount === 0) return notes;
  const text = `${moreCount} more pages lost scripts, style sheets or the like, or are hidden from search engines`;
  return [...notes, { kind: 'setup', text }];
}

/** `the edit removed, changed or disabled the script "/site.js" and the viewport` */
export function setupWords({ removed, isUnlisted }: SetupChange): string {
  const moreCount = removed.length - NAMED_PARTS;
  const partNames = [
    ...removed.slice(0, NAMED_PARTS),
    ...(moreCount > 0 ? [`${moreCount} more parts`] : []),
  ];
  const removalWords = `removed, changed or disabled ${listFormat.format(partNames)}`;
  const hidingWords = 'asks search engines not to list the page (noindex)';
  const clauses = [
    ...(removed.length > 0 ? [removalWords] : []),
    ...(isUnlisted ? [hidingWords] : []),
  ];
  return `the edit ${clauses.join(', and ')}`;
}

const listFormat = new Intl.ListFormat('en-GB');

function fileNotes(pages: PageSlugReader, { paths, changed, moved }: NotableEffects): Note[] {
  const isAlreadyNoted = moved.length + changed.deleted.length > 0;
  const hostNotes = (isAlreadyNoted ? [] : paths)
    .filter((path) => path === REDIRECTS)
    .map((path): Note => {
      const text = `${path} was changed: redirects away from new pages were removed`;
      return { kind: 'changed', text };
    });
  const files = paths.filter(
    (path) => !pages.isPage(path) && !isDerived(path) && path !== REDIRECTS,
  );
  if (files.length === 0) return hostNotes;
  return [...hostNotes, { kind: 'changed', text: changeSentences.files(files) }];
}
