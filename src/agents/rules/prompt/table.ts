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
 * Reads one instruction. null if it fits no wording in the table, or if the instruction would not
 * use all its values.
 */
export function readInstruction(tokens: Token[]): Instruction | null {
  for (const { row, found } of readings(tokens)) {
    const instruction = row.read(found);
    if (instruction && isWhole(instruction) && usesAll(instruction, found))
      return withStop(instruction, tokens);
  }
  return null;
}

/** Whether every part of an instruction was found. */
const isWhole = (instruction: Instruction) => !Object.values(instruction).includes(undefined);
