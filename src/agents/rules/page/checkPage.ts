import { orderOf } from '../../../sites/formats/groupOrder.ts';
import type { PageItem } from '../../../contract/task.ts';
import { cut, hasWords } from '../../../text/text.ts';
import { isHeadline, type Slot } from '../../../sites/formats/page.ts';
import type { GeneratedPage, TemplatePage } from '../../agent.ts';
import type { CheckedPage } from '../../port.ts';
import { plainText } from '../../text/marks.ts';
import { isEcho, nameOf } from '../../tools/noteEdit.ts';
import { blockTree } from '../../page/blockTree.ts';
import { isVisible } from './pageParts.ts';
import { judgeAndWrite } from './writePage.ts';

const MOST = 200;
const MOST_REMARKS = 100;
const LONGEST = 200;

/**
 * Writes a page, and reports which of its texts are still the template's, headings first. Throws
 * like `writePage`.
 */
export function checkPage(template: TemplatePage, item: PageItem): CheckedPage {
  const { page, remarks } = judgeAndWrite(template, item);
  const gone = goneOf(template, page);
  const own = template.slots.filter(
    ({ id, locked }) => !locked && page.texts[id] === undefined && !gone.has(id),
  );
  const inOrder = own.toSorted((one, other) => rankOf(one) - rankOf(other));
  const staying = inOrder.map(stayingText).filter(({ text }) => hasWords(text));
  const said = new Set(staying.flatMap(({ text, isEcho }) => (isEcho ? [] : text)));
  const stays = staying.filter(
    ({ text, isEcho }) => !isEcho || (!said.has(text) && said.add(text)),
  );
  return {
    page,
    stays: stays.slice(0, MOST).map(({ slot, label, text }) => ({ slot, label, text })),
    remarks: remarks.slice(0, MOST_REMARKS),
  };
}

/** The order in which a reader sees texts: headings, other texts of the body, and the head. */
function rankOf(slot: Slot): number {
  if (isHeadline(slot)) return 0;
  if (slot.role === 'heading') return 1;
  return isVisible(slot) ? 2 : 3;
}

function stayingText(slot: Slot) {
  return {
    slot: slot.id,
    label: nameOf(slot).replace(/^the /, ''),
    text: cut(plainText(slot.text), LONGEST),
    isEcho: isEcho(slot),
  };
}

/**
 * Ids of the template's texts that the page lacks: those in removed blocks, and in removed members
 * of groups.
 */
function goneOf(
  { blocks = [], groups = [] }: TemplatePage,
  { removed = [], groups: counts = {} }: GeneratedPage,
) {
  const tree = blockTree(blocks);
  const inBlocks = removed.flatMap((id) => {
    const block = tree.blockOf(id);
    return block ? tree.idsIn(block) : [id];
  });
  const inMembers = groups.flatMap(({ id, members }) => {
    const stays = orderOf(counts[id] ?? members.length, members.length);
    return members.filter((_, i) => !stays.includes(i)).flat();
  });
  return new Set([...inBlocks, ...inMembers]);
}
