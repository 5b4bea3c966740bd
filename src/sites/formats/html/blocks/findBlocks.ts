import type { TemplateBlock } from '../../pageParts.ts';
import {
  attributeOf,
  childrenOf,
  closest,
  isText,
  parentOf,
  rangeOf,
  within,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { elementIds, linksToIds } from '../groups/cloneIds.ts';
import { movableElements } from '../groups/movableElements.ts';
import { headingLevel, landmarkOf } from '../roles.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { isBlank } from '../../escape.ts';
import { hasWords } from '../../../../text/text.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';

/** A block with its elements: a single one, or a `dt` with its `dd`s. */
export interface LocatedBlock extends TemplateBlock {
  elements: PageElement[];
}

const unitTags = new Set('p tr figure blockquote details'.split(' '));
const containerTags = new Set(
  'section article aside div header footer ul ol li dl table tbody address iframe'.split(' '),
);
const mediaTags = new Set(
  'iframe video audio canvas object embed form input select textarea button'.split(' '),
);

/**
 * The blocks of a page's content that can be removed, in document order, outer before inner. No
 * block is in a landmark, such as the navigation, and none contains something that a page has only
 * once: the headline, a form, a script.
 */
export function findBlocks(page: HtmlDocument, places: readonly SlotPlace[]): LocatedBlock[] {
  const blocks: LocatedBlock[] = [];
  /**
   * The start of the last running text in each element. The id of that text counts the elements
   * before it, so these can't be removed.
   */
  const lastText = new Map(
    places
      .filter(({ attribute }) => attribute === undefined)
      .map(({ element, start }) => [element, start]),
  );
  const hasTextBehind = (element: PageElement, parent: PageElement | undefined) =>
    parent !== undefined && (lastText.get(parent) ?? -1) > rangeOf(element).start;
  const blocksByElement = new Map<PageElement, LocatedBlock>();
  for (const element of page.elements) {
    const parent = parentOf(element);
    const outerBlock = parent && blocksByElement.get(parent);
    const isFree = !outerBlock?.isUnit && !hasTextBehind(element, parent);
    const ownBlock =
      blocksByElement.get(element) ??
      (isFree ? createBlockAt(page, element, outerBlock) : undefined);
    if (ownBlock && !blocks.includes(ownBlock)) blocks.push(ownBlock);
    for (const blockElement of ownBlock?.elements ?? [])
      blocksByElement.set(blockElement, ownBlock!);
    if (!ownBlock && outerBlock) blocksByElement.set(element, outerBlock);
    if (isMediaElement(element))
      blocksByElement.get(element)?.media.push(`s${page.elementNumbers.get(element)}`);
  }
  addSlotIds(places, blocksByElement);
  markShortBlocks(blocks, places);
  addLinkedIds(page, blocksByElement);
  return blocks;
}

/**
 * The ids of the blocks that have a single text besides labels, such as a paragraph, by the id of
 * the slot with this text.
 */
export const findTextBlocks = (
  page: HtmlDocument,
  places: readonly SlotPlace[],
): Map<string, string> =>
  new Map(
    findBlocks(page, places).flatMap(({ id, isUnit, slots, labels, media }) => {
      const [slotId, ...otherIds] = slots.filter((slot) => !labels.includes(slot));
      const isText = isUnit && slotId !== undefined && otherIds.length + media.length === 0;
      return isText ? [[slotId, id] as const] : [];
    }),
  );

function createBlockAt(
  page: HtmlDocument,
  element: PageElement,
  outerBlock: LocatedBlock | undefined,
): LocatedBlock | undefined {
  const isTerm = element.tagName === 'dt';
  const isUnit =
    isTerm || unitTags.has(element.tagName) || isTermWithText(element) || isPlainItem(element);
  if (!isUnit && !containerTags.has(element.tagName)) return undefined;
  if (element.tagName === 'iframe' && hasTextBeside(element)) return undefined;
  const elements = isTerm ? termWithText(element) : [element];
  if (
    isOfHead(element) ||
    landmarkOf(element) ||
    !elements.every(
      (blockElement) => movableElements(page).has(blockElement) && isWritten(blockElement),
    )
  )
    return undefined;
  return {
    id: `s${page.elementNumbers.get(element)}`,
    around: outerBlock?.id ?? null,
    isUnit,
    slots: [],
    labels: [],
    media: [],
    linked: [],
    elements,
  };
}

const isWritten = ({ sourceCodeLocation: place }: PageElement) =>
  place?.startTag !== undefined && place.endTag !== undefined;
const isOfHead = (element: PageElement) =>
  closest(element, ({ tagName }) => tagName === 'head' || tagName === 'thead') !== undefined;
const isTermWithText = (element: PageElement) =>
  element.tagName === 'div' && parentOf(element)?.tagName === 'dl';
const isPlainItem = (element: PageElement) =>
  element.tagName === 'li' &&
  childrenOf(element).every(
    ({ tagName }) =>
      !unitTags.has(tagName) && !containerTags.has(tagName) && !/^h\d$/.test(tagName),
  );
const hasTextBeside = ({ parentNode }: PageElement) =>
  parentNode !== null && parentNode.childNodes.some((node) => isText(node) && !isBlank(node.value));

/** A `dt` with its `dd`s. */
function termWithText(term: PageElement): PageElement[] {
  const siblings = childrenOf(term.parentNode!);
  const following = siblings.slice(siblings.indexOf(term) + 1);
  const endIndex = following.findIndex(({ tagName }) => tagName !== 'dd');
  return [term, ...(endIndex === -1 ? following : following.slice(0, endIndex))];
}

const isMediaElement = (element: PageElement) =>
  mediaTags.has(element.tagName) ||
  (element.tagName === 'img' && hasWords(attributeOf(element, 'alt') ?? '')) ||
  (element.tagName === 'svg' && attributeOf(element, 'role') === 'img');

function addSlotIds(places: readonly SlotPlace[], blocksByElement: Map<PageElement, LocatedBlock>) {
  for (const [i, place] of places.entries()) {
    const block = blocksByElement.get(place.element);
    block?.slots.push(place.slot.id);
    if (isLabelPlace(place, places[i + 1])) block?.labels.push(place.slot.id);
  }
}

const MAX_LINE_LENGTH = 60;
/** Marks short blocks as units, even with several texts: `$9` `/mo`. */
function markShortBlocks(blocks: LocatedBlock[], places: readonly SlotPlace[]) {
  const lengths = new Map(places.map(({ slot }) => [slot.id, plainLine(slot.text).length]));
  const outerIds = new Set(blocks.map(({ around }) => around));
  for (const block of blocks) {
    const length = block.slots.reduce((sum, id) => sum + lengths.get(id)!, 0);
    const isText = !outerIds.has(block.id) && block.media.length === 0;
    if (isText && length > 0 && length <= MAX_LINE_LENGTH && block.labels.length === 0)
      block.isUnit = true;
  }
}

const MAX_LABEL_LENGTH = 40;
/**
 * Whether a text is a label: a heading, a short line above a heading, a caption, a table header, or
 * a text for screen readers.
 */
function isLabelPlace(
  { slot, element, attribute }: SlotPlace,
  next: SlotPlace | undefined,
): boolean {
  if (attribute !== undefined) return attribute !== 'alt' && attribute !== 'value';
  if (headingLevel(element) !== undefined || element.tagName === 'caption') return true;
  if (closest(element, ({ tagName }) => tagName === 'thead')) return true;
  const isAboveHeading =
    next !== undefined &&
    headingLevel(next.element) !== undefined &&
    next.element.parentNode === element.parentNode;
  return (
    slot.role === 'paragraph' && isAboveHeading && plainLine(slot.text).length <= MAX_LABEL_LENGTH
  );
}

function addLinkedIds(page: HtmlDocument, blocksByElement: Map<PageElement, LocatedBlock>) {
  const elementsByStart = new Map(
    page.elements.map((element) => [rangeOf(element).start, element]),
  );
  const links = linksToIds(page);
  for (const element of page.elements)
    for (const id of elementIds(element)) {
      const linkElements = (links.get(id) ?? []).map((start) => elementsByStart.get(start));
      if (linkElements.length > 0)
        blocksByElement.get(element)?.linked.push({
          id,
          from: linkElements.map((link) => (link && blocksByElement.get(link)?.id) ?? null),
        });
    }
}

/** HTML ids in blocks that links can lead to. */
export const linkableIds = (blocks: LocatedBlock[]): string[] =>
  within(blocks.flatMap(({ elements }) => elements)).flatMap(elementIds);
