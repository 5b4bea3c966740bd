import { phrases, wordSet } from '../../../../text/wordLists.ts';
import { says } from './reader.ts';
import { textOf, type Token, wordAt } from './tokens.ts';
import { synonyms, verbs } from './synonyms.ts';

const longestFirst = (list: string[]): string[][] =>
  list.map((phrase) => phrase.split(' ')).sort((a, b) => b.length - a.length);

const POLITE = longestFirst(
  phrases(`
    so | please | kindly | also | then | next | finally | lastly | first | now | and | can you |
    could you | would you | will you | can we | could we | i want you to | i would like you to |
    i would like to | i want to | i'd like you to | i'd like to | we need to | we want to |
    we would like to | we'd like you to | we'd like to | would it be possible to |
    is it possible to | i need you to | i need to | you should | let 's | hi | hello | hey`),
);
const THANKS = longestFirst(
  phrases(`
    please | thanks | thanks a lot | thanks in advance | thank you very much |
    thank you in advance | cheers | thank you | many thanks | too | as well | . | ! | ? | ,`),
);
const CONNECTORS = longestFirst(phrases('and then | and also | and | then | also | plus'));
const FIELDS = longestFirst(synonyms.FIELD);
const LINKS_TOO = longestFirst(synonyms.LINKS_TOO);
const ELEMENTS = longestFirst(synonyms.ELEMENT);
const TO = longestFirst(synonyms.TO);
const IT_CHANGED = longestFirst([...synonyms.IT_CHANGED, ...synonyms.IT_IS]);
const ANSWER = longestFirst(phrases('answer : | answer | a :'));
const ASKS = wordSet('can could would will');
/** Words that make a request of a question: `Please delete /a?` */
const REQUESTS = wordSet('please kindly possible');
const PLACES = wordSet('on in at for everywhere across throughout');

const lengthOf = (tokens: Token[], at: number, list: string[][]) =>
  list.find((words) => says(tokens, at, words))?.length ?? 0;

/**
 * Splits a prompt into sentences, and sentences into pieces that may be instructions. Drops polite
 * words.
 */
export function piecesOf(tokens: Token[]): Token[][][] {
  return joinChanges(sentencesOf(tokens)).map((sentence) =>
    joinPlace(split(sentence, cutsOf(sentence)))
      .map(withoutPolite)
      .filter((piece) => piece.length > 0),
  );
}

function split(tokens: Token[], cuts: { at: number; length: number }[]): Token[][] {
  let from = 0;
  const pieces = cuts.map(({ at, length }) => {
    const piece = tokens.slice(from, at);
    from = at + length;
    return piece;
  });
  return [...pieces, tokens.slice(from)];
}

/**
 * Splits a prompt at line ends, and at marks that end a sentence. Drops bullets and numbers before
 * sentences.
 */
function sentencesOf(tokens: Token[]): Token[][] {
  const sentences: Token[][] = [[]];
  const open = () => void sentences.push([]);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const sentence = sentences.at(-1)!;
    const bullet = bulletAt(tokens, at, sentence.length === 0);
    if (bullet > 0) {
      open();
      at += bullet - 1;
    } else if (endsSentence(tokens, at, sentence)) {
      endSentence(sentence, token);
      open();
    } else if (token.kind === 'line' || token.word === ';') open();
    else sentence.push(token);
  }
  return sentences;
}

/** Keeps the mark that ends a sentence with its last token: it may belong to a text. */
function endSentence(sentence: Token[], { word }: Token) {
  const dots = sentence.length - 1 - sentence.findLastIndex((token) => token.word !== '.');
  const isEllipsis = word === '.' && dots > 0;
  if (isEllipsis) sentence.splice(-dots);
  const last = sentence.pop();
  if (!last) return;
  const cut = isEllipsis ? '.'.repeat(dots + 1) : word;
  if (cut === '.') sentence.push({ ...last, stop: true });
  else sentence.push(isAsked(sentence) ? last : { ...last, cut, ...asking(sentence, last, cut) });
}

/** Marks the end of a question that is no request. */
const asking = (sentence: Token[], last: Token, cut: string): Pick<Token, 'asks'> =>
  (cut === '?' || last.word === '?') && !sentence.some(({ word }) => REQUESTS.has(word))
    ? { asks: true }
    : {};

/**
 * Whether a sentence is a polite question, such as `Can you …?`. Its question mark is no part of a
 * text.
 */
const isAsked = (sentence: Token[]) =>
  ASKS.has(sentence.find(({ word }) => verbs.has(word) || ASKS.has(word))?.word ?? '');

