import type MagicString from 'magic-string';
import type { Slot, SlotRole } from '../../page.ts';
import type { Element } from '../document.ts';
import type { Range } from '../../../../text/range.ts';

/** A slot with its place in the source. */
export interface SlotPlace extends Range {
  slot: Slot;
  /** The element whose text or attribute this is. */
  element: Element;
  attribute?: string;
  /** The only ranges of the source that a text in the same order of parts changes. */
  ranges: Range[];
  /** For running text: where the text before, between and after its parts stands. */
  gaps?: Range[];
  /** The elements of its numbered parts; parts[0] is that of part 1. */
  parts?: Element[];
  write: (edit: MagicString, text: string) => void;
}

export const slotOf = (id: string, role: SlotRole, text: string): Slot => ({
  id,
  role,
  section: null,
  text,
  parts: [],
  locked: false,
});
