import { isWithin, outermostRanges, type TextRange } from '../../../../text/textRange.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { type MemberOrder, unknownGroupError } from '../../memberOrder.ts';
import { createIdGenerator, renameIdsInSource, type RenamedIds } from './cloneIds.ts';
import { isElement, parseDocument, type PageElement, type HtmlDocument } from '../document.ts';
import { commentPattern, type ElementGroup, type GroupMember } from './findGroups.ts';
import { numberInId, slotId } from '../openHtmlPage.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { spaceBefore } from '../../escape.ts';

/** A range of a page, and the indexes of the first and the last element that start in it. */
interface ElementRange extends TextRange {
  first: number;
  last: number;
}

/** An element of the new page: the old one that it comes from, and its number in slot ids. */
export interface CopiedElement {
  element: PageElement;
  number: string;
}

/**
 * What is known where a range is written: the groups in it, the mark of the clone that it is in
 * (`+1`, '' outside of clones), and that clone's new HTML ids.
 */
interface WriteContext {
  groups: ElementGroup[];
  mark: string;
  renamed: RenamedIds;
}

/**
 * Removes members of groups and adds clones. All bytes outside of these groups stay. A member is
 * removed with the white space and comments before it. A clone gets white space like its
 * neighbours.
 * @param orders new members by group id; a group in the nth clone has an id with `+n`
 * @returns the new page and its slots, which keep their ids, with `+n` in clones
 * @throws INVALID_INPUT for an unknown group, and if a parser would read the new page differently
 */
export function arrangeGroups<Page extends HtmlDocument>(
  page: Page,
  places: SlotPlace[],
  groups: ElementGroup[],
  orders: Map<string, MemberOrder>,
) {
  const { source, copied, unused } = composeArranged(page, groups, orders);
  const [unknownGroup] = unused;
  if (unknownGroup !== undefined) throw unknownGroupError(unknownGroup);
  return reparsePage(page, places, { source, copied, what: 'This group' });
}

/** The error for a change after which browsers would read other elements or texts. */
export const unchangeableError = (what: string) =>
  invalidInput(
    `${what} cannot be changed automatically, because browsers would then read other parts of the page differently. Edit the HTML of the page instead`,
  );

/**
 * Parses a page that was built from another page's bytes. Its elements keep their numbers.
 * @param built.source the new source, without the byte order mark
 * @param built.copied the elements that it must have, in document order
 * @param built.what what is changed, for the error
 * @returns the new page and its slots
 * @throws INVALID_INPUT if the parser reads other elements or texts
 */
export function reparsePage<Page extends HtmlDocument>(
  page: Page,
  places: SlotPlace[],
  { source, copied, what }: { source: string; copied: CopiedElement[]; what: string },
) {
  const document = parseDocument(page.bom + source);
  const { elements } = document;
  if (
    elements.length !== copied.length ||
    elements.some(({ tagName }, i) => tagName !== copied[i]?.element.tagName)
  )
    throw unchangeableError(what);
  const numbers = new Map(elements.map((element, i) => [element, copied[i]!.number]));
  const arrangedPage = { ...page, ...document, elementNumbers: numbers };
  const newPlaces = findSlotPlaces(arrangedPage);
  if (!haveSameSlots(places, newPlaces, copied, page)) throw unchangeableError(what);
  return { page: arrangedPage, places: newPlaces };
}

/**
 * Writes the source with the new members. `copied` has its elements in order, and `unused` the ids
 * in `orders` that no group of the page has.
 */
