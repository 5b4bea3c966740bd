import { wordSet } from '../../../text/wordLists.ts';
import type { Instruction } from './instructions.ts';
import type { Token } from './language/tokens.ts';
import { namingWords } from './edits/namingWords.ts';
import { synonyms } from './language/synonyms.ts';
import { readInstruction } from './table.ts';
import { readPlace, readRemark, type Remark } from './table/remarks.ts';

const ENDS = wordSet('. ! ? ;');
const JOINTS = wordSet(': , - – — so');
const GREETS = wordSet('hi hello hey , and also please');
/** Most words of a remark before its comma or colon. */
const LONGEST = 16;

/** Splits off each remark at the colon, comma or `so` behind it: `We have a new name: rename …`. */
export function withRemarksApart(tokens: Token[]): Token[] {
  const result = [...tokens];
  let isStart = true;
  for (let at = 0; at < tokens.length; at++) {
    const { word } = tokens[at]!;
    if (isStart && !GREETS.has(word)) {
      const joint = jointAfterRemark(tokens, at);
      if (joint !== null) result[joint] = { ...tokens[joint]!, kind: 'line', word: '\n' };
    }
    isStart = isEnd(tokens[at]!) || (isStart && GREETS.has(word));
  }
  return result;
}

function jointAfterRemark(tokens: Token[], start: number): number | null {
  for (let at = start + 1; at <= start + LONGEST && at < tokens.length; at++) {
    const { word } = tokens[at]!;
    if (isEnd(tokens[at]!)) return null;
    const before = tokens.slice(start, at);
    if (JOINTS.has(word) && (readRemark(before) || (word === ':' && readPlace(before))))
      return isWhole(sentenceAt(tokens, start)) ? null : at;
  }
  return null;
}

const isWhole = (sentence: Token[]) =>
  readInstruction(sentence) !== null || readRemark(sentence) !== null;

const isEnd = ({ kind, word }: Token) => kind === 'line' || (kind === 'mark' && ENDS.has(word));

/** The tokens up to the end of the sentence. */
function sentenceAt(tokens: Token[], start: number): Token[] {
  const length = tokens.slice(start, start + LONGEST_SENTENCE).findIndex(isEnd);
  return length === -1
    ? tokens.slice(start, start + LONGEST_SENTENCE)
    : tokens.slice(start, start + length);
}
const LONGEST_SENTENCE = 200;

const PRONOUNS = wordSet('it them him her this that');

/**
 * Replaces a sentence's pronoun by a remark's subject. null if the sentence has no pronoun, or
 * several. The pronoun in `… and all links to it` does not count.
 */
export function withThing(piece: Token[], thing: Token[]): Token[] | null {
  const all = piece.flatMap(({ kind, word }, at) =>
    kind === 'word' && PRONOUNS.has(word) ? [at] : [],
  );
  const places = all.length === 1 ? all : all.filter((at) => piece[at - 1]?.word !== 'to');
  return places.length === 1 ? piece.toSpliced(places[0]!, 1, ...thing) : null;
}

/** Words that prompts use for the same thing, such as a plan and a card. */
const NOUNS = wordSet([...synonyms.ITEM, ...synonyms.PACKAGE].join(' '));

/** Whether a sentence has all words of a remark's subject. */
export function namesThing(piece: Token[], thing: Token[]): boolean {
  const wordsOf = (tokens: Token[]) => new Set(tokens.flatMap(({ text }) => namingWords(text)));
  const wanted = wordsOf(thing);
  const own = wanted.difference(NOUNS);
  return (own.size > 0 ? own : wanted).isSubsetOf(wordsOf(piece));
}

export const belongs = ({ of }: Remark, { kind }: Instruction) =>
  of === undefined || of.includes(kind);
