import { liesIn, outermost, type Range } from '../../../../text/range.ts';
import { invalidInput } from '../../../invalidInput.ts';
import type { Order } from '../../groupOrder.ts';
import { createIds, renamedSource, type Renamed } from './cloneIds.ts';
import { isElement, parseDocument, type Element, type HtmlDocument } from '../document.ts';
import { comment, type Group, type Member } from './findGroups.ts';
import { numberIn, slotId } from '../openPage.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { spaceBefore } from '../escape.ts';

/** A range of a page, and the indexes of the first and the last element that start in it. */
interface Stretch extends Range {
  first: number;
  last: number;
}

/** An element of the new page: the old one that it comes from, and its number in slot ids. */
export interface Copied {
  element: Element;
  number: string;
}

/** How a range is written: its groups, and the mark of a clone in numbers (`+1`) and new ids. */
interface Part {
  groups: Group[];
  mark: string;
  renamed: Renamed;
}

/**
 * Removes members of groups and adds clones. All bytes outside of these groups stay. A member is
 * removed with the white space and comments before it. A clone gets white space like its
 * neighbours.
 * @param orders new members by group id; a group in the nth clone has an id with `+n`
 * @returns the new page; its slots keep their ids, with `+n` in clones
 * @throws INVALID_INPUT for an unknown group, and if a parser would read the new page differently
 */
export function arrange<Page extends HtmlDocument>(
  page: Page,
  places: SlotPlace[],
  groups: Group[],
  orders: Map<string, Order>,
) {
  const { source, copied, unused } = compose(page, groups, orders);
  const [unknown] = unused;
  if (unknown !== undefined) throw invalidInput(`The page has no group "${unknown.slice(0, 40)}"`);
  const arranged = readAgain(page, places, { source, copied });
  if (arranged) return arranged;
  throw invalidInput(
    'This group is written in a way that does not allow to change how many there are',
  );
}

/**
 * Parses a page that was built from another page's bytes. Its elements keep their numbers.
 * @param made.copied the elements that it is made of, in document order
 * @returns null if the parser reads the page differently
 */
export function readAgain<Page extends HtmlDocument>(
  page: Page,
  places: SlotPlace[],
  { source, copied }: { source: string; copied: Copied[] },
) {
  const written = parseDocument(page.bom + source);
  const { elements } = written;
  if (
    elements.length !== copied.length ||
    elements.some(({ tagName }, i) => tagName !== copied[i]?.element.tagName)
  )
    return null;
  const numbers = new Map(elements.map((element, i) => [element, copied[i]!.number]));
  const arranged = { ...page, ...written, numbers };
  const found = findSlotPlaces(arranged);
  return holdTheSame(places, found, copied, page) ? { page: arranged, places: found } : null;
}

function compose(page: HtmlDocument, groups: Group[], orders: Map<string, Order>) {
  const { elements } = page;
  const indexes = new Map(elements.map((element, i) => [element, i]));
  const newIds = createIds(page);
  const unused = new Set(orders.keys());
  const copied: Copied[] = [];
  let source = '';

  const copy = ({ start, end, first, last }: Stretch, { mark, renamed }: Part) => {
    const own = elements.slice(first, last);
    for (const element of own) copied.push({ element, number: page.numbers.get(element)! + mark });
    source +=
      renamed.size === 0
        ? page.source.slice(start, end)
        : renamedSource(page, { start, end }, own, renamed);
  };
  const write = (stretch: Stretch, part: Part) => {
    let { start, first } = stretch;
    for (const group of outermost(part.groups)) {
      const [from, to] = [stretchOf(group.members[0]!), stretchOf(group.members.at(-1)!)];
      copy({ start, end: from.start, first, last: from.first }, part);
      writeGroup(group, part);
      [start, first] = [to.end, to.last];
    }
    copy({ ...stretch, start, first }, part);
  };
  const writeGroup = (group: Group, { groups, mark, renamed }: Part) => {
    const { slotGroup, members } = group;
    const order = orders.get(slotGroup.id + mark) ?? [...members.keys()];
    unused.delete(slotGroup.id + mark);
    let clones = 0;
    for (const [i, entry] of order.entries()) {
      const index = entry === 'clone' ? slotGroup.pattern : entry;
      const stretch = stretchOf(members[index]!);
      const part = {
        groups: groups.filter((inner) => inner !== group && liesIn(inner, stretch)),
        mark,
        renamed,
      };
      if (i > 0)
        source += entry === 'clone' ? spaceOf(page, members, index) : leadOf(page, members, index);
      if (entry !== 'clone') write(stretch, part);
      else {
        const ids = newIds(elements.slice(stretch.first, stretch.last));
        write(stretch, {
          ...part,
          mark: `${mark}+${++clones}`,
          renamed: new Map([...renamed, ...ids]),
        });
      }
    }
  };
  const stretchOf = ({ elements: own, start, end }: Member): Stretch => {
    const last = lastInside(own.at(-1)!);
    return { start, end, first: indexes.get(own[0]!)!, last: indexes.get(last)! + 1 };
  };

  const all = { start: 0, end: page.source.length, first: 0, last: elements.length };
  write(all, { groups, mark: '', renamed: new Map() });
  return { source, copied, unused };
}

function lastInside(element: Element): Element {
  const child = element.childNodes.findLast(isElement);
  return child ? lastInside(child) : element;
}

/** The white space and comments between a member and the one before it. */
const leadOf = ({ source }: HtmlDocument, members: Member[], index: number) =>
  index === 0 ? '' : source.slice(members[index - 1]!.end, members[index]!.start);

/** The white space before a member, without comments, which may name the member. */
function spaceOf(page: HtmlDocument, members: Member[], index: number): string {
  if (members.length === 1) return spaceBefore(page.source, members[0]!.start);
  const spaces = leadOf(page, members, Math.max(1, index)).split(comment);
  return spaces.findLast((space) => space !== '') ?? '';
}

/** Whether the new page has exactly the slots of the elements that it is made of. */
function holdTheSame(
  old: SlotPlace[],
  found: SlotPlace[],
  copied: Copied[],
  { numbers }: HtmlDocument,
): boolean {
  const ownId = (id: string) => id.slice(slotId(numberIn(id)).length);
  const byElement = Map.groupBy(old, ({ slot }) => numberIn(slot.id));
  const wanted = copied.flatMap(({ element, number }) =>
    (byElement.get(numbers.get(element)!) ?? []).map(
      ({ slot }) => `${slotId(number)}${ownId(slot.id)}\n${slot.text}`,
    ),
  );
  const texts = new Set(found.map(({ slot }) => `${slot.id}\n${slot.text}`));
  return wanted.length === found.length && wanted.every((text) => texts.has(text));
}
