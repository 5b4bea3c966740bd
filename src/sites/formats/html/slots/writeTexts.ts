import type MagicString from 'magic-string';
import { DomainError } from '../../../../errors.ts';
import { invalidInput } from '../../../invalidInput.ts';
import type { SlotTexts } from '../../pageParts.ts';
import type { SlotPlace } from './slotPlace.ts';

/**
 * Writes texts into their places. A text equal to the slot's text changes nothing.
 * @throws INVALID_INPUT for an id that is not a slot, and for a text without all inline tags of its
 *   slot
 */
export function writeTexts(sourceEditor: MagicString, places: SlotPlace[], texts: SlotTexts) {
  const placesById = new Map(places.map((place) => [place.slot.id, place]));
  const changes = Object.entries(texts).map(([id, text]) => ({
    place: findPlace(placesById, id),
    text,
  }));
  // inner places first: an outer one may move their tags, together with the new text in them
  changes.sort(
    (first, second) => second.place.start - first.place.start || first.place.end - second.place.end,
  );
  for (const { place, text } of changes)
    if (text !== place.slot.text) writeText(sourceEditor, place, text);
}

function findPlace(places: Map<string, SlotPlace>, id: string): SlotPlace {
  const place = places.get(id);
  if (!place) throw unknownSlotError(id);
  return place;
}

export const unknownSlotError = (id: string) =>
  invalidInput(`The page has no slot "${id.slice(0, 40)}"`);

function writeText(sourceEditor: MagicString, { slot, write }: SlotPlace, text: string) {
  try {
    write(sourceEditor, text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `Text of slot ${slot.id} (${slot.role}): ${error.message}`);
  }
}
