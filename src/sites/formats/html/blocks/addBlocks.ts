import MagicString from 'magic-string';
import type { AddLinks } from '../../format.ts';
import type { SlotTexts } from '../../page.ts';
import type { Element } from '../document.ts';
import type { Order } from '../../groupOrder.ts';
import { arrange } from '../groups/arrange.ts';
import { writeTexts } from '../slots/writeTexts.ts';
import { changedTexts } from '../values/changedTexts.ts';
import { followContacts } from '../links/followContacts.ts';
import { followMove } from '../links/relocate.ts';
import { contentLinks, lastOfFolder, type Block, type BlockPage } from './blocksForPage.ts';

/**
 * Adds a clone of a block for each new page, in order, after the last block for a page in the
 * template's folder. In a clone, links to the template lead to the new page. All other bytes stay.
 * @param template the page that the cloned block leads to
 * @throws INVALID_INPUT if a parser would read the new page differently
 */
export function addBlocks(
  on: BlockPage,
  block: Block,
  { template, items, sitePaths }: Pick<AddLinks, 'template' | 'items' | 'sitePaths'>,
): string {
  const { group, index } = block;
  const { slotGroup, members } = group;
  const after = lastOfFolder(block, template.slug, contentLinks(on.page));
  const order: Order = [...members.keys()];
  order.splice(after + 1, 0, ...items.map(() => 'clone' as const));
  const cloned = { ...group, slotGroup: { ...slotGroup, pattern: index } };
  const { page, places } = arrange(on.page, on.places, [cloned], new Map([[slotGroup.id, order]]));
  const edit = new MagicString(page.source);
  const texts: SlotTexts = {};
  const countries = new Map<Element, string | undefined>();
  for (const [i, item] of items.entries()) {
    const mark = `+${i + 1}`;
    const elements = page.elements.filter((element) => page.numbers.get(element)!.endsWith(mark));
    for (const element of elements) countries.set(element, item.country);
    const own = Object.fromEntries(
      Object.entries(item.texts).map(([id, text]) => [
        id.replace(/^s\d+/, (number) => number + mark),
        text,
      ]),
    );
    const changed = changedTexts(places, own);
    followMove(edit, page, { from: template, to: item.file, sitePaths, changed }, elements);
    Object.assign(texts, own);
  }
  writeTexts(edit, places, texts);
  return followContacts(page, page.bom + edit.toString(), {
    countryOf: (link) => countries.get(link),
  });
}
