import MagicString from 'magic-string';
import type { PageFile } from '../../contract/site.ts';
import type { TextRange } from '../../text/textRange.ts';
import { invalidInput } from '../invalidInput.ts';
import { dateInName } from './datedName.ts';
import type { PageCreation } from './format.ts';
import { hasGeneratorCode } from './generatorCode.ts';
import {
  type FrontMatter,
  type FrontMatterValue,
  haveSameValues,
  readFrontMatter,
} from './frontMatter.ts';
import { writeFrontMatterValue } from './writeFrontMatterValue.ts';

/** Keys with which a page states its own address or name. */
const addressKeys = new Set(['slug', 'permalink', 'url', 'id']);
/** Keys of former addresses, which lead to the template. */
const formerAddressKeys = new Set(['aliases', 'redirect_from']);
const dateKeys =
  /^(?:date|pub_?date(?:time)?|publish_?date|published|created|last_?mod|updated(?:_?date)?)$/i;
const languageKeys = /^(?:lang|language|locale)$/;
const datePattern =
  /\d{4}-\d{2}-\d{2}(?:([T ])\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:([ ]*)(Z|[+-]\d{2}(:?)\d{2}))?)?/i;

/** Whether a new page gets another value for a key of front matter, or loses the key. */
export const isOwnKey = (key: string): boolean =>
  addressKeys.has(key) || formerAddressKeys.has(key) || dateKeys.test(key);

type OwnValues = Pick<PageCreation, 'target' | 'lang' | 'date'> & {
  /** The template's file. */
  from: PageFile;
  /** The new value for a path in the front matter that counts from the page's file. */
  moveUrl: (url: string) => string;
};

/**
 * Writes what a new page's front matter states about the page itself: its address, its dates and
 * its language. Former addresses of the template are removed.
 * @throws INVALID_INPUT if the front matter cannot be changed so
 */
export function writeOwnValues(source: string, own: OwnValues): string {
  const frontMatter = readFrontMatter(source);
  if (!frontMatter) return source;
  const removed = frontMatter.entries.filter(({ key }) => formerAddressKeys.has(key));
  const kept = frontMatter.values.filter(({ path }) => !formerAddressKeys.has(String(path[0])));
  const sourceEditor = new MagicString(source);
  const changed = new Set<FrontMatterValue>();
  for (const value of kept) {
    const raw = source.slice(value.start, value.end);
    const newRaw = newOwnValue(frontMatter, value, { ...own, raw });
    if (newRaw === raw) continue;
    sourceEditor.overwrite(value.start, value.end, newRaw);
    changed.add(value);
  }
  for (const entry of removed) {
    const { start, end } = entryRange(source, frontMatter, entry);
    sourceEditor.remove(start, end);
  }
  const written = sourceEditor.toString();
  if (!haveSameValues(kept, readFrontMatter(written) ?? {}, changed))
    throw invalidInput(
      `The front matter of ${own.from.slug} cannot get the address and dates of a new page`,
    );
  return written;
}

/** The source of a value in the new page. */
function newOwnValue(
  { language }: FrontMatter,
  value: FrontMatterValue,
  { raw, from, target, lang, date, moveUrl }: OwnValues & { raw: string },
): string {
  const { path, value: text } = value;
  const key = path.length === 1 ? String(path[0]) : '';
  const isToml = language === 'toml';
  if (dateKeys.test(key)) {
    const newDate = dateInName(target.slug) ?? date;
    return newDate === undefined
      ? raw
      : writeDate(raw, `${newDate}${(date ?? '').slice(newDate.length)}`);
  }
  if (typeof text !== 'string' || hasGeneratorCode(text)) return raw;
  const write = (newText: string) =>
    newText === text ? raw : writeFrontMatterValue({ value, raw, text, isToml }, newText, 'plain');
  if (addressKeys.has(key)) return write(ownAddress(text, from, target));
  if (languageKeys.test(key)) return write(lang ?? text);
  return /^\.{1,2}\//.test(text) ? write(moveUrl(text)) : raw;
}

/** A date in the form of another one: with or without a time, and in the same quotes. */
function writeDate(raw: string, isoDate: string): string {
  const day = isoDate.slice(0, 10);
  const time = isoDate.slice(11, 19) || '00:00:00';
  if (!datePattern.test(raw)) return /\d/.test(raw) ? raw.replace(/[^"']+/, day) : raw;
  const [match, separator, space = '', zone = '', colon = ''] = datePattern.exec(raw)!;
  const newZone = zone === '' || /z/i.test(zone) ? zone && 'Z' : `+00${colon}00`;
  return raw.replace(
    match,
    day + (separator === undefined ? '' : separator + time + space + newZone),
  );
}

/**
 * The address of a new page, in the form of its template's: `/locations/austin/` for
 * `content/locations/austin.md` becomes `/services/lisbon/` for `content/services/lisbon.md`. If
 * the address has nothing in common with the template's path, only its last part changes.
 */
function ownAddress(address: string, from: PageFile, to: PageFile): string {
  const [, start = '', path = '', end = ''] =
    /^(\/?)((?:[^/\s:?#]+\/)*?[^/\s:?#]+?)(\/|\/?(?:index)?\.html?|)$/i.exec(address) ?? [];
  if (path === '') return address;
  const [names, oldNames, newNames] = [path.split('/'), pathNames(from.slug), pathNames(to.slug)];
  const { length } = oldNames.slice(0, -names.length);
  const isOfPath =
    oldNames.length >= names.length &&
    oldNames.slice(length).every((name, i) => name === names[i]) &&
    oldNames.slice(0, length).every((name, i) => name === newNames[i]);
  const ownNames = isOfPath ? newNames.slice(length) : [...names.slice(0, -1), newNames.at(-1)!];
  return start + ownNames.join('/') + end;
}

/** The names in a slug, the last one without its date. */
const pathNames = (slug: string) => {
  const date = dateInName(slug);
  const names = slug.slice(1).split('/');
  return date === undefined ? names : [...names.slice(0, -1), names.at(-1)!.slice(date.length + 1)];
};

/** The range to remove for an entry: its lines, or in JSON the entry with a comma. */
function entryRange(
  source: string,
  { entries, language }: FrontMatter,
  entry: TextRange,
): TextRange {
  if (language !== 'json') {
    const newline = source.indexOf('\n', entry.end);
    const start = source.lastIndexOf('\n', entry.start) + 1;
    return { start, end: newline < 0 ? entry.end : newline + 1 };
  }
  const index = entries.findIndex(({ start }) => start === entry.start);
  const next = entries[index + 1];
  if (next) return { start: entry.start, end: next.start };
  return { start: entries[index - 1]?.end ?? entry.start, end: entry.end };
}
