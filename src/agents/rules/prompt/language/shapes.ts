import type { Field, PageName, PriceUnit } from '../instructions.ts';
import { says, type Reader } from './reader.ts';
import { readers, type SlotType, type Target } from './slots.ts';
import { type Token, wordAt } from './tokens.ts';
import { synonyms, type SynonymName } from './synonyms.ts';

type TextName =
  | 'from'
  | 'to'
  | 'old'
  | 'now'
  | 'text'
  | 'name'
  | 'other'
  | 'where'
  | 'near'
  | 'section'
  | 'after'
  | 'image'
  | 'subject'
  | 'slug'
  | 'year'
  | 'hours'
  | 'question'
  | 'answer'
  | 'part'
  | 'item'
  | 'items'
  | 'group'
  | 'all'
  | 'what';

type Pages = PageName[] | 'everywhere';

/** The values that the slots of a shape found, by slot name. */
export interface Found extends Partial<Record<TextName, string>> {
  /** The pages that the instruction is for. */
  pages?: Pages;
  page?: PageName;
  /** The page in `{page:of}'s headline`. */
  of?: PageName;
  field?: Field;
  element?: 'link' | 'button';
  target?: Target;
  fromTarget?: Target;
  toTarget?: Target;
  position?: number;
  first?: string | number;
  second?: string | number;
  texts?: string[];
  percent?: number;
  per?: PriceUnit;
  days?: number[];
  edge?: 'opens' | 'closes';
  options?: Token[];
  thing?: Token[];
}

/** How far a text was read, and what was found. */
export interface State {
  at: number;
  found: Found;
  /** Whether the instruction's pages were read. */
  placed: boolean;
  /** Whether a slot with an uncertain end was read. */
  loose: boolean;
}

/** A part of a shape. Returns all states that follow from it, the likelier ones first. */
type Part = (tokens: Token[], state: State) => State[];

export type Shape = (tokens: Token[]) => Found[];

/**
 * Compiles a shape, a pattern of instructions:
 *
 * - `set` a word; `set|make` one of these; `SET` one of its phrases in synonyms.ts
 * - `{text}` a slot of this name and type; `{quote:old}` a slot `old` of the type `quote`
 *   (slots.ts)
 * - `@` the pages, which may stand here, at another `@`, or at the beginning (`On /pricing, …`);
 *   `@from` also allows `from`, `@into` `to`; `@off` requires `off` or `from`
 * - `?` behind any of these makes it optional; so is everything in `( … )`
 *
 * A text is read once from left to right. Of several readings that end at the same place only the
 * first is kept, so that the work is at most the shape's length times the text's.
 */
export function shapeOf(shape: string): Shape {
  const parts = partsOf(shape.match(/\)\??|[^\s()]+|\(/g) ?? []);
  const begin = shape.includes('@') ? led : () => [start];
  return (tokens) =>
    run(parts, tokens, begin(tokens))
      .filter(({ at }) => at === tokens.length)
      .map(({ found }) => found);
}

const run = (parts: Part[], tokens: Token[], states: State[]): State[] =>
  parts.reduce(
    (now, part) => (now.length === 0 ? now : distinct(now.flatMap((state) => part(tokens, state)))),
    states,
  );

function distinct(states: State[]): State[] {
  if (states.length < 2) return states;
  const known = new Set<string>();
  return states.filter(({ at, placed }) => {
    const key = `${at} ${placed}`;
    return !known.has(key) && known.add(key);
  });
}

function partsOf(pieces: string[]): Part[] {
  const parts: Part[] = [];
  for (;;) {
    const piece = pieces.shift();
    if (piece === undefined || piece.startsWith(')')) return parts;
    if (piece === '(') parts.push(optional(groupOf(pieces)));
    else if (piece.length > 1 && piece.endsWith('?'))
      parts.push(optional(partOf(piece.slice(0, -1))));
    else parts.push(partOf(piece));
  }
}

function groupOf(pieces: string[]): Part {
  const parts = partsOf(pieces);
  return (tokens, state) => run(parts, tokens, [state]);
}

const optional =
  (part: Part): Part =>
  (tokens, state) => [...part(tokens, state), state];

function partOf(piece: string): Part {
  const [, type, name = type] = /^\{(\w+)(?::(\w+))?\}$/.exec(piece) ?? [];
  if (type !== undefined) return slot(type as SlotType, name!);
  const at = PLACES[piece];
  if (at) return at;
  const choices = piece
    .split('|')
    .flatMap((word) => synonyms[word as SynonymName] ?? [word])
    .map((phrase) => phrase.split(' '));
  const first = Map.groupBy(choices, ([word]) => word!);
  return (tokens, state) =>
    (first.get(wordAt(tokens, state.at)) ?? [])
      .filter((words) => isPhrase(tokens, state.at, words))
      .map(({ length }) => ({ ...state, at: state.at + length }));
}

/** Whether these words are here. In `to Read more`, the capital letter begins the text. */
const isPhrase = (tokens: Token[], at: number, words: string[]) =>
  says(tokens, at, words) &&
  !(words[0] === 'to' && words.length > 1 && /^\p{Lu}/u.test(tokens[at + 1]!.text));

function slot(type: SlotType, name: string): Part {
  const read = readers[type];
  return (tokens, state) =>
    read(tokens, state.at)
      .filter(({ value }) => isFree(state.found, name, value))
      .map(({ end, value, loose = false }) => ({
        ...state,
        at: end,
        found: { ...state.found, [name]: value },
        loose: state.loose || loose,
      }));
}

/** Whether a slot is empty, or has this value already. A second value would replace the first. */
const isFree = (found: Found, name: string, value: unknown) => {
  const own = (found as Record<string, unknown>)[name];
  return own === undefined || own === value;
};

/** Reads the pages that an instruction is for. A comma may stand before them. */
const place =
  (read: Reader): Part =>
  (tokens, state) => {
    if (state.placed) return [];
    const at = tokens[state.at]?.word === ',' ? state.at + 1 : state.at;
    return read(tokens, at)
      .filter(({ loose = false }) => !(loose && state.loose))
      .map(({ end, value }) => ({
        ...state,
        at: end,
        found: { ...state.found, pages: value as Pages },
        placed: true,
      }));
  };

/** `@off` is required: it shows that the instruction removes something. */
const PLACES: Record<string, Part> = {
  '@': optional(place(readers.place)),
  '@from': optional(place(readers.from)),
  '@into': optional(place(readers.into)),
  '@off': place(readers.off),
};

const start: State = { at: 0, found: {}, placed: false, loose: false };
const first = place(readers.place);

/**
 * The states after reading the pages at the beginning of a text. They are the same for all shapes.
 */
function led(tokens: Token[]): State[] {
  const known =
    leadingOf.get(tokens) ??
    distinct([
      start,
      ...first(tokens, start).map((state) => ({
        ...state,
        at: /^[,:]$/.test(wordAt(tokens, state.at)) ? state.at + 1 : state.at,
      })),
    ]);
  leadingOf.set(tokens, known);
  return known;
}
const leadingOf = new WeakMap<Token[], State[]>();
