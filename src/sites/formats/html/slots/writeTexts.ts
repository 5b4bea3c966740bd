import type MagicString from 'magic-string';
import type { SlotTexts } from '../../pageParts.ts';
import { placeTexts, writeSlot } from '../../textPlaces.ts';
import type { SlotPlace } from './slotPlace.ts';

/**
 * Writes texts into their places. A text equal to the slot's text changes nothing.
 * @throws INVALID_INPUT for an id that is not a slot, and for a text without all inline tags of its
 *   slot
 */
export function writeTexts(sourceEditor: MagicString, places: SlotPlace[], texts: SlotTexts) {
  for (const { place, text } of placeTexts(places, texts))
    writeSlot(place.slot, () => place.write(sourceEditor, text));
}
