import type { Instruction, PageName } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';

export type Wording = [shape: string, example: string];

/** A kind of instruction: its wordings, each with an example, and how to make the instruction. */
export interface Row {
  wordings: Wording[];
  /** Makes the instruction from the found values. null if the text means something else. */
  read: (found: Found) => Instruction | Instruction[] | null;
}

/** Reads an instruction for one page at most. `slug` is null if the prompt names none. */
export const onPage =
  (read: (found: Found, slug: PageName | null) => Instruction | null): Row['read'] =>
  (found) => {
    const { page, pages = page ? [page] : [] } = found;
    return pages === 'everywhere' || pages.length > 1 ? null : read(found, pages[0] ?? null);
  };
