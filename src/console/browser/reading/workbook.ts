import { zipSync } from 'fflate';
import { rangeRef, readXlsx, type Sheet } from 'hucre/xlsx';
import { count } from '../../../browser/counts.ts';
import { tidy } from '../readTable.ts';
import { type Extent, extentOf, partOfSheet } from './sheetExtent.ts';
import { takeInstead } from './fileKinds.ts';
import type { Reading } from './fileCells.ts';
import { shown } from './shownValue.ts';
import { Unreadable, unzip } from './unzip.ts';

/** The most tags of one part. Parsing takes memory for each tag. */
const MOST_TAGS = 1_000_000;
/**
 * The most cells of a sheet, counted up to its last row and column with a value, including empty
 * cells.
 */
const MOST_CELLS = 1_000_000;

/** Parts of a workbook that have no cells, formats and names of sheets. */
const others =
  /(?:^|\/)(?:docProps|customXml|drawings|charts?\w*|theme|pivot\w*|externalLinks|tables|media|embeddings|persons|threadedComments|slicer\w*|timeline\w*|ctrlProps|activeX|queryTables|diagrams|richData|printerSettings|worksheets\/_rels)\/|comments\d*\.xml$/;
const isWanted = (name: string) => /\.(?:xml|rels)$/i.test(name) && !others.test(name);

/**
 * Reads the first visible sheet with cells of an .xlsx workbook. Values are read as the spreadsheet
 * shows them, formulas by their saved values. Nothing else of the workbook is read, and nothing is
 * fetched.
 * @param language the person's: BCP 47 tag
 * @returns the cells, or a sentence that says why there are none
 */
export async function readWorkbook(bytes: Uint8Array, language: string): Promise<Reading | string> {
  try {
    const { names, parts } = unzip(bytes, isWanted);
    if (!parts.has('[Content_Types].xml') || !parts.has('_rels/.rels') || !names.some(isSheet))
      return `${otherKind(names)} ${takeInstead}`;
    return await readSheet(parts, language);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    return `The workbook is damaged, or is none. ${takeInstead}`;
  }
}

const isSheet = (name: string) => /(?:^|\/)worksheets?\/[^/]+\.xml$/i.test(name);

/** Says what an archive is if it is not a workbook. */
function otherKind(names: string[]): string {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/^content\.xml$/)) return 'This is a file of OpenDocument (.ods).';
  if (has(/\.iwa$|^Index\.zip$/)) return 'This is a file of Numbers.';
  if (has(/^xl\/workbook\.bin$/)) return 'This is a binary workbook (.xlsb).';
  if (has(/^word\//)) return 'This is a text document.';
  if (has(/^ppt\//)) return 'This is a presentation.';
  return 'This is a packed file (.zip), no workbook.';
}

/**
 * @throws Unreadable if the part has too many tags, or a document type: it can define entities, and
 *   workbooks have none
 */
function requireSmall(part: Uint8Array): void {
  let tags = 0;
  for (let at = part.indexOf(0x3c); at >= 0; at = part.indexOf(0x3c, at + 1)) tags++;
  if (tags > MOST_TAGS) throw new Unreadable(`The workbook has too many cells. ${takeInstead}`);
  if (new TextDecoder().decode(part).includes('<!DOCTYPE'))
    throw new Unreadable(`The workbook is damaged, or is none. ${takeInstead}`);
}

async function readSheet(
  parts: Map<string, Uint8Array>,
  language: string,
): Promise<Reading | string> {
  const common = new Map([...parts].filter(([name]) => !isSheet(name)));
  for (const part of common.values()) requireSmall(part);
  const visible: { name: string; index: number }[] = [];
  await readXlsx(zipped(common), {
    sheets: ({ name, index, hidden, veryHidden }) => {
      if (!hidden && !veryHidden) visible.push({ name, index });
      return false;
    },
  });
  const [first] = visible.flatMap(({ name, index }) => {
    const part = partOfSheet(parts, index);
    return part === undefined ? [] : [{ name, index, part }];
  });
  if (!first) return `The workbook has no visible sheet with cells. ${takeInstead}`;
  const sheet = parts.get(first.part)!;
  requireSmall(sheet);
  const extent = extentIn(sheet);
  if (extent.columns === 0) return `The first sheet, “${first.name}”, is empty. ${takeInstead}`;
  const range = rangeRef(0, 0, extent.rows - 1, extent.columns - 1);
  const workbook = zipped(new Map([...common, [first.part, sheet]]));
  const { sheets } = await readXlsx(workbook, { sheets: [first.index], readStyles: true, range });
  const read = cellsOf(sheets[0]!, language);
  const named =
    visible.length > 1
      ? `the first sheet of ${visible.length}, “${first.name}”`
      : `sheet “${first.name}”`;
  return { ...read, sheet: named };
}

const zipped = (parts: Map<string, Uint8Array>) => zipSync(Object.fromEntries(parts), { level: 0 });

/** @throws Unreadable if the sheet is too large, or has cells far away from its table */
function extentIn(sheet: Uint8Array): Extent {
  const extent = extentOf(new TextDecoder().decode(sheet));
  if (extent.rows * extent.columns > MOST_CELLS)
    throw new Unreadable(
      'The sheet has too many cells, or cells far away from the table. Save a file with the table alone.',
    );
  return extent;
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
