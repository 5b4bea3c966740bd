import type MagicString from 'magic-string';
import type { TextRange } from '../../text/textRange.ts';
import type { TextPlace } from './textPlaces.ts';

/**
 * How a new text is written. Plain: as it is. Escaped: with a numeric entity for each character
 * that may mean something in the format; all generators keep these, but some drop backslashes.
 * Whole: also what stays of the old text is written again, in one line.
 */
export type WritingManner = 'plain' | 'escaped' | 'whole';
export const writingManners: WritingManner[] = ['plain', 'escaped', 'whole'];

/** A place of a format that verifies an edit by reading the edited page again. */
export interface VerifiedPlace extends TextPlace {
  /** What each numbered part is, such as a link with its address. `keys[0]` is of part 1. */
  keys: string[];
  /** For running text: the source ranges of the texts before, between and after its parts. */
  gaps?: TextRange[];
  /** Writes a new text. Throws INVALID_INPUT if its inline tags are not those of the slot. */
  write: (sourceEditor: MagicString, text: string, manner: WritingManner) => void;
  /** The text that the page must have after a new text was written. */
  expect: (text: string) => string;
}
