import type { Instruction, PageName } from '../instructions.ts';
import { shapeOf, type Found } from '../language/shapes.ts';
import type { Token } from '../language/tokens.ts';

export type Wording = [shape: string, example: string];

/** A kind of instruction: its wordings, each with an example, and how to make the instruction. */
export interface Row {
  /** Documentation and refusals show the first wording's example. */
  wordings: Wording[];
  /** Makes the instruction from the found values. null if the text means something else. */
  read: (found: Found) => Instruction | null;
}

/** Returns a function that reads a text by every wording of some rows, in the rows' order. */
export function readingsBy<R extends { wordings: Wording[] }>(rows: Record<string, R>) {
  const shapes = Object.values(rows).flatMap((row) =>
    row.wordings.map(([shape]) => ({ row, match: shapeOf(shape) })),
  );
  return function* (tokens: Token[]): Generator<{ row: R; found: Found }> {
    for (const { row, match } of shapes) for (const found of match(tokens)) yield { row, found };
  };
}

/** Reads an instruction for one page at most. `page` is null if the prompt names none. */
export const onPage =
  (read: (found: Found, page: PageName | null) => Instruction | null): Row['read'] =>
  (found) => {
    const page = found.of ?? onlyPage(found.pages);
    return page === undefined ? null : read(found, page);
  };

function onlyPage(pages: Found['pages'] = []): PageName | null | undefined {
  if (pages.length === 0) return null;
  return pages !== 'everywhere' && pages.length === 1 ? pages[0] : undefined;
}
