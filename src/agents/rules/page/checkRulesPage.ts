import { createMemberOrder } from '../../../sites/formats/memberOrder.ts';
import type { PageItem } from '../../../contract/task.ts';
import { truncateText, hasWords } from '../../../text/text.ts';
import { isHeadline, type TextSlot } from '../../../sites/formats/pageParts.ts';
import type { GeneratedPage, TemplatePage } from '../../shared/agentTypes.ts';
import type { CheckedPage } from '../../agentPorts.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { isRepeatingSlot, slotKindName } from '../../shared/tools/describeText.ts';
import { createBlockTree } from '../../shared/page/blockTree.ts';
import { isVisibleSlot } from './pageParts.ts';
import { writePageWithRemarks } from './writeRulesPage.ts';

const MAX_CARRIED_OVER = 200;
const MAX_REMARKS = 100;
const MAX_TEXT_LENGTH = 200;

/**
 * Writes a page for a check, and lists which of its texts are still the template's, headings first.
 * A text that only repeats a listed one, such as a title for social networks, is left out. Throws
 * like `writeRulesPage`.
 */
export function checkRulesPage(template: TemplatePage, item: PageItem): CheckedPage {
  const { page, remarks } = writePageWithRemarks(template, item);
  const goneIds = findGoneIds(template, page);
  const unchangedSlots = template.slots.filter(
    ({ id, locked }) => !locked && page.texts[id] === undefined && !goneIds.has(id),
  );
  const orderedSlots = unchangedSlots.toSorted(
    (first, second) => rankForReader(first) - rankForReader(second),
  );
  const carriedOver = orderedSlots.map(createCarriedOverText).filter(({ text }) => hasWords(text));
  const statedTexts = new Set(carriedOver.flatMap(({ text, isEcho }) => (isEcho ? [] : text)));
  const listedTexts = carriedOver.filter(
    ({ text, isEcho }) => !isEcho || (!statedTexts.has(text) && statedTexts.add(text)),
  );
  return {
    page,
    carriedOver: listedTexts
      .slice(0, MAX_CARRIED_OVER)
      .map(({ slot, label, text }) => ({ slot, label, text })),
    remarks: remarks.slice(0, MAX_REMARKS),
  };
}

/** The order of texts in the list: headline, other headings, visible texts, texts of the head. */
function rankForReader(slot: TextSlot): number {
  if (isHeadline(slot)) return 0;
  if (slot.role === 'heading') return 1;
  return isVisibleSlot(slot) ? 2 : 3;
}

function createCarriedOverText(slot: TextSlot) {
  return {
    slot: slot.id,
    label: slotKindName(slot),
    text: truncateText(plainText(slot.text), MAX_TEXT_LENGTH),
    isEcho: isRepeatingSlot(slot),
  };
}

/**
 * Ids of the template's texts that the page lacks: those in removed blocks, and in removed members
 * of groups.
 */
function findGoneIds(
  { blocks = [], groups = [] }: TemplatePage,
  { removed = [], groups: counts = {} }: GeneratedPage,
) {
  const tree = createBlockTree(blocks);
  const idsInBlocks = removed.flatMap((id) => {
    const block = tree.blockOf(id);
    return block ? tree.idsIn(block) : [id];
  });
  const idsInMembers = groups.flatMap(({ id, members }) => {
    const stayingMembers = createMemberOrder(counts[id] ?? members.length, members.length);
    return members.filter((_, index) => !stayingMembers.includes(index)).flat();
  });
  return new Set([...idsInBlocks, ...idsInMembers]);
}
