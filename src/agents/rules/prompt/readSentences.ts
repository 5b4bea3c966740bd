import type { Instruction, PageName } from './instructions.ts';
import { readLike, readParts, type Said } from './ellipsis.ts';
import { textOf, type Token } from './language/tokens.ts';
import { verbs } from './language/synonyms.ts';
import { inheritPage, isPlaced, pagesOf, withPlace } from './instructionPages.ts';
import type { Refused } from './refusal.ts';
import { belongs, namesThing, withThing } from './remarksApart.ts';
import { readInstruction } from './table.ts';
import { readFollowUp } from './table/followUps.ts';
import { readPlace, readRemark, type Remark } from './table/remarks.ts';

/** The result of reading a prompt: its instructions, or the first part that is not understood. */
export type Reading = { instructions: Instruction[] } | Refused;

/** A piece of a sentence. It may be one instruction. */
interface Piece {
  tokens: Token[];
  /** The answer to the user if the piece is not understood. */
  refusal: Refused;
  /** The tokens of the piece after it. */
  next: Token[] | undefined;
}

/** A piece that is no complete instruction, but may begin the instructions below it. */
interface Head extends Piece {
  isUsed: boolean;
  /** Whether the head's text is used. A head has only one. */
  isFull?: boolean;
}

/** A remark, and whether an instruction has used its pages. */
type Open = Remark & { refusal: Refused; isUsed?: boolean };

/** The state of reading a prompt. */
interface State {
  between: Between;
  /** The instructions of earlier sentences. */
  found: Instruction[];
  /** The instructions of the current sentence. */
  own: Instruction[];
  open: Open[];
  heads: Head[];
  /** The last line that names the pages of the instructions below it. */
  place?: Open;
  /** The last instruction, with its tokens. */
  said?: Said;
}

type Between = (from: number, to: number) => string;

/** Most tokens of a head. */
const LONGEST_HEAD = 24;

/**
 * Reads a prompt's sentences, which are split into pieces.
 * @param between returns the prompt's text between two positions
 */
export function readSentences(sentences: Token[][][], between: Between): Reading {
  const state: State = { between, found: [], own: [], open: [], heads: [] };
  const isAlone = sentences.flat().length === 1;
  let number = 0;
  for (const [i, sentence] of sentences.entries()) {
    state.own = [];
    for (const [k, tokens] of sentence.entries()) {
      number++;
      const refused = textOf(tokens);
      const which = isAlone ? 'the prompt' : `instruction ${number} of the prompt`;
      const next = sentence[k + 1] ?? sentences[i + 1]?.[0];
      const { end, asks } = tokens.at(-1)!;
      const part = between(tokens[0]!.start, asks ? end + 1 : end);
      const refusal = { refused, part, which: `${which} was not understood` };
      const blank = { refused, part, which: `${which} has a blank`, mend: 'Fill in the …' };
      if (tokens.some(isBlankSlug)) return blank;
      if (!readPiece(state, { tokens, refusal, next }))
        return tokens.some(isBlank) ? blank : refusal;
      if (state.own.some(hasEmptyText))
        return {
          refused,
          part,
          which: `${which} has a text without words`,
          mend: 'Put your words into its quotes',
        };
      if (tokens.some((token) => token.kind === 'quote' && isBlank(token))) return blank;
    }
    const placed = inheritPage(state.own).map((one) => inPlace(state, one));
    if (placed.includes(null)) return state.place!.refusal;
    state.found.push(...(placed as Instruction[]));
  }
  return finished(state);
}

/**
 * The result, if instructions have used all remarks and heads. Otherwise refuses the first unused
 * one.
 */
function finished({ found, open, heads }: State): Reading {
  const beside = open.find(({ isUsed, ...remark }) =>
    remark.pages
      ? !isUsed
      : remark.thing !== undefined || !found.some((one) => belongs(remark, one)),
  );
  const left = beside ?? heads.find(({ isUsed }) => !isUsed);
  return left?.refusal ?? exchanged(found) ?? { instructions: found };
}

