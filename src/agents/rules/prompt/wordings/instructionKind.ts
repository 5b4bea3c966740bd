import type { PromptInstruction, PageName } from '../promptInstruction.ts';
import type { WordingValues } from './compileShape.ts';

export type WordingExample = [shape: string, example: string];

/** A kind of instruction: its wordings, each with an example, and how to make the instruction. */
export interface InstructionKind {
  wordings: WordingExample[];
  /** Makes the instruction from the found values. null if the text means something else. */
  read: (found: WordingValues) => PromptInstruction | PromptInstruction[] | null;
}

/** Reads an instruction for one page at most. `slug` is null if the prompt names none. */
export const readForOnePage =
  (
    read: (values: WordingValues, slug: PageName | null) => PromptInstruction | null,
  ): InstructionKind['read'] =>
  (values) => {
    const { page, pages = page ? [page] : [] } = values;
    return pages === 'everywhere' || pages.length > 1 ? null : read(values, pages[0] ?? null);
  };
