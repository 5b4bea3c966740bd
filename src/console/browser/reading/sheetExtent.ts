import { parseCellRef } from 'hucre/xlsx';

/**
 * How far the cells of a sheet reach: the numbers, from 1, of the last row and column that have a
 * value.
 */
export interface Extent {
  rows: number;
  columns: number;
}

const tag = /<(?:\w{1,20}:)?(c|row|sheet|Relationship)(?:\s([^<>]*))?>/g;
const tagsOf = (xml: string) => xml.matchAll(tag);

/**
 * Finds how far a sheet reaches, before the sheet is read: two cells in its far corners would make
 * a table of 17,000,000,000 cells. Cells that only have a colour or a frame do not count.
 * @param xml a part of the workbook such as `worksheets/sheet1.xml`
 */
export function extentOf(xml: string): Extent {
  const extent = { rows: 0, columns: 0 };
  const at = { row: 0, column: 0 };
  for (const [, name, fields = ''] of tagsOf(xml)) {
    if (name === 'row') {
      at.row = Number(/(?:^|\s)r=["'](\d{1,7})["']/.exec(fields)?.[1] ?? at.row + 1);
      at.column = 0;
    } else if (name === 'c') {
      const [, ref] = /(?:^|\s)r=["']([A-Za-z]{1,3}\d{1,7})["']/.exec(fields) ?? [];
      const { row, col } = ref ? parseCellRef(ref) : { row: at.row - 1, col: at.column };
      at.column = col + 1;
      if (fields.endsWith('/')) continue;
      extent.rows = Math.max(extent.rows, row + 1);
      extent.columns = Math.max(extent.columns, at.column);
    }
  }
  return extent;
}

/**
 * The name of the part that holds a sheet.
 * @param index the sheet's index in the workbook, counting hidden sheets
 * @returns undefined if the workbook does not name the part
 */
export function partOfSheet(parts: Map<string, Uint8Array>, index: number): string | undefined {
  const names = [...parts.keys()];
  const list = names.find((name) => /(?:^|\/)_rels\/workbook\d*\.xml\.rels$/i.test(name)) ?? '';
  const folder = list.slice(0, list.search(/_rels\//));
  const book = `${folder}${list.slice(list.lastIndexOf('/') + 1, -'.rels'.length)}`;
  const sheets = fieldsOf(parts.get(book), 'sheet');
  const id = /(?:^|\s)\w+:id=["']([^"']*)["']/.exec(sheets[index] ?? '')?.[1];
  const found = fieldsOf(parts.get(list), 'Relationship').find(
    (fields) => /(?:^|\s)Id=["']([^"']*)["']/.exec(fields)?.[1] === id,
  );
  const target = /(?:^|\s)Target=["']([^"']*)["']/.exec(found ?? '')?.[1] ?? '';
  const path = target.startsWith('/') ? target.slice(1) : folder + target.replace(/^\.\//, '');
  return parts.has(path) ? path : undefined;
}

const fieldsOf = (part: Uint8Array | undefined, name: string) =>
  [...tagsOf(new TextDecoder().decode(part))]
    .filter((match) => match[1] === name)
    .map((match) => match[2] ?? '');
