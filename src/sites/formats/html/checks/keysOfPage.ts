import { knownKeysBy } from '../../../checks/keysOfFile.ts';
import type { PageSource } from '../../format.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { openPage } from '../openPage.ts';
import { gainsOf } from './gains.ts';
import { allElements } from '../insideTemplates.ts';
import { outsidersOf } from './outsidersIn.ts';

/** The given keys of gains and outsiders that a page has: see `knownKeysBy`. */
export const keysOfPage = ({ path, source }: PageSource, keys: string[]): string[] =>
  knownKeysBy(source, keys, {
    outsiders: () => outsidersOf(source),
    gains: (others) => knownGains({ path, source }, others),
  });

function knownGains({ path, source }: PageSource, keys: string[]): string[] {
  if (keys.every((key) => key.startsWith('class ') && !mayHave(source, key.slice('class '.length))))
    return [];
  const page = openPage({ path, source });
  const gains = gainsOf(allElements(page), addressesOf(page));
  const found = new Set([...gains.values()].flatMap((gain) => gain.keys));
  return keys.filter((key) => found.has(key));
}

/**
 * A quick test for a name that saves parsing most pages. A character reference (`&`) may hide a
 * name.
 */
const mayHave = (source: string, name: string) => source.includes(name) || source.includes('&');
