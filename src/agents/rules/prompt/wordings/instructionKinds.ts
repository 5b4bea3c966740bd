import type { PromptInstruction } from '../promptInstruction.ts';
import { compileShape } from './compileShape.ts';
import { factWordings } from './factWordings.ts';
import { itemWordings } from './itemWordings.ts';
import { linkWordings } from './linkWordings.ts';
import { pageWordings } from './pageWordings.ts';
import type { InstructionKind } from './instructionKind.ts';
import { textWordings } from './textWordings.ts';

/**
 * All kinds of instructions by name, in the order in which they are tried. A kind has wordings:
 * shapes of sentences with slots, which are places for values (not the slots of a page).
 *
 *     shape:       move|rename {page} to|as {slug}
 *     sentence:    Move /about to /company
 *     values:      { page: { slug: '/about' }, slug: '/company' }
 *     instruction: { kind: 'move', slug: { slug: '/about' }, to: '/company' }
 *
 * To understand more sentences, add a wording with an example to one of the five files below.
 * compileShape.ts makes a regular expression of a shape, wordingSlots.ts has the types of slots,
 * and synonyms.ts has words with the same meaning, which shapes name in capital letters.
 */
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
 * Reads a sentence as one instruction, by the first wording that fits the whole of it.
 * @param words the sentence, with a space before each word
 * @param quotes the quoted texts of the prompt, for which `words` has placeholders
 * @returns the instruction's parts, usually one; null if no wording fits
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
 * Reads a heading: a line above other instructions, such as `Here are new prices on /pricing:`.
 * @returns the words that name the pages of these instructions, here ` on /pricing ,`; '' if the
 *   heading names none; null if the line is not a heading
 */
export function readPromptHeading(words: string, quotes: string[]): string | null {
  const values = headingShape(words, quotes);
  if (!values || values.pages === 'everywhere') return null;
  const pagesPhrase = / (?:on|in|at|for) [^:]*(?= :$|$)/i.exec(words)?.[0];
  if (values.pages) return `${pagesPhrase} ,`;
  return words.endsWith(' :') ? '' : null;
}
