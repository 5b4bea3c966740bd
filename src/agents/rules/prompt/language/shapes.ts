import type { Field, PageName } from '../instructions.ts';
import { PAGES, pagesIn, type Slot, slots, type SlotType, type Target } from './slots.ts';
import { synonyms } from './synonyms.ts';

type NewText = 'to' | 'text' | 'subject' | 'slug' | 'year';
type OldText = 'from' | 'old' | 'now' | 'name' | 'other' | 'section' | 'after' | 'image';
type Phrase = 'where' | 'part' | 'item' | 'group' | 'what' | 'question' | 'answer';

/** The values that the slots of a wording found, by slot name. */
export interface Found extends Partial<Record<NewText | OldText | Phrase, string>> {
  /** The pages that the instruction is for. */
  pages?: PageName[] | 'everywhere';
  page?: PageName;
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
}

/** Reads a sentence with a space before each word. null if it does not have the shape. */
export type Shape = (sentence: string, quotes: string[]) => Found | null;

const everywhere: Slot<'everywhere'> = { pattern: synonyms.EVERYWHERE, read: () => 'everywhere' };
const pages: Slot<PageName[]> = { pattern: PAGES, read: pagesIn };

/** The words before the pages that an instruction is for. */
const PLACES: Record<string, string> = {
  '@': 'on|of|for|in|at',
  '@from': 'on|of|for|in|at|from|off',
  '@into': 'on|of|for|in|at|to|into',
};

/**
 * Compiles the shape of a wording:
 *
 * - `set` a word; `set|make` one of these; `SET` one of its phrases in synonyms.ts
 * - `{value}` a slot of this type and name; `{quote:old}` a slot `old` of the type `quote`
 * - `@` the pages, which may stand here, at another `@`, or at the beginning (`On /pricing, …`);
 *   `@from` also allows `from` and `off`, `@into` `to`
 * - `?` behind any of these makes it optional; so is everything in `( … )`
 */
export function shapeOf(shape: string): Shape {
  const names: { name: string; slot: Slot }[] = [];
  const capture = (name: string, slot: Slot) => {
    names.push({ name, slot });
    return `(${slot.pattern})`;
  };
  const place = (words: string, end = '') =>
    ` (?:${capture('pages', everywhere)}|(?:${words}) ${capture('pages', pages)})${end}`;
  const atom = (piece: string): string => {
    if (piece in PLACES) return `(?:(?: ,)?${place(PLACES[piece]!)})?`;
    if (piece.length > 1 && piece.endsWith('?')) return `(?:${atom(piece.slice(0, -1))})?`;
    const [, type, name = type] = /^\{(\w+)(?::(\w+))?\}$/.exec(piece) ?? [];
    if (type !== undefined) return ` ${capture(name!, slots[type as SlotType])}`;
    const words = piece
      .split('|')
      .map(
        (word) =>
          synonyms[word as keyof typeof synonyms] ?? word.replace(/[.*+?^${}()[\]\\]/g, '\\$&'),
      );
    return ` (?:${words.join('|')})`;
  };
  const start = shape.includes('@') ? `(?:${place('on|in|at|for', '(?: ,| :)?')})?` : '';
  const parts = shape
    .split(/(?<=\()|(?=\)\??)|\s+/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece === '(' ? '(?:' : /^\)\??$/.test(piece) ? ')?' : atom(piece)));
  const pattern = new RegExp(`^${start}${parts.join('')}$`, 'i');
  return (sentence, quotes) => {
    const match = pattern.exec(sentence);
    return match && foundIn(match.slice(1), names, quotes);
  };
}

/** null if a value is none of its type, or if a slot has two values. */
function foundIn(
  texts: (string | undefined)[],
  names: { name: string; slot: Slot }[],
  quotes: string[],
): Found | null {
  const found: Record<string, unknown> = {};
  for (const [i, text] of texts.entries()) {
    if (text === undefined) continue;
    const { name, slot } = names[i]!;
    const value = slot.read(text, quotes);
    if (value === null || name in found) return null;
    found[name] = value;
  }
  return found;
}
