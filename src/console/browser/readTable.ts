import papa from 'papaparse';

export interface Table {
  names: string[];
  rows: string[][];
}

/** What a person may paste or upload, in characters. */
const MOST = 2_000_000;
const MOST_ROWS = 500;

/**
 * A table as spreadsheets copy it (with tabs) or save it (CSV). Its first row names the columns.
 * @returns the table, or a sentence that says why it is none
 */
export function readTable(text: string): Table | string {
  if (text.length > MOST) return 'This is too much for one table. Take 500 rows at most.';
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const { data } = papa.parse<string[]>(text.trim(), {
    skipEmptyLines: 'greedy',
    ...(first.includes('\t') && { delimiter: '\t' }),
  });
  const [names = [], ...rows] = data.map((row) => row.map((value) => value.trim()));
  if (names.length === 0 || rows.length === 0) return 'A table has a row of names, and a row for each page below it.';
  if (rows.length > MOST_ROWS) return `There are ${rows.length} rows. Take ${MOST_ROWS} at most.`;
  return { names: names.map((name, at) => name || `Column ${at + 1}`), rows };
}
