import { wordSet } from '../../../text/wordLists.ts';
import type { Instruction } from './instructions.ts';
import { jointsOf } from './language/pieces.ts';
import { type Token, wordAt } from './language/tokens.ts';
import { verbs } from './language/synonyms.ts';
import { isPlaced, pagesOf, withPlace } from './instructionPages.ts';
import { readInstruction } from './table.ts';

/** Limits for a sentence with several parts: the number of parts, and of tokens that they share. */
const MOST_PARTS = 6;
const LONGEST_START = 16;
const LONGEST_END = 10;

/** An instruction, and the tokens that it was read from. */
export interface Said {
  tokens: Token[];
  instruction: Instruction;
}

/**
 * Reads several instructions from one piece: `Starter is now $5,200 and Atlas is now $19,000`. A
 * part is a complete instruction, or continues the beginning of the part before it.
 */
export function readParts(piece: Token[]): Instruction[] | null {
  const joints = jointsOf(piece);
  if (joints.length === 0 || joints.length >= MOST_PARTS) return null;
  const starts = [0, ...joints.map(({ at, length }) => at + length)];
  const ends = [...joints.map(({ at }) => at), piece.length];
  const said: Said[] = [];
  for (let from = 0; from < starts.length;) {
    let next: { to: number; one: Said } | undefined;
    for (let to = from; to < ends.length && !next; to++) {
      const tokens = piece.slice(starts[from], ends[to]);
      const instruction = readInstruction(tokens) ?? readLike(said.at(-1), tokens);
      if (instruction && isSure(instruction, tokens)) next = { to, one: { tokens, instruction } };
    }
    if (!next) return null;
    said.push(next.one);
    from = next.to + 1;
  }
  const areAlike = new Set(said.map(({ instruction }) => instruction.kind)).size === 1;
  return said.length > 1 && areAlike ? withOnePlace(said.map((one) => one.instruction)) : null;
}

/**
 * Whether an instruction's text is in quotes. A text without quotes may itself contain the comma or
 * the `and`.
 */
const isSure = (instruction: Instruction, tokens: Token[]) =>
  !('text' in instruction) ||
  tokens.some(({ kind, text }) => kind === 'quote' && text === instruction.text);

/**
 * Reads tokens that omit the beginning of the previous instruction: `Remove the section "A"`, then
 * `"B"`. null if they make no instruction of the same kind.
 */
export function readLike(before: Said | undefined, tokens: Token[]): Instruction | null {
  if (!before || ONCE.has(before.instruction.kind) || verbs.has(wordAt(tokens, 0))) return null;
  const last = before.tokens.findLastIndex(({ kind }) => kind === 'quote' || kind === 'name');
  const tail = last === -1 ? [] : before.tokens.slice(last + 1, last + 1 + LONGEST_END);
  for (let length = sharedBy(before.tokens); length > 0; length--) {
    const own = [...before.tokens.slice(0, length), ...tokens];
    for (const read of [readInstruction([...own, ...tail]), readInstruction(own)])
      if (read && isAlike(read, before.instruction) && isAboutOther(read, before.instruction))
        return read;
  }
  return null;
}

/** Kinds of instructions that occur once in a prompt. A second one may be a misreading. */
const ONCE = new Set<Instruction['kind']>([
  'contact',
  'company',
  'year',
  'raise',
  'create',
  'generate',
]);

/** How many tokens at the beginning are words of the language. A text or name ends them. */
function sharedBy(tokens: Token[]): number {
  const end = tokens.findIndex(
    ({ kind, text }, i) =>
      kind === 'quote' || kind === 'name' || (i > 0 && /^[\p{Lu}\p{N}$€£]/u.test(text)),
  );
  return Math.min(end === -1 ? tokens.length - 1 : end, LONGEST_START);
}

const isAlike = (one: Instruction, other: Instruction) =>
  fieldsOf(one, other).every(([name, a, b]) => VALUES.has(name) || a === b);

/** The fields of two instructions: their names, and both values. */
const fieldsOf = (one: Instruction, other: Instruction): [string, unknown, unknown][] =>
  Object.keys({ ...one, ...other }).map((name) => [
    name,
    (one as Record<string, unknown>)[name],
    (other as Record<string, unknown>)[name],
  ]);

/** Fields that may differ between instructions of one kind. */
const VALUES = wordSet(
  'page pages text texts name from to now first second members days hours slug subject position stop',
);

/**
 * Whether two instructions of one kind are about different things, and what becomes of them differs
 * too, if anything. In `… to "A" and also "B"`, it is open what "B" is.
 */
function isAboutOther(one: Instruction, other: Instruction): boolean {
  const fields = fieldsOf(one, other)
    .filter(([name]) => name !== 'stop')
    .map(([name, a, b]) => ({
      isResult: RESULTS.has(name),
      isSame: JSON.stringify(a) === JSON.stringify(b),
    }));
  const results = fields.filter(({ isResult }) => isResult);
  return (
    fields.some(({ isResult, isSame }) => !isResult && !isSame) &&
    (results.length === 0 || results.some(({ isSame }) => !isSame))
  );
}

/** Fields that say what becomes of a thing. */
const RESULTS = wordSet('text target to hours');

/**
 * If only the first or only the last instruction names a place, gives this place to all of them:
 * `Remove the section "A" and the section "B" from /x`.
 */
function withOnePlace(all: Instruction[]): Instruction[] {
  const placed = all.filter(isPlaced);
  const isOne =
    placed.length === 1 &&
    (placed[0] === all[0] || placed[0] === all.at(-1)) &&
    new Set(all.map(({ kind }) => kind)).size === 1;
  const pages = isOne ? pagesOf(placed[0]!) : [];
  return pages.length > 0 ? all.map((one) => withPlace(one, pages) ?? one) : all;
}
