import type MagicString from 'magic-string';
import type { PageElement } from '../document.ts';
import type { TextRange } from '../../../../text/textRange.ts';
import type { TextPlace } from '../../textPlaces.ts';

/** A slot with its position in the source. */
export interface SlotPlace extends TextPlace {
  /** The element whose text or attribute this is. */
  element: PageElement;
  attribute?: string;
  /** The only source ranges that change when a new text keeps the order of parts. */
  ranges: TextRange[];
  /** For running text: the source ranges of the texts before, between and after its parts. */
  gaps?: TextRange[];
  /** The elements of its numbered parts; `inlineElements[0]` is part 1. */
  inlineElements?: PageElement[];
  /** Writes a new text. Throws INVALID_INPUT if its inline tags are not those of the slot. */
  write: (sourceEditor: MagicString, text: string) => void;
}
