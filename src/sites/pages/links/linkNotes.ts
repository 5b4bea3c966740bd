import { valueFields } from '../../../contract/notes/mergeNotes.ts';
import { type Note, createPageNote } from '../../../contract/task.ts';
import { collapseSpaces, truncateText, quoteText } from '../../../text/text.ts';

const MAX_TEXTS = 6;
const MAX_PAGES = 5;
const MAX_NOTE_LENGTH = 300;

/**
 * The note that the block of a new page (`page`) still has texts about the template. Such a block
 * is a card, for example, with a link to the new page, which a task added to the page `from`.
 */
export function templateTextsNote(page: string, from: string, templateTexts: string[]): Note {
  const lines = templateTexts.map(collapseSpaces);
  const moreCount = lines.length - MAX_TEXTS;
  const texts = [
    ...lines.slice(0, MAX_TEXTS).map((text) => quoteText(text)),
    ...(moreCount > 0 ? [`and ${moreCount} more`] : []),
  ];
  const noteText = `its block on ${from} still contains texts about the template: ${texts.join(', ')}`;
  const values = lines.map((line) => truncateText(line, MAX_NOTE_LENGTH));
  return createPageNote(page, 'part', truncateText(noteText, MAX_NOTE_LENGTH), {
    linkFrom: from,
    ...valueFields(values),
  });
}

/** The new page's block on the page `from` has no text that could be the page's name. */
export const unnamedBlockNote = (page: string, from: string): Note =>
  createPageNote(page, 'part', `its block on ${from} contains no text that could name the page`);

/** A list in structured data names the template, but not the new page. */
export const unlistedPageNote = (page: string, from: string): Note =>
  createPageNote(
    page,
    'part',
    `the list in the structured data of ${from} contains the template but not this page: add the page by hand`,
  );

/** The page `from` already linked to the new page. */
export const alreadyLinkedNote = (page: string, from: string): Note =>
  createPageNote(page, 'undone', `${from} already links to the page`);

/** No page links to new pages, although the pages `linking` link to their template. */
export function unlinkedPagesNote(pages: string[], linking: string[]): Note {
  const from = `${listSlugs(linking)} ${linking.length > 1 ? 'link' : 'links'} to the template`;
  const text = `No page links to ${listSlugs(pages)} yet. Choose a page that should link here: ${from}`;
  return { ...(pages.length === 1 && { page: pages[0]! }), kind: 'part', text };
}

/** The page `from` no longer has a place for the link to a new page. */
export const noPlaceLeftNote = (page: string, from: string): Note =>
  createPageNote(
    page,
    'part',
    `${from} does not link to the page, because the blocks next to which the link should be are no longer there`,
  );

function listSlugs(slugs: string[]): string {
  const moreCount = slugs.length - MAX_PAGES;
  const namedSlugs = slugs.slice(0, MAX_PAGES);
  const lastWords = moreCount > 0 ? `${moreCount} more` : namedSlugs.pop()!;
  return namedSlugs.length > 0 ? `${namedSlugs.join(', ')} and ${lastWords}` : lastWords;
}
