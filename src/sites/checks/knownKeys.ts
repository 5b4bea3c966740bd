import { addressesOf } from '../html/links/addresses.ts';
import { parseDocument } from '../html/document.ts';
import { htmlFormat } from '../html/htmlFormat.ts';
import type { PageSource } from '../pages/pages.ts';
import { classesIn } from '../styles/listStyles.ts';
import { insideTemplates } from './elements.ts';
import { gainsOf } from './gains.ts';

/**
 * Which of some keys of gains a page or style sheet of the site has. A file that can't be read has none.
 * @param keys as `gainsOf` makes them
 */
export function knownKeys({ path, source }: PageSource, keys: string[]): string[] {
  if (!htmlFormat.handles(path)) {
    const classes = new Set(classesIn(source));
    return keys.filter((key) => key.startsWith('class ') && classes.has(key.slice('class '.length)));
  }
  if (keys.every((key) => key.startsWith('class ') && !mayHave(source, key.slice('class '.length)))) return [];
  const found = new Set(keysIn({ path, source }));
  return keys.filter((key) => found.has(key));
}

/** A quick look that saves parsing most pages. */
const mayHave = (source: string, name: string) => source.includes(name) || source.includes('&');

function keysIn({ path, source }: PageSource): string[] {
  const page = parseDocument(source);
  const file = { path, slug: htmlFormat.slugOf(path) };
  const elements = [...page.numbers.keys(), ...insideTemplates(page)];
  const gains = gainsOf(elements, addressesOf(page, { template: file, target: file }));
  return [...gains.values()].flatMap(({ keys }) => keys);
}