/** Refuses to change A to B and then B to A, which would leave A everywhere. */
function exchanged(found: Instruction[]): Refused | undefined {
  const changes = found.flatMap((one) =>
    one.kind === 'replace'
      ? [[one.from, one.to]]
      : one.kind === 'menu' && one.change === 'rename'
        ? [[one.now, one.text]]
        : [],
  );
  const isBack = changes.some(([from, to], i) =>
    changes.slice(i + 1).some(([later, then]) => later === to && then === from),
  );
  return isBack
    ? {
        refused: '',
        which: 'the prompt changes a text and then changes it back',
        mend: 'Name a third text, or ask to swap the two',
      }
    : undefined;
}

/** Reads one piece, and updates the state. Returns false if the piece is not understood. */
function readPiece(state: State, piece: Piece): boolean {
  const { tokens } = piece;
  if (isQuestion(tokens)) return false;
  const head = state.heads.at(-1);
  const isUnder =
    head && head.tokens.length <= LONGEST_HEAD && !head.isFull && !verbs.has(tokens[0]!.word);
  const whole = isUnder ? [...head.tokens, ...tokens] : tokens;
  const under = isUnder ? readInstruction(whole) : null;
  const one = under ?? readInstruction(tokens) ?? readWithThing(tokens, state.open.at(-1));
  if (one) {
    if (under) [head!.isUsed, head!.isFull] = [true, 'text' in under];
    settle(state.open, tokens, one);
    state.said = { tokens: under ? whole : tokens, instruction: one };
    state.own.push(one);
    return true;
  }
  if (readBeside(state, piece)) return true;
  const since = state.between(state.said?.tokens.at(-1)?.end ?? 0, tokens[0]!.start);
  const like = /^[^.!?]*$/.test(since) ? readLike(state.said, tokens) : null;
  if (like) state.own.push(like);
  return like !== null || readHead(state, piece);
}

/** Whether a piece asks something, and its question mark is no part of a text to write. */
function isQuestion(tokens: Token[]): boolean {
  const last = tokens.at(-1)!;
  if (!last.asks) return false;
  const one = readInstruction(tokens);
  return one === null || !textsOf(one).some((text) => text.endsWith(`${last.text}?`));
}

/**
 * Reads a remark, a place, an addition to the previous instruction, or several instructions in one
 * piece.
 */
function readBeside(state: State, { tokens, refusal }: Piece): boolean {
  const remark = readPlace(tokens) ?? readRemark(tokens);
  if (remark) {
    const open = { ...remark, refusal };
    state.open.push(open);
    if (remark.pages) state.place = open;
    return true;
  }
  const list = state.own.length > 0 ? state.own : state.found;
  const more = readFollowUp(tokens, list.at(-1));
  if (more) list.splice(-1, 1, more);
  const parts = more ? null : readParts(tokens);
  if (parts) state.own.push(...parts);
  return more !== null || parts !== null;
}

/** Reads a head such as `Add these questions to /faq:`, which has the questions below it. */
function readHead(state: State, piece: Piece): boolean {
  const { tokens, next } = piece;
  const isHead = next !== undefined && (tokens.at(-1)!.word === ':' || next[1]?.word === ':');
  if (isHead) state.heads.push({ ...piece, isUsed: false });
  return isHead;
}

/** Applies the pages of the line above. Returns null if the instruction's kind takes no pages. */
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
 * Reads a piece whose `it` means the subject of the remark before: `We no longer have a free plan.
 * Take it off …`.
 */
function readWithThing(piece: Token[], remark: Open | undefined): Instruction | null {
  const whole = remark?.thing && withThing(piece, remark.thing);
  return whole ? readInstruction(whole) : null;
}

/** Drops the last open remark if this instruction covers its subject. */
function settle(open: Open[], piece: Token[], instruction: Instruction) {
  const last = open.at(-1);
  const isSaid =
    last?.thing && (withThing(piece, last.thing) !== null || namesThing(piece, last.thing));
  if (isSaid && belongs(last, instruction)) open.pop();
}

/** What a suggestion shows in place of a value that the person has to fill in. */
const isBlank = ({ text }: Token) => text === '…';
const isBlankSlug = ({ text }: Token) => text === '/…';

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
