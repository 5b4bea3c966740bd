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
import { usesAll } from './usesAll.ts';

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

/**
 * Reads one instruction. null if it fits no wording in the table, or has values that the instruction
 * would not use.
 */
export function readInstruction(tokens: Token[]): Instruction | null {
  for (const { row, found } of readings(tokens)) {
    const instruction = row.read(found);
    if (instruction && usesAll(instruction, found))
      return withStop(instruction, tokens);
  }
  return null;
}
