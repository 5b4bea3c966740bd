import { wordSet } from '../../../text/wordLists.ts';
import type { Instruction } from './instructions.ts';
import { textOf, type Token } from './language/tokens.ts';

/** Abbreviations that end with a full stop, in lower case. */
const ABBREVIATIONS = wordSet(`
  inc ltd co corp bros dr jr sr st ave dept est etc prof mr mrs ms vs approx ca nr str usw bzw inkl
  exkl tel ggf evtl`);
const isAbbreviation = (word: string) =>
  ABBREVIATIONS.has(word.toLowerCase()) || /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u.test(word);

/**
 * Keeps the full stop behind a text without quotes that ends a sentence. It may end the prompt's
 * sentence only: `closedLike` decides, where the text goes. The stop of an abbreviation stays.
 */
export function withStop(instruction: Instruction, tokens: Token[]): Instruction {
  const last = tokens.at(-1)!;
  if (!last.stop || last.kind === 'quote' || !mayReplace(instruction)) return instruction;
  const text = 'to' in instruction ? instruction.to : instruction.text;
  if (!text || !textOf(tokens).endsWith(text)) return instruction;
  return 'text' in instruction && isAbbreviation(last.text)
    ? { ...instruction, text: `${text}.` }
    : { ...instruction, stop: true };
}

type Replacing =
  | Extract<Instruction, { kind: 'set' | 'link' | 'company' | 'replace' }>
  | Extract<Instruction, { change: 'rename' }>;

/** Whether an instruction may replace a text by another one. */
const mayReplace = (instruction: Instruction): instruction is Replacing =>
  ['set', 'link', 'company', 'replace'].includes(instruction.kind) ||
  (instruction.kind === 'menu' && instruction.change === 'rename');

interface Closing {
  text: string;
  stop?: true | undefined;
}

/**
 * A text without quotes, as it replaces another one: with the full stop that was behind it, if the
 * other one ends with a full stop.
 */
export const closedLike = (old: string, { text, stop }: Closing): string =>
  stop && /(?:^|[^.])\.["'”’»«“‘)\]]*$/u.test(old.trim()) ? `${text}.` : text;
