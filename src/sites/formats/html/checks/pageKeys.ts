import { findKnownKeys } from '../../../checks/knownKeys.ts';
import type { PageSource } from '../../format.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import { openHtmlPage } from '../openHtmlPage.ts';
import { findPageFeatures } from './pageFeatures.ts';
import { allElements } from '../insideTemplates.ts';
import { referencesInPage } from './elementReferences.ts';

/** The given keys of features and external references that a page has: see `findKnownKeys`. */
export const findPageKeys = ({ path, source }: PageSource, keys: string[]): string[] =>
  findKnownKeys(source, keys, {
    externalReferences: () => referencesInPage(source),
    gains: (featureKeys) => knownFeatureKeys({ path, source }, featureKeys),
  });

function knownFeatureKeys({ path, source }: PageSource, keys: string[]): string[] {
  if (
    keys.every(
      (key) => key.startsWith('class ') && !mayContainName(source, key.slice('class '.length)),
    )
  )
    return [];
  const page = openHtmlPage({ path, source });
  const gains = findPageFeatures(allElements(page), createUrlResolver(page));
  const keysInPage = new Set([...gains.values()].flatMap((gain) => gain.keys));
  return keys.filter((key) => keysInPage.has(key));
}

/** Saves parsing most pages. A character reference (`&`) may hide a name. */
const mayContainName = (source: string, name: string) =>
  source.includes(name) || source.includes('&');
