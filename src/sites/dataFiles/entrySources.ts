import type { PageSource } from '../formats/format.ts';
import { DomainError } from '../../errors.ts';
import { readDocumentValues } from '../formats/frontMatter.ts';
import { invalidInput } from '../invalidInput.ts';
import { dataLanguage, isFilePattern } from './entryPaths.ts';
import { type DataFile, type DataMember, readDataFile } from './readDataFile.ts';

/*
 * The source of an entry as a page: front matter without a body. In JSON, these are the bytes of
 * the object. In YAML, they are the entry's lines between fences, with a space for the dash:
 *
 *     - slug: berlin          ---
 *       title: Berlin           slug: berlin
 *                               title: Berlin
 *                             ---
 */

/** The entries of a data file as pages, in the order of the file. */
export interface SplitDataFile {
  entries: { key: string; source: string }[];
  /** Why some entries are not pages, as sentences. */
  problems: string[];
}

/**
 * Splits a data file into pages. At the path of a pattern, it is one of the files that the pattern
 * names, and its entry has no key.
 * @throws DomainError as `readDataFile`
 */
export function splitDataFile(file: PageSource): SplitDataFile {
  if (isFilePattern(file.path))
    return { entries: [{ key: '', source: readEntryFile(file) }], problems: [] };
  const dataFile = readDataFile(file);
  return {
    entries: dataFile.members.flatMap((member) =>
      member.key === null ? [] : [{ key: member.key, source: sourceOfEntry(dataFile, member) }],
    ),
    problems: dataFile.problems,
  };
}

/**
 * A data file that is one entry, as a page.
 * @throws DomainError PAGE_UNREADABLE with line and column for what does not parse, or is no object
 */
function readEntryFile({ path, source }: PageSource): string {
  const language = dataLanguage(path);
  if (language === 'yaml' && /^---/m.test(source))
    throw new DomainError('PAGE_UNREADABLE', 'A line begins with "---", so it is not one entry');
  const values = readDocumentValues(source, language);
  if (values.length === 0 || values.some(({ path: [name] }) => typeof name !== 'string'))
    throw new DomainError('PAGE_UNREADABLE', 'It is not an object with values');
  if (language === 'json') return source;
  const lineEnd = source.includes('\r\n') ? '\r\n' : '\n';
  return source.endsWith('\n')
    ? `---${lineEnd}${source}---${lineEnd}`
    : `---${lineEnd}${source}${lineEnd}---`;
}

/**
 * The bytes of a data file that is one entry. It ends with a line end if its page does.
 * @throws DomainError INVALID_INPUT if the page is not an entry any more
 */
export function bytesOfEntryFile(path: string, entry: { key: string; source: string }): string {
  const { source } = entry;
  if (dataLanguage(path) === 'json') return source;
  const [lineEnd = ''] = /\r?\n$/.exec(source) ?? [];
  return bytesOfEntry({ language: 'yaml' }, entry) + lineEnd;
}

/** The source of an entry as a page. */
export function sourceOfEntry(
  { language, source, lineEnd }: DataFile,
  { content: { start, end }, dash }: Pick<DataMember, 'content' | 'dash'>,
): string {
  const raw = source.slice(start, end);
  if (language === 'json') return raw;
  const lines = dash === undefined ? raw : `${raw.slice(0, dash)} ${raw.slice(dash + 1)}`;
  return `---${lineEnd}${lines}${lineEnd}---${lineEnd}`;
}

/**
 * The bytes of an entry in its file.
 * @param dash the column of the dash, in a list in YAML
 * @throws DomainError INVALID_INPUT if the page is not an entry any more
 */
export function bytesOfEntry(
  { language }: Pick<DataFile, 'language'>,
  { key, source, dash }: { key: string; source: string; dash?: number | undefined },
): string {
  if (language === 'json') return source.trim();
  const text = source.trimEnd();
  const opening = /^---\r?\n/.exec(text);
  const closing = /\r?\n---$/.exec(text.slice(-5));
  if (!opening || !closing)
    throw invalidInput(`The entry "${key}" of a data file has only values between two lines "---"`);
  const lines = text.slice(opening[0].length, text.length - closing[0].length);
  if (dash === undefined) return lines;
  if (!/^ +$/.test(lines.slice(0, dash + 2)))
    throw invalidInput(`Line 2, column 1: the entry "${key}" must be indented as the others are`);
  return `${lines.slice(0, dash)}-${lines.slice(dash + 1)}`;
}
