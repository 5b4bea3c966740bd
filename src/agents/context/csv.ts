import papa from 'papaparse';
import { foldWords } from '../text/fold.ts';
import { isKnownKey } from './contextKeys.ts';
import { tidy, type ContextData, type Field } from './contextData.ts';
import { joined } from './keyValueLines.ts';
import { keyOf } from './contextObjects.ts';

const MOST_ROWS = 1_000;
const KEY = /^\p{L}[\p{L}\p{M}\p{N} _/()'’.-]{0,40}(?<!\.)$/u;

type Csv = Pick<ContextData, 'fields'> & { notes: string[] };

/**
 * Reads CSV (RFC 4180) with commas, semicolons or tabs: a header and rows of values, or two columns
 * of keys and values. Of several rows, uses the one with the page's slug, or else the first.
 * @param slug the new page's
 * @returns null if the first line is no header. With commas or semicolons, a header must have a
 * known key.
 */
export function readCsv(text: string, slug: string): Csv | null {
  const source = text.replace(/^sep=.\n/i, '');
  const delimiter = delimiterOf(source.split('\n', 1)[0]!);
  const rows = delimiter === null ? null : rowsOf(source, delimiter);
  const [header = [], ...records] = rows ?? [];
  if (records.length === 0) return null;
  const isPairs =
    rows!.every(({ length }) => length === 2) &&
    isKnown(records[0]!) &&
    rows!.filter(isKnown).length > 1;
  // pairs may have a header of their own: `field,value`
  if (isPairs) return { fields: fieldsOf(isKnown(header) ? rows! : records), notes: [] };
  const keys = header.map(keyOf);
  if (!header.every((cell) => KEY.test(cell)) || (delimiter !== '\t' && !keys.some(isKnownKey)))
    return null;
  const record = records.find((cells) => namesSlug(cells, slug)) ?? records[0]!;
  const values = record.slice(0, record.findLastIndex((cell) => cell !== '') + 1);
  const isTorn = values.length > header.length;
  const torn = `a row of the context has ${values.length} values for ${header.length} keys: put quotes around values with "${delimiter}"`;
  const chosen = `of the ${records.length} rows of the context, only "${record[0]}" is used`;
  return {
    fields: isTorn ? [] : fieldsOf(values.map((cell, i) => [header[i]!, cell])),
    notes: isTorn ? [torn] : records.length > 1 ? [chosen] : [],
  };
}

const isKnown = ([key]: string[]) => isKnownKey(keyOf(key ?? ''));

function delimiterOf(line: string): string | null {
  const counts = ['\t', ';', ','].map((mark) => ({ mark, count: line.split(mark).length - 1 }));
  const [best] = counts.sort((a, b) => b.count - a.count);
  return best!.count > 0 ? best!.mark : null;
}

function rowsOf(text: string, delimiter: string): string[][] | null {
  const options = { delimiter, preview: MOST_ROWS, skipEmptyLines: true };
  // people write a space before a quote, which RFC 4180 does not allow
  const source = text.replaceAll(new RegExp(`([${delimiter}\\n]) +"(?!")`, 'g'), '$1"');
  const { data, errors } = papa.parse<string[]>(source, options);
  const isOpen = errors.some(({ code }) => code === 'MissingQuotes');
  const rows = data.map((cells) => cells.map((cell) => cell.trim()));
  return !isOpen && rows[0] && rows[0].length > 1 ? rows : null;
}

const fieldsOf = (pairs: string[][]): Field[] =>
  joined(
    pairs.flatMap(([key = '', value = '']) =>
      keyOf(key) === '' || value === '' ? [] : [{ key: keyOf(key), values: [tidy(value)] }],
    ),
  );

/** Whether one of the cells is a page's slug, or the slug's last part. */
function namesSlug(cells: string[], slug: string): boolean {
  const name = foldWords(slug.split('/').at(-1)!);
  return cells.some((cell) => cell === slug || foldWords(cell) === name);
}
