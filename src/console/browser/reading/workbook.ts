import { readXlsx, type Sheet } from 'hucre/xlsx';
import { count } from '../../../browser/counts.ts';
import { tidy } from '../readTable.ts';
import { type Reading, takeInstead } from './fileKinds.ts';
import { shown } from './shownValue.ts';

/** The part of a sheet that is read. A table has fewer rows and columns. */
const READ_RANGE = 'A1:ALL20000';

/**
 * Reads the first visible sheet of an .xlsx workbook. Values are read as the spreadsheet shows
 * them, formulas by their saved values. Nothing is fetched.
 * @param language the person's: BCP 47 tag
 * @returns the cells, or a sentence that says why there are none
 */
export async function readWorkbook(bytes: Uint8Array, language: string): Promise<Reading | string> {
  const visible: string[] = [];
  try {
    const { sheets } = await readXlsx(bytes, {
      sheets: ({ name, hidden, veryHidden }) => !hidden && !veryHidden && visible.push(name) === 1,
      readStyles: true,
      range: READ_RANGE,
    });
    const [sheet] = sheets;
    if (!sheet) return `The workbook has no visible sheet. ${takeInstead}`;
    if (sheet.rows.length === 0)
      return `The first sheet, “${sheet.name}”, is empty. ${takeInstead}`;
    const name =
      visible.length > 1
        ? `the first sheet of ${visible.length}, “${sheet.name}”`
        : `sheet “${sheet.name}”`;
    return { ...cellsOf(sheet, language), sheet: name };
  } catch {
    return `This is no .xlsx workbook with a table, or it is damaged or too large. ${takeInstead}`;
  }
}

function cellsOf(
  { rows, cells, columns = [], rowDefs }: Sheet,
  language: string,
): Pick<Reading, 'cells' | 'remarks'> {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const open = Array.from({ length: width }, (_, at) => at).filter((at) => !columns[at]?.hidden);
  let unsaved = 0;
  const table = rows.map((row, at) => {
    if (rowDefs?.get(at)?.hidden) return [];
    return open.map((column) => {
      const cell = cells?.get(`${at},${column}`);
      const value = row[column] ?? null;
      if (value === null && cell?.formula !== undefined) unsaved++;
      return shown(value, cell?.style?.numFmt, language);
    });
  });
  const isFilled = (at: number) => rows[at]!.some((value) => value !== null && value !== '');
  const hiddenRows = rows.filter((_, at) => rowDefs?.get(at)?.hidden && isFilled(at)).length;
  const hidden = [
    ...(hiddenRows > 0 ? [count(hiddenRows, 'hidden row')] : []),
    ...(open.length < width ? [count(width - open.length, 'hidden column')] : []),
  ];
  const remarks = [
    ...(hidden.length > 0 ? [`Left out: ${hidden.join(' and ')}.`] : []),
    ...(unsaved > 0
      ? [
          `${count(unsaved, 'formula')} without a saved value. Open the file in your spreadsheet program and save it.`,
        ]
      : []),
  ];
  return { cells: tidy(table), remarks };
}
