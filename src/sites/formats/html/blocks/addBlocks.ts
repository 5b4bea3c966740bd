import MagicString from 'magic-string';
import type { AddLinksInput } from '../../format.ts';
import type { SlotTexts } from '../../pageParts.ts';
import type { PageElement } from '../document.ts';
import type { MemberOrder } from '../../memberOrder.ts';
import { findTextBlocks } from './findBlocks.ts';
import { removeBlocks } from './removeBlocks.ts';
import { arrangeGroups } from '../groups/arrangeGroups.ts';
import { writeTexts } from '../slots/writeTexts.ts';
import { changedTexts } from '../values/changedTexts.ts';
import { followContacts } from '../links/followContacts.ts';
import { followMove } from '../links/relocate.ts';
import { contentLinks, lastMemberInFolder, type PageBlock, type BlockPage } from './pageBlocks.ts';

/**
 * Adds a clone of a block for each new page, in order, after the last block for a page in the
 * template's folder. In a clone, links to the template lead to the new page. All other bytes stay.
 * @param template the page that the cloned block leads to
 * @param items the new pages, with the texts of their blocks by the slot ids of the cloned block,
 *   and the slots that their blocks lack
 * @returns the new source
 * @throws INVALID_INPUT if a parser would read the new page differently
 */
export function addBlocks(
  blockPage: BlockPage,
  block: PageBlock,
  { template, items, sitePaths }: Pick<AddLinksInput, 'template' | 'items' | 'sitePaths'>,
): string {
  const { group, index } = block;
  const { slotGroup, members } = group;
  const lastIndex = lastMemberInFolder(block, template.slug, contentLinks(blockPage.page));
  const order: MemberOrder = [...members.keys()];
  order.splice(lastIndex + 1, 0, ...items.map(() => 'clone' as const));
  const clonedGroup = { ...group, slotGroup: { ...slotGroup, pattern: index } };
  const arrangedPage = arrangeGroups(
    blockPage.page,
    blockPage.places,
    [clonedGroup],
    new Map([[slotGroup.id, order]]),
  );
  const textBlocks = findTextBlocks(arrangedPage.page, arrangedPage.places);
  const removedBlocks = items.flatMap(({ removed = [] }, i) =>
    removed.flatMap((id) => textBlocks.get(idInClone(id, cloneMarkOf(i))) ?? []),
  );
  const { page, places } = removeBlocks(
    arrangedPage.page,
    arrangedPage.places,
    new Set(removedBlocks),
  );
  const slotIds = new Set(places.map(({ slot }) => slot.id));
  const sourceEditor = new MagicString(page.source);
  const texts: SlotTexts = {};
  const countries = new Map<PageElement, string | undefined>();
  for (const [i, item] of items.entries()) {
    const cloneMark = cloneMarkOf(i);
    const elements = page.elements.filter((element) =>
      page.elementNumbers.get(element)!.endsWith(cloneMark),
    );
    for (const element of elements) countries.set(element, item.country);
    const own = Object.fromEntries(
      Object.entries(item.texts)
        .map(([id, text]) => [idInClone(id, cloneMark), text] as const)
        .filter(([id]) => slotIds.has(id) || !item.removed),
    );
    const changed = changedTexts(places, own);
    followMove(sourceEditor, page, { from: template, to: item.file, sitePaths, changed }, elements);
    Object.assign(texts, own);
  }
  writeTexts(sourceEditor, places, texts);
  return followContacts(page, page.bom + sourceEditor.toString(), {
    countryOf: (link) => countries.get(link),
  });
}

/** The mark at the end of the numbers of a clone's elements. */
const cloneMarkOf = (index: number) => `+${index + 1}`;

const idInClone = (id: string, cloneMark: string) =>
  id.replace(/^s\d+/, (number) => number + cloneMark);
