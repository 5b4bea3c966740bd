import type { PageSlots } from '../contract/check.ts';
import { visible } from '../contract/visible.ts';
import type { Slot } from '../sites/formats/page.ts';
import { cut } from '../text/text.ts';
import { plainText } from './text/marks.ts';

/** The most slots of an answer, and the most characters of a slot's text. */
const MOST = 200;
const LONGEST_TEXT = 200;

/** A text this many times as long as the old one may break the layout. */
const MUCH_LONGER = 1.5;
const LONGER = 20;

/** The most characters of a text in the place of one that has `before`. */
const usefulLength = (before: number) =>
  Math.floor(Math.max(before * MUCH_LONGER, before + LONGER));

/** `[g54.0] s55 h3 Starter`. Lines of a text after its first are indented. */
const lineOfSlot = /^(?:\[[^\]]{1,100}\] ?)*(\w+) /;
const lastLine = /^\d+ more: from (\w+)$/;

/**
 * The slots whose lines an outline shows, in its order.
 * @param kinds those of all slots, as the outline names them
 */
export function slotsIn(outline: string, slots: readonly Slot[], kinds: string[]): PageSlots {
  const known = new Map(slots.map((slot, i) => [slot.id, { slot, kind: kinds[i] ?? '' }]));
  const lines = outline.split('\n');
  const shown = lines.flatMap((line) => known.get(lineOfSlot.exec(line)?.[1] ?? '') ?? []);
  const more = lastLine.exec(lines.at(-1) ?? '')?.[1] ?? null;
  return {
    slots: shown.slice(0, MOST).map(({ slot, kind }) => {
      const text = visible(plainText(slot.text));
      const maxLength = usefulLength(plainText(slot.text).length);
      return { id: slot.id, kind, text: cut(text, LONGEST_TEXT), maxLength };
    }),
    nextFrom: shown[MOST]?.slot.id ?? more,
  };
}
