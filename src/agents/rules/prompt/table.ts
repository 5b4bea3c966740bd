import type { Instruction } from './instructions.ts';
import { shapeOf } from './language/shapes.ts';
import { factRows } from './table/factRows.ts';
import { itemRows } from './table/itemRows.ts';
import { linkRows } from './table/linkRows.ts';
import { pageRows } from './table/pageRows.ts';
import type { Row } from './table/row.ts';
import { textRows } from './table/textRows.ts';

/** All kinds of instructions by name, in the order in which they are tried. */
export const table: Record<string, Row> = {
  ...factRows,
  ...linkRows,
  ...textRows,
  ...pageRows,
  ...itemRows,
};

const shapes = Object.values(table).flatMap((row) =>
  row.wordings.map(([shape]) => ({ row, shape: shapeOf(shape) })),
);

/**
 * Reads one instruction, with all its parts. null if it fits no wording in the table.
 * @param words the sentence, with a space before each word
 * @param quotes the prompt's quoted texts
 */
export function readInstruction(words: string, quotes: string[]): Instruction[] | null {
  for (const { row, shape } of shapes) {
    const found = shape(words, quotes);
    const instruction = found && row.read(found);
    if (instruction) return [instruction].flat();
  }
  return null;
}

const heading = shapeOf('(SET|make|here THE|are|is? following|new? prices|changes|updates)? @ :?');
/**
 * Reads a line above other instructions, such as `New prices on /pricing:`, as the words that name
 * their pages. null if the line is none.
 */
export function readHeading(words: string, quotes: string[]): string | null {
  const found = heading(words, quotes);
  if (!found || found.pages === 'everywhere') return null;
  const place = / (?:on|in|at|for) [^:]*(?= :$|$)/i.exec(words)?.[0];
  if (found.pages) return `${place} ,`;
  return words.endsWith(' :') ? '' : null;
}
