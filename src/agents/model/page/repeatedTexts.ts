import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { isHoursAt } from '../../../sites/pages/texts/hoursData.ts';
import { isForPrograms } from './pageFacts.ts';

/** Least characters of a text that another one repeats, and does not only happen to equal. */
const MIN_REPEATED_LENGTH = 4;

/**
 * The texts for programs that repeat a text for people, each with the first such text. They follow
 * it where a model writes it. Opening hours stand for themselves: their days and times belong
 * together.
 */
export function findRepeatedTexts(slots: readonly TextSlot[]): Map<TextSlot, TextSlot> {
  const firstSlotByText = new Map(
    slots
      .filter((slot) => !isForPrograms(slot))
      .toReversed()
      .map((slot) => [slot.text, slot]),
  );
  const followers = slots.filter(
    (slot) =>
      isForPrograms(slot) && slot.text.length >= MIN_REPEATED_LENGTH && !isHoursAt(slot.jsonPath),
  );
  return new Map(
    followers.flatMap((slot) => {
      const leader = firstSlotByText.get(slot.text);
      return leader ? [[slot, leader] as const] : [];
    }),
  );
}
