import type { PageField, PageName } from '../promptInstruction.ts';
import {
  PAGES_PATTERN,
  readPageNames,
  type WordingSlot,
  wordingSlots,
  type WordingSlotType,
  type WordedTarget,
} from './wordingSlots.ts';
import { synonyms } from './synonyms.ts';

type NewTextName = 'to' | 'text' | 'subject' | 'slug' | 'year';
type OldTextName = 'from' | 'old' | 'now' | 'name' | 'other' | 'section' | 'after' | 'image';
type PhraseName = 'where' | 'part' | 'item' | 'group' | 'what' | 'question' | 'answer';

/** The values that were found in a sentence, by the names of the wording's slots. */
export interface WordingValues extends Partial<
  Record<NewTextName | OldTextName | PhraseName, string>
> {
  /** The pages that the instruction is for. */
  pages?: PageName[] | 'everywhere';
  page?: PageName;
  field?: PageField;
  element?: 'link' | 'button';
  target?: WordedTarget;
  fromTarget?: WordedTarget;
  toTarget?: WordedTarget;
  position?: number;
  first?: string | number;
  second?: string | number;
  texts?: string[];
  percent?: number;
}

/** Reads the values of a sentence with a space before each word. null if it has another shape. */
export type WordingShape = (sentence: string, quotes: string[]) => WordingValues | null;

const everywhereSlot: WordingSlot<'everywhere'> = {
  pattern: synonyms.EVERYWHERE,
  read: () => 'everywhere',
};
const pagesSlot: WordingSlot<PageName[]> = { pattern: PAGES_PATTERN, read: readPageNames };

/** The words before the pages that an instruction is for. */
const PAGE_PREPOSITIONS: Record<string, string> = {
  '@': 'on|of|for|in|at',
  '@from': 'on|of|for|in|at|from|off',
  '@into': 'on|of|for|in|at|to|into',
};

/**
 * Compiles the shape of a wording to a function that reads sentences. A slot of a shape is a place
 * for a value. `REMOVE THE? table {quote:name}? @from` reads `Remove the table "Hours" from /rooms`
 * as `{ name: 'Hours', pages: [{ slug: '/rooms' }] }`. In a shape,
 *
 * - `set` a word; `set|make` one of these; `SET` one of its phrases in synonyms.ts
 * - `{value}` a slot of this type and name; `{quote:old}` a slot `old` of the type `quote`
 * - `@` the pages, which may stand here, at another `@`, or at the beginning (`On /pricing, …`);
 *   `@from` also allows `from` and `off`, `@into` `to`
 * - `?` behind any of these makes it optional; so is everything in `( … )`
 */
export function compileShape(shape: string): WordingShape {
  const captures: { name: string; slot: WordingSlot }[] = [];
  const capture = (name: string, slot: WordingSlot) => {
    captures.push({ name, slot });
    return `(${slot.pattern})`;
  };
  const createPagesPattern = (prepositions: string, ending = '') =>
    ` (?:${capture('pages', everywhereSlot)}|(?:${prepositions}) ${capture('pages', pagesSlot)})${ending}`;
  const createPiecePattern = (piece: string): string => {
    if (piece in PAGE_PREPOSITIONS)
      return `(?:(?: ,)?${createPagesPattern(PAGE_PREPOSITIONS[piece]!)})?`;
    if (piece.length > 1 && piece.endsWith('?'))
      return `(?:${createPiecePattern(piece.slice(0, -1))})?`;
    const [, type, name = type] = /^\{(\w+)(?::(\w+))?\}$/.exec(piece) ?? [];
    if (type !== undefined) return ` ${capture(name!, wordingSlots[type as WordingSlotType])}`;
    const prepositions = piece
      .split('|')
      .map(
        (word) =>
          synonyms[word as keyof typeof synonyms] ?? word.replace(/[.*+?^${}()[\]\\]/g, '\\$&'),
      );
    return ` (?:${prepositions.join('|')})`;
  };
  const startPattern = shape.includes('@')
    ? `(?:${createPagesPattern('on|in|at|for', '(?: ,| :)?')})?`
    : '';
  const parts = shape
    .split(/(?<=\()|(?=\)\??)|\s+/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece === '(' ? '(?:' : /^\)\??$/.test(piece) ? ')?' : createPiecePattern(piece),
    );
  const pattern = new RegExp(`^${startPattern}${parts.join('')}$`, 'i');
  return (sentence, quotes) => {
    const match = pattern.exec(sentence);
    return match && readCapturedValues(match.slice(1), captures, quotes);
  };
}

/** Reads what the slots matched. null if a value is not of its type, or a slot has two values. */
function readCapturedValues(
  texts: (string | undefined)[],
  captures: { name: string; slot: WordingSlot }[],
  quotes: string[],
): WordingValues | null {
  const values: Record<string, unknown> = {};
  for (const [index, text] of texts.entries()) {
    if (text === undefined) continue;
    const { name, slot } = captures[index]!;
    const value = slot.read(text, quotes);
    if (value === null || name in values) return null;
    values[name] = value;
  }
  return values;
}
