import { wordSet } from '../../../../text/wordLists.ts';
import { textOf, type Token } from './tokens.ts';
import { verbs } from './synonyms.ts';

const QUESTIONS = wordSet('question q');
const ANSWERS = wordSet('answer a');
/** Most tokens of a text behind its label. */
const LONGEST = 150;

/**
 * Turns each text without quotes behind `Question:` or `Answer:` into a quote. A question ends at
 * its answer, and an answer at the end of its line. Leaves texts alone that contain quotes or may
 * contain an instruction.
 */
export function withLabelledTexts(tokens: Token[]): Token[] {
  const result: Token[] = [];
  let isAsked = false;
  for (let at = 0; at < tokens.length; at++) {
    result.push(tokens[at]!);
    const isQuestion = isLabel(tokens, at, QUESTIONS);
    if (!isQuestion && !(isAsked && isLabel(tokens, at, ANSWERS))) continue;
    const text = textBehind(tokens, at + 2, isQuestion);
    if (text) result.push(tokens[at + 1]!, text.token);
    if (text) at = text.end - 1;
    isAsked = isQuestion;
  }
  return result;
}

const isLabel = (tokens: Token[], at: number, names: Set<string>) =>
  tokens[at]!.kind === 'word' && names.has(tokens[at]!.word) && tokens[at + 1]?.word === ':';

function textBehind(
  tokens: Token[],
  start: number,
  isQuestion: boolean,
): { token: Token; end: number } | null {
  let end = start;
  while (
    end < tokens.length &&
    tokens[end]!.kind !== 'line' &&
    !(isQuestion && isLabel(tokens, end, ANSWERS))
  )
    end++;
  const own = tokens.slice(start, end);
  const isBare = own.length > 0 && own.length <= LONGEST && own[0]!.kind !== 'quote';
  const isText = isBare && own.every((token, i) => isPlain(token, own[i - 1], own[i + 1]));
  if (!isText) return null;
  const text = textOf(own);
  return {
    token: { kind: 'quote', word: '', text, start: own[0]!.start, end: own.at(-1)!.end },
    end,
  };
}

const NO_TEXT = wordSet('thanks thank please cheers also then can could best regards');
/** Whether a token may be part of a text, and does not begin an instruction. */
function isPlain(
  { kind, word }: Token,
  before: Token | undefined,
  next: Token | undefined,
): boolean {
  const isStart = before?.kind === 'mark' && ['.', '!', '?'].includes(before.word);
  return (
    kind !== 'slug' &&
    kind !== 'quote' &&
    !(
      isStart &&
      [word, word === 'and' ? (next?.word ?? '') : ''].some(
        (one) => verbs.has(one) || NO_TEXT.has(one),
      )
    )
  );
}
