import type MagicString from 'magic-string';
import type { TextRange } from '../../../text/textRange.ts';
import { invalidInput } from '../../invalidInput.ts';
import { parsePieces } from '../../pages/texts/slotText.ts';
import type { TextSlot } from '../pageParts.ts';

/**
 * How a new text is written. Plain: as it is. Escaped: with a numeric entity for each character
 * that may mean something in Markdown; all generators keep these, but some drop backslashes. Whole:
 * also what stays of the old text is written again, in one line.
 */
export type WritingManner = 'plain' | 'escaped' | 'whole';
export const writingManners: WritingManner[] = ['plain', 'escaped', 'whole'];

/** A slot with its position in the source. */
export interface MarkdownPlace extends TextRange {
  slot: TextSlot;
  /** What each numbered part is, such as a link with its address. `keys[0]` is of part 1. */
  keys: string[];
  /** For running text: the source ranges of the texts before, between and after its parts. */
  gaps?: TextRange[];
  /** Writes a new text. Throws INVALID_INPUT if its inline tags are not those of the slot. */
  write: (sourceEditor: MagicString, text: string, manner: WritingManner) => void;
  /** The text that the page must have after a new text was written. */
  expect: (text: string) => string;
}

/** Reads a slot's text without inline tags. Throws INVALID_INPUT for the mark of one (`<1>`). */
export function plainSlotText(slotText: string): string {
  const pieces = parsePieces(slotText);
  if (pieces.some(({ kind }) => kind !== 'text'))
    throw invalidInput('this text has no numbered parts: write a literal <1> as \\<1>');
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}
