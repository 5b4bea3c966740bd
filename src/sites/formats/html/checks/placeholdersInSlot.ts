import { placeholdersInText } from '../../../checks/placeholders.ts';
import { parsePieces, plainLine } from '../../../pages/texts/slotText.ts';
import type { SourcePosition } from '../../pageFindings.ts';
import { closest, type PageElement, type HtmlDocument } from '../document.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { sourcePosition } from './sourcePosition.ts';

/**
 * The placeholders on a page, such as `[CITY]`, in lower case, with their positions. Template tags
 * (`{{ city }}`) count too. Placeholders in code (`code`, `pre`) don't.
 */
export function placeholdersOn(page: HtmlDocument): [text: string, SourcePosition][] {
  const inTexts = findSlotPlaces(page).flatMap((place) =>
    placeholdersInSlot(place).map((text): [string, SourcePosition] => [
      text,
      sourcePosition(place.element, place.attribute),
    ]),
  );
  const tags = [...page.code.values()].flatMap(({ text, element }): [string, SourcePosition][] =>
    element && closest(element, isCodeElement)
      ? []
      : [[text.toLowerCase(), element ? sourcePosition(element) : { line: 1, element: 'text' }]],
  );
  return [...inTexts, ...tags];
}

function placeholdersInSlot({ slot, element }: SlotPlace): string[] {
  const text = plainLine(stripCode(slot.text, slot.parts));
  return closest(element, isCodeElement) ? [] : placeholdersInText(text);
}

const codeTags = new Set(['code', 'pre', 'kbd', 'samp', 'var']);
const isCodeElement = ({ tagName }: Pick<PageElement, 'tagName'>) => codeTags.has(tagName);

function stripCode(text: string, parts: string[]): string {
  const code = new Set(parts.flatMap((tagName, i) => (isCodeElement({ tagName }) ? [i + 1] : [])));
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
