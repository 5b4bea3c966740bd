import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { TextRange } from '../../text/textRange.ts';
import { invalidInput } from '../invalidInput.ts';
import { unknownTextError } from '../pages/texts/editableTexts.ts';
import { parsePieces, plainLine } from '../pages/texts/slotText.ts';
import type { PageContent } from './format.ts';
import type { OpaqueText, SlotRole, SlotTexts, TextSlot } from './pageParts.ts';

/** A slot with its position in the source. */
export interface TextPlace extends TextRange {
  slot: TextSlot;
}

/** A place and its new text. */
export interface PlacedText<Place extends TextPlace> {
  place: Place;
  text: string;
}

export const createSlot = (id: string, role: SlotRole, text: string): TextSlot => ({
  id,
  role,
  section: null,
  text,
  parts: [],
  locked: false,
});

/** Sorts the places of a page. Throws LIMIT_EXCEEDED for more than 3,000. */
export function sortPlaces<Place extends TextPlace>(places: Place[]): Place[] {
  if (places.length > limits.pageSlots)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The page has ${places.length} texts; at most ${limits.pageSlots} are allowed`,
    );
  return places.sort((first, second) => first.start - second.start || second.end - first.end);
}

/** Title and slots of a page: see `FormatCalls.read`. */
export function describeContent(
  slug: string,
  places: TextPlace[],
  opaque: OpaqueText[],
): PageContent {
  const slots = places.map(({ slot }) => slot);
  const titleSlot =
    slots.find(({ role }) => role === 'title') ?? slots.find(({ level }) => level === 1);
  return { slug, title: titleSlot ? plainLine(titleSlot.text) : slug, slots, opaque };
}

/** Reads a slot's text without inline tags. Throws INVALID_INPUT for the mark of one (`<1>`). */
export function plainSlotText(slotText: string): string {
  const pieces = parsePieces(slotText);
  if (pieces.some(({ kind }) => kind !== 'text'))
    throw invalidInput('this text has no numbered parts: write a literal <1> as \\<1>');
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

/**
 * The places whose texts change, in the order in which they must be written. Throws INVALID_INPUT
 * for an id that is not a slot.
 */
export function placeTexts<Place extends TextPlace>(
  places: Place[],
  texts: SlotTexts,
): PlacedText<Place>[] {
  const placesById = new Map(places.map((place) => [place.slot.id, place]));
  const changes = Object.entries(texts).flatMap(([id, text]) => {
    const place = placesById.get(id);
    if (!place) throw unknownTextError(id);
    return text === place.slot.text ? [] : [{ place, text }];
  });
  // inner places first: an outer one may move their tags, together with the new text in them
  return changes.sort(
    (first, second) => second.place.start - first.place.start || first.place.end - second.place.end,
  );
}

/** Writes the text of a slot, which an error names. */
export function writeSlot({ id, role }: TextSlot, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `Text of slot ${id} (${role}): ${error.message}`);
  }
}
