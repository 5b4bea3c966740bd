import type { GroupRole, SlotGroup } from '../../page.ts';
import { countsOf } from '../../../countsOf.ts';
import { indexFrom, type Range } from '../../../../text/range.ts';
import {
  attributeOf,
  descendants,
  isElement,
  spanOf,
  within,
  type Element,
  type HtmlDocument,
  type Node,
} from '../document.ts';
import { idsOf, linksToIds } from './cloneIds.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { areAlike, signatureOf } from './areAlike.ts';
import { movableElements } from './movableElements.ts';
import { isBlank } from '../escape.ts';

/** A member of a group: an element, or a `dt` with its `dd`s. */
export interface Member extends Range {
  elements: Element[];
  places: SlotPlace[];
}

export interface Group extends Range {
  slotGroup: SlotGroup;
  members: Member[];
}

const blocks = new Set(
  'li tr details dt div article section figure blockquote a aside dl'.split(' '),
);
const closed = new Set('head svg select form template noscript object iframe math'.split(' '));
/**
 * Matches a comment. It also matches one without an end, so that the text after `<!--` is searched
 * only once.
 */
export const comment = /<!--[\s\S]*?(?:-->|$)/g;

/**
 * Groups of a page in document order, outer before inner: adjacent siblings with a similar
 * structure, each with texts.
 */
export function findGroups(page: HtmlDocument, places: SlotPlace[]): Group[] {
  const groups: Group[] = [];
  const inClosed = new Set<unknown>();
  const movable = movableElements(page);
  const links = linksToIds(page);
  const placesIn = lookupIn(places);
  for (const parent of page.elements) {
    if (closed.has(parent.tagName) || inClosed.has(parent.parentNode)) inClosed.add(parent);
    if (inClosed.has(parent)) continue;
    const members = membersIn(parent, movable).map(
      (elements) => elements && memberOf(elements, placesIn, links),
    );
    for (const run of runsOf(page, members))
      if (!hasTextBehind(parent, run, places)) groups.push(groupOf(page, run));
  }
  return groups.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The blocks among an element's children; null stands for anything else. */
function membersIn(parent: Element, movable: ReadonlySet<Element>): (Element[] | null)[] {
  const found: (Element[] | null)[] = [];
  for (const child of parent.childNodes) {
    const last = found.at(-1);
    if (!isElement(child)) {
      if (!isSpace(child)) found.push(null);
    } else if (!movable.has(child) || isPartOfPage(child)) found.push(null);
    else if (last?.[0]?.tagName === 'dt' && continues(last, child)) last.push(child);
    else found.push(blocks.has(child.tagName) ? [child] : null);
  }
  return found;
}

const isSpace = (node: Node) =>
  node.nodeName === '#comment' || ('value' in node && isBlank(node.value));

/**
 * Sections with second-level headings are parts of the page and no members, even if they have the
 * same structure.
 */
const isPartOfPage = (element: Element) =>
  element.tagName === 'section' && descendants(element).some(({ tagName }) => tagName === 'h2');

/** Whether an element of a `dl` continues a member: terms first, then their descriptions. */
const continues = (elements: Element[], { tagName }: Element) =>
  tagName === 'dd' || (tagName === 'dt' && elements.at(-1)?.tagName === 'dt');

/** Finds the texts in a source range, in order; null if a text crosses its edge. */
type Lookup = (stretch: Range) => SlotPlace[] | null;

function lookupIn(places: SlotPlace[]): Lookup {
  const furthest: number[] = [];
  for (const { end } of places) furthest.push(Math.max(end, furthest.at(-1) ?? 0));
  return ({ start, end }) => {
    const from = indexFrom(places, start, (place) => place.start);
    let to = from;
    while (to < places.length && places[to]!.start < end) to++;
    const own = places.slice(from, to);
    return (furthest[from - 1] ?? 0) > start || own.some((place) => place.end > end) ? null : own;
  };
}

/** A block with its texts; null if it has none, or if a link from elsewhere leads into it. */
function memberOf(
  elements: Element[],
  placesIn: Lookup,
  links: Map<string, number[]>,
): Member | null {
  const { start, end } = spanOf(elements);
  const places = placesIn({ start, end });
  if (!places || places.length === 0) return null;
  const isTarget = within(elements)
    .flatMap(idsOf)
    .some((id) => links.get(id)?.some((at) => at < start || at >= end));
  return isTarget ? null : { elements, places, start, end };
}

function runsOf({ source }: HtmlDocument, members: (Member | null)[]): Member[][] {
  const runs: Member[][] = [];
  for (const [i, member] of members.entries()) {
    const last = members[i - 1];
    const first = runs.at(-1)?.[0];
    if (!member) continue;
    const joins =
      last &&
      first &&
      isBlank(source.slice(last.end, member.start).replace(comment, '')) &&
      last.end <= member.start &&
      areAlike(first.elements[0]!, member.elements[0]!);
    if (joins) runs.at(-1)?.push(member);
    else runs.push([member]);
  }
  return runs.filter((run) => run.length > 1);
}

/**
 * Whether running text follows the members. Its id counts the elements before it, so the number of
 * members must not change.
 */
const hasTextBehind = (parent: Element, [first]: Member[], places: SlotPlace[]) =>
  places.some(
    (place) =>
      place.element === parent &&
      place.attribute === undefined &&
      place.start > (first?.start ?? 0),
  );

function groupOf({ numbers }: HtmlDocument, members: Member[]): Group {
  const first = members[0]!;
  const slotGroup = {
    id: `g${numbers.get(first.elements[0]!)}`,
    role: groupRoleOf(members),
    section: first.places[0]!.slot.section,
    members: members.map(({ places }) => places.map(({ slot }) => slot.id)),
    pattern: patternOf(members),
  };
  return { slotGroup, members, start: first.start, end: members.at(-1)!.end };
}

/**
 * The index of the last member with the most common structure, so not of one that is open or
 * highlighted.
 */
function patternOf(members: Member[]): number {
  const signatures = members.map(({ elements }) => elements.map(signatureOf).join(' '));
  const counts = countsOf(signatures);
  const most = Math.max(...counts.values());
  return signatures.findLastIndex((signature) => counts.get(signature) === most);
}

function groupRoleOf(members: Member[]): GroupRole {
  const name = members[0]?.elements[0]?.tagName;
  if (name === 'tr') return 'table-row';
  const all = members.flatMap(({ elements }) => within(elements));
  const asks = members.every(({ places }) => places.some(({ slot }) => /\?\s*$/.test(slot.text)));
  if (name === 'details' || asks || all.some(isAccordion)) return 'question';
  if (all.some(({ tagName }) => /^h[2-6]$/.test(tagName))) return 'card';
  if (name === 'li' || name === 'dt') return 'list-item';
  return members.every(({ places }) => places.length > 1) ? 'card' : 'other';
}

const isAccordion = (element: Element) =>
  /\baccordion-(?:item|header|body)\b/.test(attributeOf(element, 'class') ?? '');
