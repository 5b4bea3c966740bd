import type { Draft } from './draft.ts';
import { type Place, type RowAddress, rowAddresses } from './rowAddresses.ts';
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

export function linesOf({ rows }: Draft, columns: Column[], place: Place): Line[] {
  const addresses = rowAddresses(columns, rows, place);
  return rows.map((row, at) => {
    const address = addresses[at]!;
    const context = contextOf(columns, row.cells);
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
