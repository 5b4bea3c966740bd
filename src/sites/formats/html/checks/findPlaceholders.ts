import { placeholdersIn } from '../../../checks/placeholders.ts';
import { parsePieces, plainLine } from '../../../pages/slotText.ts';
import { closest, type Element } from '../document.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';

/** The placeholders in a slot's text, in lower case. Those in code (`code`, `pre`) don't count. */
export function findPlaceholders({ slot, element }: Pick<SlotPlace, 'slot' | 'element'>): string[] {
  const text = plainLine(withoutCode(slot.text, slot.parts));
  return closest(element, isCode) ? [] : placeholdersIn(text);
}

const codeNames = new Set(['code', 'pre', 'kbd', 'samp', 'var']);
export const isCode = ({ tagName }: Pick<Element, 'tagName'>) => codeNames.has(tagName);

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
