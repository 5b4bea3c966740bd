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
  /** The only source ranges that change when a new text keeps the order of parts. */
  ranges: Range[];
  /** For running text: the source ranges of the texts before, between and after its parts. */
  gaps?: Range[];
  /** The elements of its numbered parts; `parts[0]` is part 1. */
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
