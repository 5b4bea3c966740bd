import type { Instruction } from './instructions.ts';
import { shapeOf } from './language/shapes.ts';
import type { Token } from './language/tokens.ts';
import { factRows } from './table/factRows.ts';
import { itemRows } from './table/itemRows.ts';
import { linkRows } from './table/linkRows.ts';
import { pageRows } from './table/pageRows.ts';
import type { Row } from './table/row.ts';
import { sectionRows } from './table/sectionRows.ts';
import { textRows } from './table/textRows.ts';

/** Every kind of instruction by its name, in the order in which they are tried. */
export const table: Record<string, Row> = {
  ...factRows,
  ...sectionRows,
  ...textRows,
  ...pageRows,
  ...linkRows,
  ...itemRows,
};

const shapes = Object.values(table).flatMap(({ wordings, read }) =>
  wordings.map(([shape]) => ({ match: shapeOf(shape), read })),
);

/** Reads one instruction: what it asks for, or null where no wording of the table fits. */
export function readInstruction(tokens: Token[]): Instruction | null {
  for (const { match, read } of shapes)
    for (const found of match(tokens)) {
      const instruction = read(found);
      if (instruction) return instruction;
    }
  return null;
}
