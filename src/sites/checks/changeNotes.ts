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
    text: `The task added ${remaining} more new hosts, e-mail addresses and telephone numbers`,
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
  const target = redirectTarget(slug);
  if (otherPaths.length === 0) {
    const instead = replaced.length > 0 ? ', and another page was created at its path' : '';
    const redirectWords = target === undefined ? '' : `, and its URL redirects to ${target}`;
    return [createPageNote(slug, 'changed', `the page was deleted${instead}${redirectWords}`)];
  }
  const slugNames = slugs.map((pageSlug) => {
    const to = redirectTarget(pageSlug);
    return to === undefined ? pageSlug : `${pageSlug} (redirects to ${to})`;
  });
  return [
    { kind: 'changed', text: `${slugs.length} pages were deleted: ${listFirstNames(slugNames)}` },
  ];
}

function movedNotes({ moved, redirects }: NotableEffects): Note[] {
  const [firstMove, ...otherPaths] = moved;
  if (firstMove === undefined) return [];
  const isRedirected = ({ from, to }: { from: string; to: string }) =>
    redirects.some((redirect) => redirect.from === from && redirect.to === to);
  const replacementWords = firstMove.isOver ? ', and replaced the page that was here before' : '';
  const redirectWords = isRedirected(firstMove) ? ', and the old URL redirects here' : '';
  if (otherPaths.length === 0)
    return [
      createPageNote(
        firstMove.to,
        'changed',
        `the page was moved here from ${firstMove.from}${redirectWords}${replacementWords}`,
      ),
    ];
  const moves = moved.map(
    (move) => `${move.from} to ${move.to}${isRedirected(move) ? ' (redirects there)' : ''}`,
  );
  return [{ kind: 'changed', text: `${moves.length} pages were moved: ${listFirstNames(moves)}` }];
}

/** Makes one note for each target of duplicate links. It names all pages that have them. */
function duplicateNotes(pages: PageSlugReader, { duplicates }: NotableEffects): Note[] {
  const groups = Map.groupBy(duplicates, ({ where, target }) => `${where} ${target}`);
  return [...groups.values()].slice(0, MAX_NOTES).map((duplicates) => {
    const { where, target, texts } = duplicates[0]!;
    const quotedTexts = [...new Set(texts)].slice(0, NAMED_TEXTS).map((text) => quoteText(text));
    const menu = where === 'navigation' ? 'the navigation' : 'a list';
    const noteText = `${menu} has ${texts.length} entries that link to ${truncateText(target, MAX_TARGET_LENGTH)}: ${quotedTexts.join(', ')}`;
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
  const [verb, pronoun] = files.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return [
    ...hostNotes,
    {
      kind: 'changed',
      text: `${listFirstNames(files, 'files')} ${verb} changed: check the pages that use ${pronoun}`,
    },
  ];
}
