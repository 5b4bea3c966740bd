import type { PromptInstruction } from '../promptInstruction.ts';
import { compileShape } from './compileShape.ts';
import { factWordings } from './factWordings.ts';
import { itemWordings } from './itemWordings.ts';
import { linkWordings } from './linkWordings.ts';
import { pageWordings } from './pageWordings.ts';
import type { InstructionKind } from './instructionKind.ts';
import { textWordings } from './textWordings.ts';

/** All kinds of instructions by name, in the order in which they are tried. */
export const instructionKinds: Record<string, InstructionKind> = {
  ...factWordings,
  ...linkWordings,
  ...textWordings,
  ...pageWordings,
  ...itemWordings,
};

const compiledWordings = Object.values(instructionKinds).flatMap((kind) =>
  kind.wordings.map(([shape]) => ({ row: kind, shape: compileShape(shape) })),
);

/**
 * Reads one instruction, with all its parts. null if it fits no wording in the table.
 * @param words the sentence, with a space before each word
 * @param quotes the prompt's quoted texts
 */
export function readInstruction(words: string, quotes: string[]): PromptInstruction[] | null {
  for (const { row: kind, shape } of compiledWordings) {
    const values = shape(words, quotes);
    const instruction = values && kind.read(values);
    if (instruction) return [instruction].flat();
  }
  return null;
}

const headingShape = compileShape(
  '(SET|make|here THE|are|is? following|new? prices|changes|updates)? @ :?',
);
/**
 * Reads a line above other instructions, such as `New prices on /pricing:`, as the words that name
 * their pages. null if the line is none.
 */
export function readPromptHeading(words: string, quotes: string[]): string | null {
  const values = headingShape(words, quotes);
  if (!values || values.pages === 'everywhere') return null;
  const pagesPhrase = / (?:on|in|at|for) [^:]*(?= :$|$)/i.exec(words)?.[0];
  if (values.pages) return `${pagesPhrase} ,`;
  return words.endsWith(' :') ? '' : null;
}
