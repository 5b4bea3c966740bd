import { memoizeByObject } from './memoizeByObject.ts';
import { createAddressReader, type PageDestination, type RowAddress } from './rowAddresses.ts';
import { type TableColumn, rowContext, type DraftItem, type DraftRow } from './tableColumns.ts';

/** A row of the table with its new page. */
export interface DraftLine {
  row: DraftRow;
  address: RowAddress;
  item: DraftItem & { id: number };
  /** Why the row can't be started, as far as the browser can tell without asking the service. */
  problems: string[];
}

const noText =
  'The row has no text for its page. Fill a cell in your table, use another column, or remove the row.';

/**
 * Makes a function that turns rows into lines, each with the address and the context of its page.
 * This folder has the model of a table that a person pastes to create pages:
 *
 * - readTextTable.ts reads the cells, and tableColumns.ts finds the use of each column.
 * - rowAddresses.ts, enteredPath.ts and slug.ts find the address, the path of the page on its site.
 * - tableDraft.ts and useDraft.ts keep the table and what a person changed in it.
 * - shownRows.ts and rowMessages.ts help to show it.
 *
 * The row `{ id: 1, cells: ['Lisbon', '+351 21'] }` below `City` and `Phone` → `{ row, address:
 * { slug: '/locations/lisbon' }, item: { context: 'City: Lisbon\nPhone: +351 21', … }, … }`
 * @param cells the cells of all rows
 * @param destination the template and the site of the new pages
 */
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

/** Whether the row is to become a page: a person has not left it out. */
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
