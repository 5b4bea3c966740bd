import { textOf, type Token, tokensOf } from './language/tokens.ts';
import { readInstruction } from './table.ts';

/** Most words of a sentence that is searched, and most words before its instruction. */
const LONGEST = 60;
const LONGEST_START = 6;
const SHORTEST = 2;

/**
 * The end or the beginning of a sentence that keeps it from being an instruction: `until Friday` in
 * `Starter costs $5 until Friday`.
 * @returns undefined if the sentence has no instruction in it
 */
export function unreadPart(sentence: string): string | undefined {
  const tokens = tokensOf(sentence) ?? [];
  if (tokens.length > LONGEST) return undefined;
  for (let end = tokens.length - 1; end >= SHORTEST; end--)
    if (readInstruction(tokens.slice(0, end))) return wordsOf(tokens.slice(end));
  for (let start = 1; start <= Math.min(LONGEST_START, tokens.length - SHORTEST); start++)
    if (readInstruction(tokens.slice(start))) return wordsOf(tokens.slice(0, start));
  return undefined;
}

/** The text of tokens without the marks at its ends. undefined if they are marks only. */
function wordsOf(tokens: Token[]): string | undefined {
  const isWord = ({ kind }: Token) => kind !== 'mark';
  const [first, last] = [tokens.findIndex(isWord), tokens.findLastIndex(isWord)];
  return first === -1 ? undefined : textOf(tokens, first, last + 1);
}
