import type { Block } from '../../page.ts';
import {
  attributeOf,
  childrenOf,
  closest,
  isText,
  parentOf,
  rangeOf,
  within,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { idsOf, linksToIds } from '../groups/cloneIds.ts';
import { movableElements } from '../groups/movableElements.ts';
import { headingLevel, landmarkOf } from '../roles.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { isBlank } from '../escape.ts';
import { hasWords } from '../../../../text/text.ts';
import { plainLine } from '../../../pages/slotText.ts';

/** A block with its elements: a single one, or a `dt` with its `dd`s. */
export interface BlockAt extends Block {
  elements: Element[];
}

const units = new Set('p tr figure blockquote details'.split(' '));
const containers = new Set(
  'section article aside div header footer ul ol li dl table tbody address iframe'.split(' '),
);
const media = new Set(
  'iframe video audio canvas object embed form input select textarea button'.split(' '),
);

/**
 * The blocks of a page's content that can be removed, in document order, outer before inner. No
 * block is in a landmark, and none contains something that a page has only once: the headline, a
 * form, a script.
 */
export function findBlocks(page: HtmlDocument, places: readonly SlotPlace[]): BlockAt[] {
  const blocks: BlockAt[] = [];
  /**
   * The start of the last running text in each element. The id of that text counts the elements
   * before it, so these can't be removed.
   */
  const lastText = new Map(
    places
      .filter(({ attribute }) => attribute === undefined)
      .map(({ element, start }) => [element, start]),
  );
  const hasTextBehind = (element: Element, parent: Element | undefined) =>
    parent !== undefined && (lastText.get(parent) ?? -1) > rangeOf(element).start;
  const blockOf = new Map<Element, BlockAt>();
  for (const element of page.elements) {
    const parent = parentOf(element);
    const around = parent && blockOf.get(parent);
    const free = !around?.isUnit && !hasTextBehind(element, parent);
    const own = blockOf.get(element) ?? (free ? blockAt(page, element, around) : undefined);
    if (own && !blocks.includes(own)) blocks.push(own);
    for (const part of own?.elements ?? []) blockOf.set(part, own!);
    if (!own && around) blockOf.set(element, around);
    if (isSeen(element)) blockOf.get(element)?.media.push(`s${page.numbers.get(element)}`);
  }
  addSlots(places, blockOf);
  joinLines(blocks, places);
  addLinks(page, blockOf);
  return blocks;
}

function blockAt(
  page: HtmlDocument,
  element: Element,
  around: BlockAt | undefined,
): BlockAt | undefined {
  const isTerm = element.tagName === 'dt';
  const isUnit =
    isTerm || units.has(element.tagName) || isTermWithText(element) || isPlainItem(element);
  if (!isUnit && !containers.has(element.tagName)) return undefined;
  if (element.tagName === 'iframe' && hasTextBeside(element)) return undefined;
  const elements = isTerm ? termWithText(element) : [element];
  if (
    isOfHead(element) ||
    landmarkOf(element) ||
    !elements.every((part) => movableElements(page).has(part) && isWritten(part))
  )
    return undefined;
  return {
    id: `s${page.numbers.get(element)}`,
    around: around?.id ?? null,
    isUnit,
    slots: [],
    labels: [],
    media: [],
    linked: [],
    elements,
  };
}

const isWritten = ({ sourceCodeLocation: place }: Element) =>
  place?.startTag !== undefined && place.endTag !== undefined;
const isOfHead = (element: Element) =>
  closest(element, ({ tagName }) => tagName === 'head' || tagName === 'thead') !== undefined;
const isTermWithText = (element: Element) =>
  element.tagName === 'div' && parentOf(element)?.tagName === 'dl';
const isPlainItem = (element: Element) =>
  element.tagName === 'li' &&
  childrenOf(element).every(
    ({ tagName }) => !units.has(tagName) && !containers.has(tagName) && !/^h\d$/.test(tagName),
  );
const hasTextBeside = ({ parentNode }: Element) =>
  parentNode !== null && parentNode.childNodes.some((node) => isText(node) && !isBlank(node.value));

/** A `dt` with its `dd`s. */
function termWithText(term: Element): Element[] {
  const siblings = childrenOf(term.parentNode!);
  const behind = siblings.slice(siblings.indexOf(term) + 1);
  const end = behind.findIndex(({ tagName }) => tagName !== 'dd');
  return [term, ...(end === -1 ? behind : behind.slice(0, end))];
}

const isSeen = (element: Element) =>
  media.has(element.tagName) ||
  (element.tagName === 'img' && hasWords(attributeOf(element, 'alt') ?? '')) ||
  (element.tagName === 'svg' && attributeOf(element, 'role') === 'img');

function addSlots(places: readonly SlotPlace[], blockOf: Map<Element, BlockAt>) {
  for (const [i, place] of places.entries()) {
    const block = blockOf.get(place.element);
    block?.slots.push(place.slot.id);
    if (isLabel(place, places[i + 1])) block?.labels.push(place.slot.id);
  }
}

const LONGEST_LINE = 60;
/** Makes units of short blocks without nested blocks, even with several texts: `$9` `/mo`. */
function joinLines(blocks: BlockAt[], places: readonly SlotPlace[]) {
  const lengths = new Map(places.map(({ slot }) => [slot.id, plainLine(slot.text).length]));
  const outer = new Set(blocks.map(({ around }) => around));
  for (const block of blocks) {
    const length = block.slots.reduce((sum, id) => sum + lengths.get(id)!, 0);
    const isText = !outer.has(block.id) && block.media.length === 0;
    if (isText && length > 0 && length <= LONGEST_LINE && block.labels.length === 0)
      block.isUnit = true;
  }
}

const LONGEST_LABEL = 40;
/**
 * Whether a text is a label: a heading, a short line above a heading, a caption, a table header, or
 * a text for screen readers.
 */
function isLabel({ slot, element, attribute }: SlotPlace, next: SlotPlace | undefined): boolean {
  if (attribute !== undefined) return attribute !== 'alt' && attribute !== 'value';
  if (headingLevel(element) !== undefined || element.tagName === 'caption') return true;
  if (closest(element, ({ tagName }) => tagName === 'thead')) return true;
  const isAboveHeading =
    next !== undefined &&
    headingLevel(next.element) !== undefined &&
    next.element.parentNode === element.parentNode;
  return (
    slot.role === 'paragraph' && isAboveHeading && plainLine(slot.text).length <= LONGEST_LABEL
  );
}

function addLinks(page: HtmlDocument, blockOf: Map<Element, BlockAt>) {
  const byStart = new Map(page.elements.map((element) => [rangeOf(element).start, element]));
  const links = linksToIds(page);
  for (const element of page.elements)
    for (const id of idsOf(element)) {
      const from = (links.get(id) ?? []).map((at) => byStart.get(at));
      if (from.length > 0)
        blockOf
          .get(element)
          ?.linked.push({ id, from: from.map((link) => (link && blockOf.get(link)?.id) ?? null) });
    }
}

/** HTML ids in blocks that links can lead to. */
export const idsIn = (blocks: BlockAt[]): string[] =>
  within(blocks.flatMap(({ elements }) => elements)).flatMap(idsOf);
