import { placeholdersIn } from '../../../checks/placeholders.ts';
import { parsePieces, plainLine } from '../../../pages/slotText.ts';
import type { Spot } from '../../faults.ts';
import { closest, type Element, type HtmlDocument } from '../document.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { spotOf } from './spotOf.ts';

/**
 * The placeholders on a page, in lower case, with their places. A template tag reads as one if the
 * page did not have it before. Those in code (`code`, `pre`) don't count.
 */
export function placeholdersOn(page: HtmlDocument): [text: string, Spot][] {
  const inTexts = findSlotPlaces(page).flatMap((place) =>
    findPlaceholders(place).map((text): [string, Spot] => [
      text,
      spotOf(place.element, place.attribute),
    ]),
  );
  const tags = [...page.code.values()].flatMap(({ text, element }): [string, Spot][] =>
    element && closest(element, isCode)
      ? []
      : [[text.toLowerCase(), element ? spotOf(element) : { line: 1, element: 'text' }]],
  );
  return [...inTexts, ...tags];
}

function findPlaceholders({ slot, element }: SlotPlace): string[] {
  const text = plainLine(withoutCode(slot.text, slot.parts));
  return closest(element, isCode) ? [] : placeholdersIn(text);
}

const codeNames = new Set(['code', 'pre', 'kbd', 'samp', 'var']);
const isCode = ({ tagName }: Pick<Element, 'tagName'>) => codeNames.has(tagName);

function withoutCode(text: string, parts: string[]): string {
  const code = new Set(parts.flatMap((tagName, i) => (isCode({ tagName }) ? [i + 1] : [])));
  if (code.size === 0) return text;
  let inside = 0;
  return parsePieces(text)
    .map((piece) => {
      if (piece.kind === 'text') return inside > 0 ? '' : piece.text;
      if (code.has(piece.part))
        inside += piece.kind === 'open' ? 1 : piece.kind === 'close' ? -1 : 0;
      return '';
    })
    .join('');
}
