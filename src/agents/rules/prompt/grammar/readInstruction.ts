import type { Instruction } from '../instructions.ts';
import { itemRules } from './itemRules.ts';
import { linkRules } from './linkRules.ts';
import { pageRules } from './pageRules.ts';
import { Match, type Rule } from './phrases.ts';
import { fieldRules, partRules, replaceRules } from './textRules.ts';

/** Longer texts (quotes taken out) are no instruction of ours; also what keeps matching cheap. */
export const LONGEST = 300;

/** In the order in which they are tried. */
const RULES: Rule[] = [...fieldRules, ...replaceRules, ...pageRules, ...linkRules, ...partRules, ...itemRules];

/**
 * Reads one instruction whose quoted texts are taken out.
 * @returns what it asks for, or null where no rule fits
 */
export function readInstruction(text: string, quotes: string[]): Instruction | null {
  if (text.length > LONGEST) return null;
  for (const { pattern, read } of RULES) {
    const groups = pattern.exec(text)?.groups;
    const result = groups ? read(new Match(groups, quotes)) : null;
    if (result) return result;
  }
  return null;
}
