import { readXlsx, type Sheet } from 'hucre/xlsx';
import { countNoun } from '../../../browser/counts.ts';
import { tidyCells } from '../table/readTextTable.ts';
import { type FileReading, takeInstead } from './fileKinds.ts';
import { shownCell } from './shownValue.ts';

/** The part of a sheet that is read. A table has fewer rows and columns. */
const READ_RANGE = 'A1:ALL20000';

/**
 * Reads the first visible sheet of an .xlsx workbook. Values are read as the spreadsheet shows
 * them, formulas by their saved values. Nothing is fetched.
 * @param language the person's language: BCP 47 tag
 * @returns the cells, or a sentence that says why there are none
 */
export async function readWorkbook(
  bytes: Uint8Array,
  language: string,
): Promise<FileReading | string> {
  const visibleSheets: string[] = [];
  try {
    const { sheets } = await readXlsx(bytes, {
      sheets: ({ name: sheetName, hidden, veryHidden }) =>
        !hidden && !veryHidden && visibleSheets.push(sheetName) === 1,
      readStyles: true,
      range: READ_RANGE,
    });
    const [sheet] = sheets;
    if (!sheet) return workbookRefusals.noSheet;
    if (sheet.rows.length === 0) return workbookRefusals.emptySheet(sheet.name);
    const sheetName =
      visibleSheets.length > 1
        ? firstSheetName(sheet.name, visibleSheets.length)
        : `sheet “${sheet.name}”`;
    return { ...sheetCells(sheet, language), sheet: sheetName };
  } catch {
    return workbookRefusals.unreadable;
  }
}

export const workbookRefusals = {
  noSheet: `The workbook has no visible sheet. ${takeInstead}`,
  emptySheet: (name: string) => `The first sheet, “${name}”, is empty. ${takeInstead}`,
  unreadable: `This is not an .xlsx workbook with a table, or it is damaged or too large. ${takeInstead}`,
};

export const firstSheetName = (name: string, sheetCount: number) =>
  `the first sheet of ${sheetCount}, “${name}”`;

export const unsavedFormulasRemark = (count: number) =>
  `${countNoun(count, 'formula')} without a saved value. Open the file in your spreadsheet program and save it.`;

function sheetCells(
  { rows, cells, columns = [], rowDefs }: Sheet,
  language: string,
): Pick<FileReading, 'cells' | 'remarks'> {
  const columnCount = rows.reduce((widest, { length }) => Math.max(widest, length), 0);
  const visibleColumns = Array.from({ length: columnCount }, (_, index) => index).filter(
    (index) => !columns[index]?.hidden,
  );
  let unsavedFormulas = 0;
  const shownRows = rows.map((sheetRow, index) => {
    if (rowDefs?.get(index)?.hidden) return [];
    return visibleColumns.map((column) => {
      const sheetCell = cells?.get(`${index},${column}`);
      const value = sheetRow[column] ?? null;
      if (value === null && sheetCell?.formula !== undefined) unsavedFormulas++;
      return shownCell(value, sheetCell?.style?.numFmt, language);
    });
  });
  const isFilled = (index: number) => rows[index]!.some((value) => value !== null && value !== '');
  const hiddenRows = rows.filter(
    (_, index) => rowDefs?.get(index)?.hidden && isFilled(index),
  ).length;
  const hiddenWords = [
    ...(hiddenRows > 0 ? [countNoun(hiddenRows, 'hidden row')] : []),
    ...(visibleColumns.length < columnCount
      ? [countNoun(columnCount - visibleColumns.length, 'hidden column')]
      : []),
  ];
  const remarks = [
    ...(hiddenWords.length > 0 ? [`Left out: ${hiddenWords.join(' and ')}.`] : []),
    ...(unsavedFormulas > 0 ? [unsavedFormulasRemark(unsavedFormulas)] : []),
  ];
  return { cells: tidyCells(shownRows), remarks };
}
