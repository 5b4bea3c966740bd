import { memoizeByObject } from './memoizeByObject.ts';
import { createAddressReader, type PageDestination, type RowAddress } from './rowAddresses.ts';
import { type TableColumn, rowContext, type DraftItem, type DraftRow } from './tableColumns.ts';

/** A row, and the page that it asks for. */
export interface DraftLine {
  row: DraftRow;
  address: RowAddress;
  item: DraftItem & { id: number };
  /** Why the row can't be started, as far as the browser can tell without asking the service. */
  problems: string[];
}

const noText =
  'The row has no text for its page. Fill a cell in your table, use another column, or remove the row.';

/** @param cells the cells of all rows */
export function createLineReader(
  columns: TableColumn[],
  cells: string[][],
  destination: PageDestination,
): (rows: DraftRow[]) => DraftLine[] {
  const readAddresses = createAddressReader(columns, cells, destination);
  const contextOf = memoizeByObject((row: string[]) => rowContext(columns, row));
  return (rows) => {
    const addresses = readAddresses(rows);
    return rows.map((row, index) => {
      const address = addresses[index]!;
      const context = contextOf(row.cells);
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
export const isToStart = ({ row }: DraftLine) => row.isOut !== true;

const MOST_NAMED_ROWS = 5;

/** Names rows by their numbers: "rows 3, 12 and 14". */
export function rowNames(ids: number[]): string {
  if (ids.length === 1) return `row ${ids[0]}`;
  const namedIds = ids
    .slice(0, ids.length > MOST_NAMED_ROWS ? MOST_NAMED_ROWS - 1 : MOST_NAMED_ROWS)
    .map(String);
  const lastWords =
    ids.length > MOST_NAMED_ROWS ? `${ids.length - namedIds.length} more` : namedIds.pop()!;
  return `rows ${namedIds.join(', ')} and ${lastWords}`;
}
