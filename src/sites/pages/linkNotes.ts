import { cut, quoted } from '../html/text.ts';

/** Something that a person should check about a link to a new page. */
export interface LinkNote {
  /** The new page; absent where it is about several. */
  page?: string;
  kind: 'link';
  text: string;
  /** The text that is still the template's. */
  value?: string;
}

const MOST_TEXTS = 6;
const MOST_PAGES = 5;
const LONGEST = 300;

/** The new block on the page `from` still says what was said of the template. */
export function keptTexts(page: string, from: string, kept: string[]): LinkNote {
  const rest = kept.length - MOST_TEXTS;
  const texts = [...kept.slice(0, MOST_TEXTS).map((text) => quoted(text)), ...(rest > 0 ? [`and ${rest} more`] : [])];
  const text = cut(`${page}: its block on ${from} still has texts of the template's: ${texts.join(', ')}`, LONGEST);
  return { page, kind: 'link', text, value: kept[0]! };
}

export const unnamedBlock = (page: string, from: string): LinkNote => ({
  ...{ page, kind: 'link' },
  text: `${page}: its block on ${from} has no text that could name it`,
});

/** Nothing links to new pages, though pages link to their template. */
export function unlinked(pages: string[], linking: string[]): LinkNote {
  const [those, from] = [listed(pages), listed(linking)];
  const text = `Nothing links to ${those} yet: "linkFrom" names the page that shall (${from} ${linking.length > 1 ? 'link' : 'links'} to the template)`;
  return { ...(pages.length === 1 && { page: pages[0]! }), kind: 'link', text };
}

/** The page that was to link to a new one has no place for the link any more. */
export const noPlaceLeft = (page: string, from: string): LinkNote => ({
  ...{ page, kind: 'link' },
  text: `${page}: ${from} does not link to it, because the blocks beside which the link was to stand are gone from there`,
});

function listed(slugs: string[]): string {
  const rest = slugs.length - MOST_PAGES;
  return [...slugs.slice(0, MOST_PAGES), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
