import type { CellRemark } from '../../contract/check.ts';
import { bare, oneLine } from './folded.ts';
import type { Column } from './table.ts';

const nameOf = ({ name, use, label }: Column) =>
  use.startsWith('as ') ? use.slice(3) : (label ?? name);

/** The columns of a row whose cells the check has something to say of, each with what it says. */
export function remarksAt(
  remarks: CellRemark[],
  columns: Column[],
  cells: string[],
): Map<number, CellRemark[]> {
  const at = new Map<number, CellRemark[]>();
  for (const remark of remarks) {
    const named = columns.findIndex(
      (column) => column.use !== 'out' && bare(nameOf(column)) === bare(remark.label),
    );
    // letters that the service writes in another way
    const column = named >= 0 ? named : cells.findIndex((cell) => oneLine(cell) === remark.value);
    if (column >= 0) at.set(column, [...(at.get(column) ?? []), remark]);
  }
  return at;
}

/** What is said of a value, where that stands beside it. */
export function remarkWords({ message, value }: CellRemark): string {
  const quoted = `"${value}" `;
  return message.startsWith(quoted) ? `This ${message.slice(quoted.length)}.` : message;
}
