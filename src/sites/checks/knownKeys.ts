import { domainToUnicode } from 'node:url';
import { TokenType } from '@csstools/css-tokenizer';
import { normalizeText } from '../../contract/normalizeText.ts';
import type { PageSource } from '../formats/format.ts';
import type { ReferenceIndex } from './externalReferences.ts';
import { referencesInFile } from './fileReferences.ts';
import { readTokens } from '../styles/readTokens.ts';

/** Parses a file, which is only done if a quick test can't exclude that it has the keys. */
interface KeyReaders {
  externalReferences: () => ReferenceIndex;
  /** Returns those keys of features that the file has. */
  gains: (keys: string[]) => string[];
}

/**
 * Returns those keys that a file of the site has. If a changed page gains the key `class card`, and
 * another file has it already, the page may have it too.
 * @param keys of features (`class card`) and external references (`host partner.example`), as
 *   `findPageFeatures` and `referencesInElements` make them
 */
export function findKnownKeys(source: string, keys: string[], read: KeyReaders): string[] {
  const [referenceKeys, featureKeys] = [
    keys.filter(isReferenceKey),
    keys.filter((key) => !isReferenceKey(key)),
  ];
  return [
    ...knownReferenceKeys(source.toLowerCase(), referenceKeys, read),
    ...(featureKeys.length > 0 ? read.gains(featureKeys) : []),
  ];
}

/** Returns those keys that a style sheet, or another file that is not a page, has. */
export const knownFileKeys = (file: PageSource, keys: string[]): string[] =>
  findKnownKeys(file.source, keys, {
    externalReferences: () => referencesInFile(file),
    gains: (featureKeys) => {
      const classes = new Set(selectorClasses(file.source));
      return featureKeys.filter(
        (key) => key.startsWith('class ') && classes.has(key.slice('class '.length)),
      );
    },
  });

const isReferenceKey = (key: string) => /^(?:host|text|email|telephone) /.test(key);

function knownReferenceKeys(source: string, keys: string[], read: KeyReaders): string[] {
  const possible = keys.filter((key) => mayName(source, key));
  if (possible.length === 0) return [];
  const references = read.externalReferences();
  return possible.filter((key) => references.has(key));
}

/**
 * A quick test that saves parsing most files: searches for the longest label of a host, or for the
 * digits of a telephone number.
 */
function mayName(source: string, key: string): boolean {
  const [kind, value = ''] = key.split(' ');
  if (kind === 'telephone')
    return normalizeText(source, 'NFKC')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .includes(value);
  const host = value.slice(value.lastIndexOf('@') + 1);
  return [host, domainToUnicode(host)].some((hostForm) => source.includes(longestLabel(hostForm)));
}

const longestLabel = (host: string) =>
  host.split('.').reduce((longest, label) => (label.length > longest.length ? label : longest));

/** The classes in a style sheet's selectors, unescaped as in a page's `class`. */
function selectorClasses(css: string): string[] {
  const { tokens } = readTokens(css);
  const classes = new Set<string>();
  for (const [i, token] of tokens.entries())
    if (
      token[0] === TokenType.Ident &&
      tokens[i - 1]?.[0] === TokenType.Delim &&
      tokens[i - 1]![1] === '.'
    )
      classes.add(token[4].value);
  return [...classes];
}
