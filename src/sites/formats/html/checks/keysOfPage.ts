import { knownKeysBy } from '../../../checks/keysOfFile.ts';
import type { PageSource } from '../../format.ts';
import { parseDocument } from '../document.ts';
import { htmlPaths } from '../htmlPaths.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { insideTemplates } from './insideTemplates.ts';
import { gainsOf } from './gains.ts';
import { outsidersOf } from './outsidersIn.ts';

/** Which of some keys of gains and outsiders a page has: see `knownKeysBy`. */
export const knownKeys = (page: PageSource, keys: string[]): string[] =>
  knownKeysBy(page.source, keys, {
    outsiders: () => outsidersOf(page.source),
    gains: (others) => knownGains(page, others),
  });

function knownGains({ path, source }: PageSource, keys: string[]): string[] {
  if (keys.every((key) => key.startsWith('class ') && !mayHave(source, key.slice('class '.length))))
    return [];
  const found = new Set(keysIn({ path, source }));
  return keys.filter((key) => found.has(key));
}

/** A quick look that saves parsing most pages. */
const mayHave = (source: string, name: string) => source.includes(name) || source.includes('&');

function keysIn({ path, source }: PageSource): string[] {
  const page = parseDocument(source);
  const file = { path, slug: htmlPaths.slugOf(path) };
  const elements = [...page.numbers.keys(), ...insideTemplates(page)];
  const gains = gainsOf(elements, addressesOf(page, { template: file, target: file }));
  return [...gains.values()].flatMap(({ keys }) => keys);
}
