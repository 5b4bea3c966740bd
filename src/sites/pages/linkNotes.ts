import { type Note, noteOn } from '../../contract/task.ts';
import { collapse, cut, quoted } from '../../text/text.ts';

const MOST_TEXTS = 6;
const MOST_PAGES = 5;
const LONGEST = 300;

/** The new page's block on the page `from` still has texts about the template. */
export function keptTexts(page: string, from: string, kept: string[]): Note {
  const lines = kept.map(collapse);
  const rest = lines.length - MOST_TEXTS;
  const texts = [
    ...lines.slice(0, MOST_TEXTS).map((text) => quoted(text)),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
  const says = `its block on ${from} still has texts of the template's: ${texts.join(', ')}`;
  return noteOn(page, 'part', cut(says, LONGEST), { value: cut(lines[0]!, LONGEST) });
}

export const unnamedBlock = (page: string, from: string): Note =>
  noteOn(page, 'part', `its block on ${from} has no text that could name it`);

/** A list in structured data names the template, but not the new page. */
export const unlisted = (page: string, from: string): Note =>
  noteOn(
    page,
    'part',
    `the list in the structured data of ${from} has the template, and not this page: add it by hand`,
  );

/** The page `from` already linked to the new page. */
export const linkedAlready = (page: string, from: string): Note =>
  noteOn(page, 'undone', `${from} links to it already`);

/** Nothing links to new pages, though other pages link to their template. */
export function unlinked(pages: string[], linking: string[]): Note {
  const from = `${listed(linking)} ${linking.length > 1 ? 'link' : 'links'} to the template`;
  const text = `Nothing links yet to ${listed(pages)}. Choose a page that links here: ${from}`;
  return { ...(pages.length === 1 && { page: pages[0]! }), kind: 'part', text };
}

/** The page `from` no longer has a place for the link to a new page. */
export const noPlaceLeft = (page: string, from: string): Note =>
  noteOn(
    page,
    'part',
    `${from} does not link to it: the blocks beside which the link was to stand are gone from there`,
  );

function listed(slugs: string[]): string {
  const rest = slugs.length - MOST_PAGES;
  const named = slugs.slice(0, MOST_PAGES);
  const last = rest > 0 ? `${rest} more` : named.pop()!;
  return named.length > 0 ? `${named.join(', ')} and ${last}` : last;
}
