import type { PromptInstruction, PageName } from '../promptInstruction.ts';
import type { WordingValues } from './compileShape.ts';

/** A wording: its shape, as compileShape.ts describes it, and a sentence that has this shape. */
export type WordingExample = [shape: string, example: string];

/** A kind of instruction: the wordings that people may use, and how to make the instruction. */
export interface InstructionKind {
  wordings: WordingExample[];
  /** Makes the instruction from the found values. null if the text means something else. */
  read: (found: WordingValues) => PromptInstruction | PromptInstruction[] | null;
}

/** Makes a `read` for at most one page. Its `slug` is null if the prompt names none. */
export const readForOnePage =
  (
    read: (values: WordingValues, slug: PageName | null) => PromptInstruction | null,
  ): InstructionKind['read'] =>
  (values) => {
    const { page, pages = page ? [page] : [] } = values;
    return pages === 'everywhere' || pages.length > 1 ? null : read(values, pages[0] ?? null);
  };
