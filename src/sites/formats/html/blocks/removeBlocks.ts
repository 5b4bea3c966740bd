import { trimEndCharacters } from '../../../../contract/text/summaries.ts';
import { outermostRanges, type TextRange } from '../../../../text/textRange.ts';
import { spanOf, within, type HtmlDocument } from '../document.ts';
import { reparsePage } from '../groups/arrangeGroups.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findBlocks } from './findBlocks.ts';

/**
 * Removes blocks of a template with the white space before them. All other bytes stay.
 * @param ids ids of blocks (`TemplateBlock.id`); unknown ones count as already removed
 * @returns the new page and its slots, which keep their ids
 * @throws INVALID_INPUT if a parser would read the new page differently
 */
export function removeBlocks<Page extends HtmlDocument>(
  page: Page,
  places: SlotPlace[],
  ids: ReadonlySet<string>,
) {
  const removedBlocks = findBlocks(page, places).filter(({ id }) => ids.has(id));
  if (removedBlocks.length === 0) return { page, places };
  const elements = new Set(within(removedBlocks.flatMap((block) => block.elements)));
  const copied = page.elements
    .filter((element) => !elements.has(element))
    .map((element) => ({ element, number: page.elementNumbers.get(element)! }));
  const ranges = removedBlocks.map((block) => spanOf(block.elements));
  const source = cutRanges(page.source, ranges);
  return reparsePage(page, places, { source, copied, what: 'A block with these facts' });
}

function cutRanges(source: string, ranges: TextRange[]): string {
  let result = '';
  let position = 0;
  for (const { start, end } of outermostRanges(ranges)) {
    result += trimEndCharacters(source.slice(position, start), ' \t\n\f\r');
    position = end;
  }
  return result + source.slice(position);
}