function composeArranged(
  page: HtmlDocument,
  groups: ElementGroup[],
  orders: Map<string, MemberOrder>,
) {
  const { elements } = page;
  const indexes = new Map(elements.map((element, i) => [element, i]));
  const newIds = createIdGenerator(page);
  const unused = new Set(orders.keys());
  const copied: CopiedElement[] = [];
  let source = '';

  const copyRange = (
    { start, end, first, last }: ElementRange,
    { mark, renamed }: WriteContext,
  ) => {
    const ownElements = elements.slice(first, last);
    for (const element of ownElements)
      copied.push({ element, number: page.elementNumbers.get(element)! + mark });
    source +=
      renamed.size === 0
        ? page.source.slice(start, end)
        : renameIdsInSource(page, { start, end }, ownElements, renamed);
  };
  const writeRange = (range: ElementRange, context: WriteContext) => {
    let { start, first } = range;
    for (const group of outermostRanges(context.groups)) {
      const [firstRange, lastRange] = [
        rangeOfMember(group.members[0]!),
        rangeOfMember(group.members.at(-1)!),
      ];
      copyRange({ start, end: firstRange.start, first, last: firstRange.first }, context);
      writeGroup(group, context);
      [start, first] = [lastRange.end, lastRange.last];
    }
    copyRange({ ...range, start, first }, context);
  };
  const writeGroup = (group: ElementGroup, { groups, mark, renamed }: WriteContext) => {
    const { slotGroup, members } = group;
    const order = orders.get(slotGroup.id + mark) ?? [...members.keys()];
    unused.delete(slotGroup.id + mark);
    let clones = 0;
    for (const [i, entry] of order.entries()) {
      const index = entry === 'clone' ? slotGroup.pattern : entry;
      const range = rangeOfMember(members[index]!);
      const context = {
        groups: groups.filter((innerGroup) => innerGroup !== group && isWithin(innerGroup, range)),
        mark,
        renamed,
      };
      if (i > 0)
        source +=
          entry === 'clone'
            ? spaceBeforeMember(page, members, index)
            : spaceAndComments(page, members, index);
      if (entry !== 'clone') writeRange(range, context);
      else {
        const ids = newIds(elements.slice(range.first, range.last));
        writeRange(range, {
          ...context,
          mark: `${mark}+${++clones}`,
          renamed: new Map([...renamed, ...ids]),
        });
      }
    }
  };
  const rangeOfMember = ({ elements: ownElements, start, end }: GroupMember): ElementRange => {
    const last = lastDescendant(ownElements.at(-1)!);
    return { start, end, first: indexes.get(ownElements[0]!)!, last: indexes.get(last)! + 1 };
  };

  const wholePage = { start: 0, end: page.source.length, first: 0, last: elements.length };
  writeRange(wholePage, { groups, mark: '', renamed: new Map() });
  return { source, copied, unused };
}

function lastDescendant(element: PageElement): PageElement {
  const child = element.childNodes.findLast(isElement);
  return child ? lastDescendant(child) : element;
}

/** The white space and comments between a member and the one before it; '' for the first member. */
const spaceAndComments = ({ source }: HtmlDocument, members: GroupMember[], index: number) =>
  index === 0 ? '' : source.slice(members[index - 1]!.end, members[index]!.start);

/** The white space before a member, without comments, which may name the member. */
function spaceBeforeMember(page: HtmlDocument, members: GroupMember[], index: number): string {
  if (members.length === 1) return spaceBefore(page.source, members[0]!.start);
  const spaces = spaceAndComments(page, members, Math.max(1, index)).split(commentPattern);
  return spaces.findLast((space) => space !== '') ?? '';
}

/** Whether the new page has exactly the slots of the elements that it is made of. */
function haveSameSlots(
  oldPlaces: SlotPlace[],
  newPlaces: SlotPlace[],
  copied: CopiedElement[],
  { elementNumbers }: HtmlDocument,
): boolean {
  const slotSuffix = (id: string) => id.slice(slotId(numberInId(id)).length);
  const placesByNumber = Map.groupBy(oldPlaces, ({ slot }) => numberInId(slot.id));
  const expectedTexts = copied.flatMap(({ element, number }) =>
    (placesByNumber.get(elementNumbers.get(element)!) ?? []).map(
      ({ slot }) => `${slotId(number)}${slotSuffix(slot.id)}\n${slot.text}`,
    ),
  );
  const texts = new Set(newPlaces.map(({ slot }) => `${slot.id}\n${slot.text}`));
  return (
    expectedTexts.length === newPlaces.length && expectedTexts.every((text) => texts.has(text))
  );
}
