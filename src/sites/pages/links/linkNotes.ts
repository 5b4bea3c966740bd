import { type Note, createPageNote } from '../../../contract/task.ts';
import { collapseSpaces, truncateText, quoteText } from '../../../text/text.ts';

const MAX_TEXTS = 6;
const MAX_PAGES = 5;
const MAX_NOTE_LENGTH = 300;

/** The new page's block on the page `from` still has texts about the template. */
export function templateTextsNote(page: string, from: string, templateTexts: string[]): Note {
  const lines = templateTexts.map(collapseSpaces);
  const moreCount = lines.length - MAX_TEXTS;
  const texts = [
    ...lines.slice(0, MAX_TEXTS).map((text) => quoteText(text)),
    ...(moreCount > 0 ? [`and ${moreCount} more`] : []),
  ];
  const says = `its block on ${from} still has texts of the template's: ${texts.join(', ')}`;
  return createPageNote(page, 'part', truncateText(says, MAX_NOTE_LENGTH), {
    value: truncateText(lines[0]!, MAX_NOTE_LENGTH),
  });
}

export const unnamedBlockNote = (page: string, from: string): Note =>
  createPageNote(page, 'part', `its block on ${from} has no text that could name it`);

/** A list in structured data names the template, but not the new page. */
export const unlistedPageNote = (page: string, from: string): Note =>
  createPageNote(
    page,
    'part',
    `the list in the structured data of ${from} has the template, and not this page: add it by hand`,
  );

/** The page `from` already linked to the new page. */
export const alreadyLinkedNote = (page: string, from: string): Note =>
  createPageNote(page, 'undone', `${from} links to it already`);

/** Nothing links to new pages, though other pages link to their template. */
export function unlinkedPagesNote(pages: string[], linking: string[]): Note {
  const from = `${listSlugs(linking)} ${linking.length > 1 ? 'link' : 'links'} to the template`;
  const text = `Nothing links yet to ${listSlugs(pages)}. Choose a page that links here: ${from}`;
  return { ...(pages.length === 1 && { page: pages[0]! }), kind: 'part', text };
}

/** The page `from` no longer has a place for the link to a new page. */
export const noPlaceLeftNote = (page: string, from: string): Note =>
  createPageNote(
    page,
    'part',
    `${from} does not link to it: the blocks beside which the link was to stand are gone from there`,
  );

function listSlugs(slugs: string[]): string {
  const moreCount = slugs.length - MAX_PAGES;
  const namedSlugs = slugs.slice(0, MAX_PAGES);
  const lastWords = moreCount > 0 ? `${moreCount} more` : namedSlugs.pop()!;
  return namedSlugs.length > 0 ? `${namedSlugs.join(', ')} and ${lastWords}` : lastWords;
}
