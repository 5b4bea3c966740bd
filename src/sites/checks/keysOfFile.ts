import { domainToUnicode } from 'node:url';
import { TokenType } from '@csstools/css-tokenizer';
import { normalizeText } from '../../contract/normalizeText.ts';
import type { PageSource } from '../formats/format.ts';
import type { Outsiders } from './findOutsiders.ts';
import { outsidersInFile } from './outsidersInFile.ts';
import { readTokens } from '../styles/readTokens.ts';

/** Reads a file if a quick test can't exclude the keys. */
interface Reading {
  externalReferences: () => Outsiders;
  /** The given keys of gains that the file has. */
  gains: (keys: string[]) => string[];
}

/**
 * The given keys of gains and outsiders that a file of the site has; none for an unreadable file.
 * @param keys as `gainsOf` and `outsidersIn` make them
 */
export function knownKeysBy(source: string, keys: string[], read: Reading): string[] {
  const [ofOutsiders, others] = [
    keys.filter(isOfOutsider),
    keys.filter((key) => !isOfOutsider(key)),
  ];
  return [
    ...knownOutsiders(source.toLowerCase(), ofOutsiders, read),
    ...(others.length > 0 ? read.gains(others) : []),
  ];
}

/** The given keys that a style sheet, or another file that is no page, has. */
export const knownKeys = (file: PageSource, keys: string[]): string[] =>
  knownKeysBy(file.source, keys, {
    externalReferences: () => outsidersInFile(file),
    gains: (others) => {
      const classes = new Set(classesIn(file.source));
      return others.filter(
        (key) => key.startsWith('class ') && classes.has(key.slice('class '.length)),
      );
    },
  });

const isOfOutsider = (key: string) => /^(?:host|text|email|telephone) /.test(key);

function knownOutsiders(source: string, keys: string[], read: Reading): string[] {
  const possible = keys.filter((key) => mayName(source, key));
  if (possible.length === 0) return [];
  const found = read.externalReferences();
  return possible.filter((key) => found.has(key));
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
  return [host, domainToUnicode(host)].some((form) => source.includes(longestLabel(form)));
}

const longestLabel = (host: string) =>
  host.split('.').reduce((a, b) => (b.length > a.length ? b : a));

/** The classes in a style sheet's selectors, unescaped as in a page's `class`. */
function classesIn(css: string): string[] {
  const { tokens } = readTokens(css);
  const found = new Set<string>();
  for (const [i, token] of tokens.entries())
    if (
      token[0] === TokenType.Ident &&
      tokens[i - 1]?.[0] === TokenType.Delim &&
      tokens[i - 1]![1] === '.'
    )
      found.add(token[4].value);
  return [...found];
}
