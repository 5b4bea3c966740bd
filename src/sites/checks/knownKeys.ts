import { domainToUnicode } from 'node:url';
import { addressesOf } from '../formats/html/links/addresses.ts';
import { parseDocument } from '../formats/html/document.ts';
import { htmlFormat } from '../formats/html/htmlFormat.ts';
import type { PageSource } from '../pages/pages.ts';
import { classesIn } from '../styles/listStyles.ts';
import { insideTemplates } from '../formats/html/checks/elements.ts';
import { gainsOf } from '../formats/html/checks/gains.ts';
import { outsidersInFile } from './outsidersInFile.ts';

/**
 * Which of some keys of gains and outsiders a page or style sheet of the site has. A file that can't be read has none.
 * @param keys as `gainsOf` and `outsidersIn` make them
 */
export function knownKeys(file: PageSource, keys: string[]): string[] {
  const [ofOutsiders, others] = [keys.filter(isOfOutsider), keys.filter((key) => !isOfOutsider(key))];
  return [...knownOutsiders(file, ofOutsiders), ...knownGains(file, others)];
}

const isOfOutsider = (key: string) => /^(?:host|text|email|telephone) /.test(key);

function knownOutsiders(file: PageSource, keys: string[]): string[] {
  const source = file.source.toLowerCase();
  const possible = keys.filter((key) => mayName(source, key));
  if (possible.length === 0) return [];
  const found = outsidersInFile(file);
  return possible.filter((key) => found.has(key));
}

/** A quick look that saves parsing most files: at the longest label of a host, or at what a number dials. */
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

const longestLabel = (host: string) => host.split('.').reduce((a, b) => (b.length > a.length ? b : a));

function knownGains({ path, source }: PageSource, keys: string[]): string[] {
  if (keys.length === 0) return [];
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
