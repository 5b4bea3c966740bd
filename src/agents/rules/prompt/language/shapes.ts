import type { Reader } from './reader.ts';
import { readers, type SlotType } from './slots.ts';
import type { Token } from './tokens.ts';
import { synonyms } from './words.ts';

/**
 * What the parts of a shape found, by their names. `pages` is the place, which may stand at several
 * places of a shape.
 */
export type Found = Readonly<Record<string, unknown>>;

/** How far a reading of a text came. */
export interface State {
  at: number;
  found: Found;
  /** Whether the place was named already. */
  placed: boolean;
  /** Whether a text without quotes was read, whose end is not sure. */
  loose: boolean;
}

/** A part of a shape: all the states that it leads to, the likelier ones first. */
type Part = (tokens: Token[], state: State) => State[];

export type Shape = (tokens: Token[]) => Found[];

/**
 * Reads a shape of instructions:
 *
 * - `set` a word; `set|make` one of them; `SET` one of the synonyms of words.ts, which may be
 *   several words
 * - `{text}` a slot of this name and type; `{quote:old}` one of another name (slots.ts)
 * - `@` the pages, which one of these places may name, or the beginning (`On /pricing, …`); `@from`
 *   also by `from`, `@into` by `to`; `@off` by `off`, and there it must be
 * - `?` behind any of them, and behind `( … )`: it may be left out
 *
 * A text is read once from left to right. Of several readings that come to the same place only the
 * first is kept, so that the work is the shape's length times the text's, whatever they say.
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
  for (
    let piece = pieces.shift();
    piece !== undefined && !piece.startsWith(')');
    piece = pieces.shift()
  ) {
    if (piece === '(') parts.push(optional(groupOf(pieces)));
    else
      parts.push(
        piece.length > 1 && piece.endsWith('?')
          ? optional(partOf(piece.slice(0, -1)))
          : partOf(piece),
      );
  }
  return parts;
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
  if (piece === '@') return optional(place(readers.place));
  if (piece === '@from') return optional(place(readers.from));
  if (piece === '@into') return optional(place(readers.into));
  if (piece === '@off') return place(readers.off);
  const phrases = piece
    .split('|')
    .flatMap((word) => (synonyms[word] ?? word).split('|'))
    .map((phrase) => phrase.split(' '));
  const first = Map.groupBy(phrases, ([word]) => word!);
  return (tokens, state) =>
    (first.get(tokens[state.at]?.word ?? '') ?? [])
      .filter((words) => isPhrase(tokens, state.at, words))
      .map(({ length }) => ({ ...state, at: state.at + length }));
}

const isWord = (token: Token | undefined, word: string) =>
  token?.word === word && token.kind !== 'quote';

/** `to Read more`: a verb in capitals behind `to` begins the text. */
const isPhrase = (tokens: Token[], at: number, words: string[]) =>
  words.every((word, i) => isWord(tokens[at + i], word)) &&
  !(words[0] === 'to' && words.length > 1 && /^\p{Lu}/u.test(tokens[at + 1]!.text));

function slot(type: SlotType, name: string): Part {
  const read = readers[type];
  return (tokens, state) =>
    read(tokens, state.at).map(({ end, value, loose = false }) => ({
      ...state,
      at: end,
      found: { ...state.found, [name]: value },
      loose: state.loose || loose,
    }));
}

/** The pages that an instruction is for, with a comma before them. */
const place =
  (read: Reader): Part =>
  (tokens, state) => {
    if (state.placed) return [];
    const at = isWord(tokens[state.at], ',') ? state.at + 1 : state.at;
    return read(tokens, at)
      .filter(({ loose = false }) => !(loose && state.loose))
      .map(({ end, value }) => ({
        ...state,
        at: end,
        found: { ...state.found, pages: value },
        placed: true,
      }));
  };

const isAfterPlace = (token: Token | undefined) => isWord(token, ',') || isWord(token, ':');
const first = place(readers.place);
const start: State = { at: 0, found: {}, placed: false, loose: false };
const leading: Part = (tokens, state) => [
  state,
  ...first(tokens, state).map((next) => ({
    ...next,
    at: isAfterPlace(tokens[next.at]) ? next.at + 1 : next.at,
  })),
];

/** The same for every shape that a text is read by. */
function led(tokens: Token[]): State[] {
  const known = leadingOf.get(tokens) ?? distinct(leading(tokens, start));
  leadingOf.set(tokens, known);
  return known;
}
const leadingOf = new WeakMap<Token[], State[]>();