/** The number of tokens of a bullet or number at the beginning of a sentence: `-`, `1.`, `2)`. */
function bulletAt(tokens: Token[], at: number, isFirst: boolean): number {
  const { word = '', kind, end = 0 } = tokens[at] ?? {};
  if (kind !== 'word' && kind !== 'mark') return 0;
  if (isFirst && ['-', '*', '•', '–'].includes(word)) return 1;
  if (/^\(?\d{1,2}$/.test(word) && tokens[at + 1]?.word === '.' && tokens[at + 1]!.start === end)
    return isFirst || verbs.has(wordAt(tokens, at + 2)) ? 2 : 0;
  return /^\(?\d{1,2}\)?$/.test(word) && isFirst && verbs.has(wordAt(tokens, at + 1)) ? 1 : 0;
}

function endsSentence(tokens: Token[], at: number, sentence: Token[]): boolean {
  const { word, kind, end } = tokens[at]!;
  if (kind !== 'mark' || !['.', '!', '?'].includes(word)) return false;
  const next = tokens[at + 1];
  const isEnd = next === undefined || next.start > end || next.kind === 'line';
  const isNumber =
    word === '.' && /^\(?\d{1,2}$/.test(sentence.at(-1)?.word ?? '') && sentence.length === 1;
  return isEnd && !isNumber;
}

/** The commas and words like `and` in the tokens: places where one of several things may end. */
export function jointsOf(tokens: Token[]): { at: number; length: number }[] {
  const joints: { at: number; length: number }[] = [];
  for (let at = 1; at < tokens.length; at++) {
    const comma = tokens[at]!.word === ',' && tokens[at]!.kind === 'mark' ? 1 : 0;
    const length = comma + lengthOf(tokens, at + comma, CONNECTORS);
    if (length > 0) joints.push({ at, length });
    at += Math.max(0, length - 1);
  }
  return joints;
}

/**
 * The places where another instruction begins: behind a comma or `and`, and before a verb or field.
 */
function cutsOf(tokens: Token[]): { at: number; length: number }[] {
  return jointsOf(tokens).filter(({ at, length }) => begins(tokens, at + length));
}

const MOST_POLITE = 5;
const MOST_BETWEEN = 40;

function begins(tokens: Token[], start: number): boolean {
  let at = start;
  for (let i = 0; i < MOST_POLITE; i++) {
    at += lengthOf(tokens, at, POLITE);
    if (tokens[at]?.word === ',') at++;
  }
  const { word = '', kind } = tokens[at] ?? {};
  if (kind === 'word' && verbs.has(word)) return !isContinued(tokens, at);
  return isField(tokens, ['the', 'its'].includes(word) ? at + 1 : at) || isLabel(tokens, at);
}

/** Whether an instruction for a button begins here: `"A" on the button "B"`. */
function isLabel(tokens: Token[], at: number): boolean {
  const element = tokens[at + 2]?.word === 'the' ? at + 3 : at + 2;
  return (
    tokens[at]?.kind === 'quote' &&
    tokens[at + 1]?.word === 'on' &&
    lengthOf(tokens, element, ELEMENTS) > 0
  );
}

/**
 * Whether a verb continues the previous instruction: `find "A" and replace it with "B"`, `… and
 * remove the links to it`.
 */
function isContinued(tokens: Token[], at: number): boolean {
  const [verb, it, next] = [0, 1, 2].map((i) => wordAt(tokens, at + i)) as [string, string, string];
  if (['link', 'point'].includes(verb) && ['to', 'at'].includes(it)) return true;
  if (it === 'it')
    return (
      ['replace', 'change', 'link', 'point'].includes(verb) &&
      ['with', 'by', 'to', 'at'].includes(next)
    );
  return lengthOf(tokens, at - 1, LINKS_TOO) > 0;
}

/**
 * Whether an instruction for a field begins here: `the title to "B"`. In contrast, `the title "B"`
 * is an option of the previous instruction.
 */
function isField(tokens: Token[], at: number): boolean {
  const length = lengthOf(tokens, at, FIELDS);
  if (length === 0) return false;
  const next = at + length;
  const value = ['of', 'as'].includes(wordAt(tokens, next)) ? next + 1 : next;
  if (tokens[value]?.kind === 'quote') return false;
  const near = tokens.slice(next, next + MOST_BETWEEN);
  const comma = near.findIndex(({ word }) => word === ',');
  if (near.slice(0, comma === -1 ? undefined : comma).some(({ kind }) => kind === 'quote'))
    return true;
  return lengthOf(tokens, next, TO) > 0;
}

/**
 * Joins a sentence that describes a change, or is an answer, to the previous sentence: `Change the
 * phone number everywhere. It changed from A to B`.
 */
function joinChanges(sentences: Token[][]): Token[][] {
  const joined: Token[][] = [];
  for (const sentence of sentences.filter(({ length }) => length > 0)) {
    const own = withoutPolite(sentence);
    if (joined.length > 0 && (lengthOf(own, 0, IT_CHANGED) > 0 || isAnswer(own))) {
      const before = joined.pop()!;
      joined.push([...before, ...(isAsked(before) ? own.map(told) : own)]);
    } else joined.push(sentence);
  }
  return joined;
}

/** A token that ends no question. */
const told = ({ asks: _, ...token }: Token): Token => token;

/** Whether a line is the answer to the question before it: `Answer: "Yes."` */
const isAnswer = (tokens: Token[]) =>
  lengthOf(tokens, 0, ANSWER) > 0 &&
  tokens.slice(1, MOST_POLITE).some(({ kind }) => kind === 'quote');

/** Joins a place without a verb to the following instruction: `On /pricing, change …`. */
function joinPlace(pieces: Token[][]): Token[][] {
  const [first = [], second, ...others] = pieces;
  const [start] = withoutPolite(first);
  const isPlace =
    PLACES.has(start?.word ?? '') &&
    !first.some(({ word, kind }) => kind === 'word' && verbs.has(word));
  return isPlace && second ? [[...first, ...withoutPolite(second)], ...others] : pieces;
}

function withoutPolite(piece: Token[]): Token[] {
  let [from, to] = [0, piece.length];
  for (let length = -1; length !== 0; from += length)
    length = lengthOf(piece, from, POLITE) || (from > 0 && piece[from]?.word === ',' ? 1 : 0);
  for (let length = -1; length !== 0; to -= length)
    length =
      THANKS.find((words) => to - words.length >= from && says(piece, to - words.length, words))
        ?.length ?? 0;
  const cut = piece.slice(to);
  const isText = cut[0]?.kind === 'word' && cut.some(({ word }) => word !== 'please');
  return piece
    .slice(from, to)
    .map((token, i, { length }) =>
      isText && i === length - 1 ? { ...token, cut: textOf(cut) } : token,
    );
}
