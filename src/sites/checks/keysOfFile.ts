import { domainToUnicode } from 'node:url';
import type { PageSource } from '../formats/format.ts';
import { classesIn } from '../styles/listStyles.ts';
import type { Outsiders } from './findOutsiders.ts';
import { outsidersInFile } from './outsidersInFile.ts';

/** How a file is read if a quick look does not tell. */
interface Reading {
  outsiders: () => Outsiders;
  /** Which of some keys of gains it has. */
  gains: (keys: string[]) => string[];
}

/**
 * Which of some keys of gains and outsiders a file of the site has. A file that can't be read has
 * none.
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

/** The same of a style sheet, or of another file that is no page. */
export const knownKeys = (file: PageSource, keys: string[]): string[] =>
  knownKeysBy(file.source, keys, {
    outsiders: () => outsidersInFile(file),
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
  const found = read.outsiders();
  return possible.filter((key) => found.has(key));
}

/**
 * A quick look that saves parsing most files: at the longest label of a host, or at what a number
 * dials.
 */
function mayName(source: string, key: string): boolean {
  const [kind, value = ''] = key.split(' ');
  if (kind === 'telephone')
    return source
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .includes(value);
  const host = value.slice(value.lastIndexOf('@') + 1);
  return [host, domainToUnicode(host)].some((form) => source.includes(longestLabel(form)));
}

const longestLabel = (host: string) =>
  host.split('.').reduce((a, b) => (b.length > a.length ? b : a));
