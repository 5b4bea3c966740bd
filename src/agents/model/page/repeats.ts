import type { Slot } from '../../../sites/formats/page.ts';
import { isHoursAt } from '../../../sites/pages/hoursData.ts';
import { isHidden } from './pageFacts.ts';

/** Least characters of a text that another one repeats, and does not only happen to equal. */
const REPEATED = 4;

/**
 * The texts for programs that repeat a text for people, each with the first such text. They follow
 * it where a model writes it. Opening hours stand for themselves: their days and times belong
 * together.
 */
export function repeatsOf(slots: readonly Slot[]): Map<Slot, Slot> {
  const first = new Map(
    slots
      .filter((slot) => !isHidden(slot))
      .toReversed()
      .map((slot) => [slot.text, slot]),
  );
  const followers = slots.filter(
    (slot) => isHidden(slot) && slot.text.length >= REPEATED && !isHoursAt(slot.jsonPath),
  );
  return new Map(
    followers.flatMap((slot) => {
      const leader = first.get(slot.text);
      return leader ? [[slot, leader] as const] : [];
    }),
  );
}
