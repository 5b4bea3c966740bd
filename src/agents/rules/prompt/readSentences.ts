import type { Instruction, PageName } from './instructions.ts';
import { readLike, readParts, type Said } from './ellipsis.ts';
import { textOf, type Token } from './language/tokens.ts';
import { verbs } from './language/words.ts';
import { inheritPage, isPlaced, pagesOf, withPlace } from './places.ts';
import type { Refused } from './refusal.ts';
import { belongs, namesThing, withThing } from './remarks.ts';
import { readInstruction } from './table.ts';
import { readFollowUp } from './table/followUps.ts';
import { readPlace, readRemark, type Remark } from './table/remarks.ts';

/** What a prompt says: its instructions, or the first part of it that is not understood. */
export type Reading = { instructions: Instruction[] } | Refused;

/**
 * A line that is no instruction itself, but may be the beginning of those below it, and its refusal
 * if it is not.
 */
interface Head {
  tokens: Token[];
  refusal: Refused;
  isUsed: boolean;
  /** It has its only text. */
  isFull?: boolean;
}

/** A remark that was read, and where its refusal would say it stands. */
type Open = Remark & { refusal: Refused; isUsed?: boolean };

/** How far the reading of a prompt has come. */
interface State {
  found: Instruction[];
  open: Open[];
  heads: Head[];
  /** The pages that a line names for those below it. */
  place?: Open;
  said?: Said;
}

const LONGEST_HEAD = 24;

/**
 * Reads the sentences of a prompt one after the other.
 * @param between what stands in the prompt between two places of it
 */
export function readSentences(
  sentences: Token[][][],
  isAlone: boolean,
  between: (from: number, to: number) => string,
): Reading {
  const state: State = { found: [], open: [], heads: [] };
  let number = 0;
  for (const [i, sentence] of sentences.entries()) {
    const own: Instruction[] = [];
    for (const [k, piece] of sentence.entries()) {
      number++;
      const refused = textOf(piece, 0, piece.length);
      const which = `${isAlone ? 'the prompt' : `instruction ${number} of the prompt`}`;
      const next = sentence[k + 1] ?? sentences[i + 1]?.[0];
      const part = between(piece[0]!.start, piece.at(-1)!.end);
      const refusal = { refused, part, which: `${which} was not understood` };
      const isOk = readPiece(state, own, piece, refusal, next, between);
      if (!isOk) return refusal;
      if (own.some(hasEmptyText))
        return {
          refused,
          part,
          which: `${which} has a text without words`,
          mend: 'Put your words into its quotes',
        };
    }
    const placed = inheritPage(own).map((one) => inPlace(state, one));
    if (placed.includes(null)) return state.place!.refusal;
    state.found.push(...(placed as Instruction[]));
  }
  return finished(state);
}

function finished({ found, open, heads }: State): Reading {
  const beside = open.find(({ isUsed, ...remark }) =>
    remark.pages
      ? !isUsed
      : remark.thing !== undefined || !found.some((one) => belongs(remark, one)),
  );
  const left = beside ?? heads.find(({ isUsed }) => !isUsed);
  return left ? left.refusal : { instructions: found };
}

/**
 * Reads one piece into the sentence's instructions, or into what is open; false where it is not
 * understood.
 */
function readPiece(
  state: State,
  own: Instruction[],
  piece: Token[],
  refusal: Refused,
  next: Token[] | undefined,
  between: (from: number, to: number) => string,
): boolean {
  const head = state.heads.at(-1);
  const isList = /^[^.!?]*$/.test(between(state.said?.tokens.at(-1)?.end ?? 0, piece[0]!.start));
  const isUnder =
    head && head.tokens.length <= LONGEST_HEAD && !head.isFull && !verbs.has(piece[0]!.word);
  const under = isUnder ? readInstruction([...head.tokens, ...piece]) : null;
  const one = under ?? readInstruction(piece) ?? readWithThing(piece, state.open.at(-1));
  if (one) {
    if (under) [head!.isUsed, head!.isFull] = [true, 'text' in under];
    settle(state.open, piece, one);
    state.said = { tokens: under ? [...head!.tokens, ...piece] : piece, instruction: one };
    own.push(one);
    return true;
  }
  if (readBeside(state, own, piece, refusal)) return true;
  const like = isList ? readLike(state.said, piece) : null;
  if (like) own.push(like);
  return like !== null || readHead(state, piece, refusal, next);
}

/**
 * What is no instruction: a remark, a place, what adds to the instruction before, or several in
 * one.
 */
function readBeside(state: State, own: Instruction[], piece: Token[], refusal: Refused): boolean {
  const remark = readPlace(piece) ?? readRemark(piece);
  if (remark) {
    const open = { ...remark, refusal };
    state.open.push(open);
    if (remark.pages) state.place = open;
    return true;
  }
  const list = own.length > 0 ? own : state.found;
  const more = readFollowUp(piece, list.at(-1));
  if (more) list.splice(-1, 1, more);
  const parts = more ? null : readParts(piece);
  if (parts) own.push(...parts);
  return more !== null || parts !== null;
}

/** `Add these questions to /faq:`, with the questions below. */
function readHead(
  state: State,
  piece: Token[],
  refusal: Refused,
  next: Token[] | undefined,
): boolean {
  const isHead = next !== undefined && (piece.at(-1)!.word === ':' || next[1]?.word === ':');
  if (isHead) state.heads.push({ tokens: piece, refusal, isUsed: false });
  return isHead;
}

/** An instruction on the pages of the line above it; null where it can't be on pages. */
function inPlace(state: State, instruction: Instruction): Instruction | null {
  const { place } = state;
  if (!place?.pages) return instruction;
  if (place.of && !belongs(place, instruction)) return instruction;
  if (isPlaced(instruction)) {
    if (samePages(instruction, place.pages)) place.isUsed = true;
    else if (place.isUsed) delete state.place;
    return instruction;
  }
  place.isUsed = true;
  return withPlace(instruction, place.pages);
}

const samePages = (instruction: Instruction, pages: PageName[]) =>
  JSON.stringify(pagesOf(instruction)) === JSON.stringify(pages);

/**
 * `We no longer have a free plan. Take it off …`: what the remark before speaks of stands for `it`.
 */
function readWithThing(piece: Token[], remark: Open | undefined): Instruction | null {
  const whole = remark?.thing && withThing(piece, remark.thing);
  return whole ? readInstruction(whole) : null;
}

/** The last remark is none of its own where the instruction says what it speaks of. */
function settle(open: Open[], piece: Token[], instruction: Instruction) {
  const last = open.at(-1);
  const isSaid =
    last?.thing && (withThing(piece, last.thing) !== null || namesThing(piece, last.thing));
  if (isSaid && belongs(last, instruction)) open.pop();
}

const hasEmptyText = (instruction: Instruction) =>
  textsOf(instruction).some((text) => !/[\p{L}\p{N}]/u.test(text));

function textsOf(instruction: Instruction): string[] {
  switch (instruction.kind) {
    case 'replace':
      return [instruction.from, instruction.to];
    case 'create': {
      const { name = 'none', fields, replacements } = instruction;
      return [
        name,
        ...fields.map(({ text }) => text),
        ...replacements.flatMap(({ from, to }) => [from, to]),
      ];
    }
    case 'add':
      return instruction.texts;
    default:
      return 'text' in instruction && instruction.text !== undefined ? [instruction.text] : [];
  }
}
