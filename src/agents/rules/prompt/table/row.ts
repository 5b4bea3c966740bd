import type { Instruction, PageName } from '../instructions.ts';
import { shapeOf, type Found } from '../language/shapes.ts';
import type { Token } from '../language/tokens.ts';

export type Wording = [shape: string, example: string];

/**
 * A kind of instruction: the wordings in which it is understood, each with its example, and what
 * they ask for.
 */
export interface Row {
  /** The first example is the one that documentation and refusals show. */
  wordings: Wording[];
  /**
   * The wording that is proposed. `{page}`, `{heading}`, `{button}`, `{entry}` and `{item}` stand
   * for names of the site.
   */
  hint: string;
  /** Makes the instruction. null if the text means something else. */
  read: (found: Found) => Instruction | null;
}

/** Reads a text by every wording of some rows, in the rows' order. */
export function readingsBy<R extends { wordings: Wording[] }>(rows: Record<string, R>) {
  const shapes = Object.values(rows).flatMap((row) =>
    row.wordings.map(([shape]) => ({ row, match: shapeOf(shape) })),
  );
  return function* (tokens: Token[]): Generator<{ row: R; found: Found }> {
    for (const { row, match } of shapes) for (const found of match(tokens)) yield { row, found };
  };
}

/** Reads an instruction for at most one page. `page` is null if none is named. */
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
