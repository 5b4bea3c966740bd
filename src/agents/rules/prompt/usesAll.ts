import { normalizeSlug } from '../../../sites/pages/slug.ts';
import { wordSet } from '../../../text/wordLists.ts';
import type { Instruction } from './instructions.ts';
import type { Found } from './language/shapes.ts';

/** Slots that tell what kind of thing is meant. Their words are no values. */
const KINDS = wordSet(
  'element part item items group all what where near edge field per label_ options thing',
);

/**
 * Whether an instruction uses every value that was found in its sentence. A reading that leaves a
 * text, a number, a page or a name unused is a misreading.
 */
export function usesAll(instruction: Instruction, found: Found): boolean {
  const used = new Set(leavesOf(instruction));
  return Object.entries(found)
    .filter(([slot]) => !KINDS.has(slot))
    .flatMap(([, value]) => leavesOf(value))
    .every((leaf) => leaf === 'everywhere' || used.has(leaf));
}

/** The texts and numbers in a value, in the form in which instructions have them. */
const leavesOf = (value: unknown): (string | number)[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : typeof value === 'number'
      ? [Math.abs(value)]
      : [plain(String(value))];

const plain = (text: string) =>
  text.startsWith('/') ? normalizeSlug(text) : text.replace(/[()]/g, '').trim();
