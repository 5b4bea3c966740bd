import type { Instruction } from './instructions.ts';
import { withStop } from './closingStop.ts';
import type { Token } from './language/tokens.ts';
import { factRows } from './table/factRows.ts';
import { itemRows } from './table/itemRows.ts';
import { linkRows } from './table/linkRows.ts';
import { pageRows } from './table/pageRows.ts';
import { readingsBy, type Row } from './table/row.ts';
import { sectionRows } from './table/sectionRows.ts';
import { textRows } from './table/textRows.ts';

/** All kinds of instructions by name, in the order in which they are tried. */
export const table: Record<string, Row> = {
  ...factRows,
  ...sectionRows,
  ...textRows,
  ...pageRows,
  ...linkRows,
  ...itemRows,
};

const readings = readingsBy(table);

/** Reads one instruction. null if it fits no wording in the table. */
export function readInstruction(tokens: Token[]): Instruction | null {
  const read = readings(tokens)
    .map(({ row, found }) => row.read(found))
    .find((instruction) => instruction !== null);
  return read ? withStop(read, tokens) : null;
}
