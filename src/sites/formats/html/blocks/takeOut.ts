import { withoutEnd } from '../../../../contract/text.ts';
import { outermost, type Range } from '../../../../text/range.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { spanOf, within, type HtmlDocument } from '../document.ts';
import { readAgain } from '../groups/arrange.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findBlocks } from './findBlocks.ts';

/**
 * Removes blocks with the white space before them. All other bytes stay.
 * @param ids ids of blocks; unknown ones count as already removed
 * @returns the new page; its slots keep their ids
 * @throws INVALID_INPUT if a parser would read the new page differently
 */
export function takeOut<Page extends HtmlDocument>(
  page: Page,
  places: SlotPlace[],
  ids: ReadonlySet<string>,
) {
  const gone = findBlocks(page, places).filter(({ id }) => ids.has(id));
  if (gone.length === 0) return { page, places };
  const elements = new Set(within(gone.flatMap((block) => block.elements)));
  const copied = page.elements
    .filter((element) => !elements.has(element))
    .map((element) => ({ element, number: page.numbers.get(element)! }));
  const ranges = gone.map((block) => spanOf(block.elements));
  const written = readAgain(page, places, { source: without(page.source, ranges), copied });
  if (written) return written;
  throw invalidInput('A block with such facts is written in a way that does not allow to drop it');
}

function without(source: string, ranges: Range[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of outermost(ranges)) {
    result += withoutEnd(source.slice(at, start), ' \t\n\f\r');
    at = end;
  }
  return result + source.slice(at);
}
