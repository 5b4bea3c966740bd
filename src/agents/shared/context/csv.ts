import papa from 'papaparse';
import { foldWords } from '../text/foldText.ts';
import { isKnownKey } from './contextKeys.ts';
import { cleanValue, type ContextData, type ContextField } from './contextData.ts';
import { mergeFields } from './keyValueLines.ts';
import { foldKey } from './jsonAndYaml.ts';

const MOST_ROWS = 1_000;
const HEADER_CELL = /^\p{L}[\p{L}\p{M}\p{N} _/()'’.-]{0,40}(?<!\.)$/u;

type CsvContent = Pick<ContextData, 'fields'> & { notes: string[] };

/** What a person should know about the rows of a context. */
export const csvNotes = {
  tornRow: (valueCount: number, keyCount: number, delimiter: string) =>
    `a row of the context has ${valueCount} values for ${keyCount} keys. Put quotation marks around values with "${delimiter}"`,
  chosenRow: (rowCount: number, firstCell: string) =>
    `of the ${rowCount} rows of the context, only "${firstCell}" is used`,
};

/**
 * Reads CSV (RFC 4180) with commas, semicolons or tabs: a header and rows of values, or two columns
 * of keys and values. If there are several rows, uses the one with the page's slug, or else the
 * first.
 * @param slug the new page's
 * @returns null if the first line is not a header. With commas or semicolons, a header must have a
 *   known key.
 */
export function readCsv(text: string, slug: string): CsvContent | null {
  const source = text.replace(/^sep=.\n/i, '');
  const delimiter = findDelimiter(source.split('\n', 1)[0]!);
  const rows = delimiter === null ? null : parseCsvRows(source, delimiter);
  const [header = [], ...records] = rows ?? [];
  if (records.length === 0) return null;
  const isPairs =
    rows!.every(({ length }) => length === 2) &&
    hasKnownKey(records[0]!) &&
    rows!.filter(hasKnownKey).length > 1;
  // pairs may have a header of their own: `field,value`
  if (isPairs) return { fields: createCsvFields(hasKnownKey(header) ? rows! : records), notes: [] };
  const keys = header.map(foldKey);
  if (
    !header.every((cell) => HEADER_CELL.test(cell)) ||
    (delimiter !== '\t' && !keys.some(isKnownKey))
  )
    return null;
  const record = records.find((cells) => rowNamesSlug(cells, slug)) ?? records[0]!;
  const values = record.slice(0, record.findLastIndex((cell) => cell !== '') + 1);
  const isTorn = values.length > header.length;
  const note = isTorn
    ? csvNotes.tornRow(values.length, header.length, delimiter!)
    : csvNotes.chosenRow(records.length, record[0]!);
  return {
    fields: isTorn ? [] : createCsvFields(values.map((cell, index) => [header[index]!, cell])),
    notes: isTorn || records.length > 1 ? [note] : [],
  };
}

const hasKnownKey = ([key]: string[]) => isKnownKey(foldKey(key ?? ''));

function findDelimiter(line: string): string | null {
  const counts = ['\t', ';', ','].map((mark) => ({ mark, count: line.split(mark).length - 1 }));
  const [mostFrequent] = counts.sort((first, second) => second.count - first.count);
  return mostFrequent!.count > 0 ? mostFrequent!.mark : null;
}

function parseCsvRows(text: string, delimiter: string): string[][] | null {
  const options = { delimiter, preview: MOST_ROWS, skipEmptyLines: true };
  // people write a space before a quote, which RFC 4180 does not allow
  const source = text.replaceAll(new RegExp(`([${delimiter}\\n]) +"(?!")`, 'g'), '$1"');
  const { data, errors } = papa.parse<string[]>(source, options);
  const isQuoteOpen = errors.some(({ code }) => code === 'MissingQuotes');
  const rows = data.map((cells) => cells.map((cell) => cell.trim()));
  return !isQuoteOpen && rows[0] && rows[0].length > 1 ? rows : null;
}

const createCsvFields = (pairs: string[][]): ContextField[] =>
  mergeFields(
    pairs.flatMap(([key = '', value = '']) =>
      foldKey(key) === '' || value === ''
        ? []
        : [{ key: foldKey(key), values: [cleanValue(value)] }],
    ),
  );

/** Whether one of the cells is a page's slug, or the slug's last part. */
function rowNamesSlug(cells: string[], slug: string): boolean {
  const lastSlugPart = foldWords(slug.split('/').at(-1)!);
  return cells.some((cell) => cell === slug || foldWords(cell) === lastSlugPart);
}
