import { withoutEnd } from '../../../../contract/text.ts';
import { DomainError } from '../../../../errors.ts';
import { descendants, type Element, type HtmlDocument } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { readAgain } from '../groups/arrange.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findBlocks } from './findBlocks.ts';

/**
 * The page without some blocks; every other byte stays. A block goes with the white space before
 * it.
 * @param ids of blocks; one that the page no longer has counts as taken out
 * @returns the new page; its slots' ids are the old ones
 * @throws INVALID_INPUT where the page would be read in another way afterwards
 */
export function takeOut(page: HtmlDocument, places: SlotPlace[], ids: ReadonlySet<string>) {
  const gone = findBlocks(page, places).filter(({ id }) => ids.has(id));
  if (gone.length === 0) return { page, places };
  const elements = new Set<Element>();
  for (const part of gone.flatMap((block) => block.elements))
    for (const element of [part, ...descendants(part)]) elements.add(element);
  const kept = [...page.numbers].filter(([element]) => !elements.has(element));
  const source = without(page.source, gone.map(rangeOf));
  const written = readAgain(
    page,
    places,
    source,
    kept.map(([element, number]) => ({ element, number })),
  );
  if (!written)
    throw new DomainError(
      'INVALID_INPUT',
      'A block with such facts is written in a way that does not allow to drop it',
    );
  return written;
}

const rangeOf = ({ elements }: { elements: Element[] }): Range => ({
  start: elements[0]!.sourceCodeLocation!.startOffset,
  end: elements.at(-1)!.sourceCodeLocation!.endOffset,
});

/** @param ranges in the order of their starts; an inner one counts for nothing */
function without(source: string, ranges: Range[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of ranges) {
    if (end <= at) continue;
    result += withoutEnd(source.slice(at, start), ' \t\n\f\r');
    at = end;
  }
  return result + source.slice(at);
}
