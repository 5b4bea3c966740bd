import { perObject } from './perObject.ts';
import { addressReader, type Place, type RowAddress } from './rowAddresses.ts';
import { type Column, contextOf, type Item, type Row } from './table.ts';

/** A row, and the page that it asks for. */
export interface Line {
  row: Row;
  address: RowAddress;
  item: Item & { id: number };
  /** Why the row can't be started, as far as the browser can tell without asking the service. */
  problems: string[];
}

const noText =
  'The row has nothing to say on its page. Fill a cell in your table, use another column, or remove the row.';

/** @param cells the cells of all rows */
export function lineReader(
  columns: Column[],
  cells: string[][],
  place: Place,
): (rows: Row[]) => Line[] {
  const addressesOf = addressReader(columns, cells, place);
  const contextIn = perObject((row: string[]) => contextOf(columns, row));
  return (rows) => {
    const addresses = addressesOf(rows);
    return rows.map((row, at) => {
      const address = addresses[at]!;
      const context = contextIn(row.cells);
      return {
        row,
        address,
        item: { id: row.id, targetPageSlug: address.slug, context },
        problems: [
          ...(address.problem ? [address.problem] : []),
          ...(context === '' ? [noText] : []),
        ],
      };
    });
  };
}

/** Whether a row still has to be started. */
export const isToStart = ({ row }: Line) => row.isOut !== true;

const WORDS = 5;

/** Names rows by their numbers: "rows 3, 12 and 14". */
export function rowNames(ids: number[]): string {
  if (ids.length === 1) return `row ${ids[0]}`;
  const named = ids.slice(0, ids.length > WORDS ? WORDS - 1 : WORDS).map(String);
  const last = ids.length > WORDS ? `${ids.length - named.length} more` : named.pop()!;
  return `rows ${named.join(', ')} and ${last}`;
}
