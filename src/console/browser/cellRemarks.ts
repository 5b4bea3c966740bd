import type { CellRemark } from '../../contract/check.ts';
import { bare, oneLine } from './folded.ts';
import type { Column } from './table.ts';

const nameOf = ({ name, use, label }: Column) =>
  use.startsWith('as ') ? use.slice(3) : (label ?? name);

/** The check's remarks on a row, by the index of the column that they are about. */
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
    // The service may spell a column's name with other letters. Then the value tells the column.
    const column = named >= 0 ? named : cells.findIndex((cell) => oneLine(cell) === remark.value);
    if (column >= 0) at.set(column, [...(at.get(column) ?? []), remark]);
  }
  return at;
}

/** The text of a remark that stands beside its value. */
export function remarkWords({ message, value }: CellRemark): string {
  const quoted = `"${value}" `;
  return message.startsWith(quoted) ? `This ${message.slice(quoted.length)}.` : message;
}
