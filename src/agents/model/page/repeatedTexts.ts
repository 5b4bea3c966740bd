import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { isHoursAt } from '../../../sites/pages/texts/hoursData.ts';
import { isForPrograms } from './pageFacts.ts';

/** Least characters of a text that counts as repeated. Shorter texts may be equal by chance. */
const MIN_REPEATED_LENGTH = 4;

/**
 * Finds the texts for programs, such as structured data, that repeat a text for people.
 * @returns each such text with the first text that it repeats. If a model writes the latter, the
 *   former follows. Opening hours are left out, since their days and times belong together
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
