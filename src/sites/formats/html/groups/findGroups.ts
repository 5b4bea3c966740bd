import type { GroupRole, SlotGroup } from '../../pageParts.ts';
import { patternIndex } from '../../memberOrder.ts';
import { indexFrom, type TextRange } from '../../../../text/textRange.ts';
import {
  attributeOf,
  descendants,
  isElement,
  spanOf,
  within,
  type PageElement,
  type HtmlDocument,
  type PageNode,
} from '../document.ts';
import { elementIds, linksToIds } from './cloneIds.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { areAlike, structureSignature } from './areAlike.ts';
import { movableElements } from './movableElements.ts';
import { isBlank } from '../../escape.ts';

/**
 * Groups: blocks of a page that repeat, such as cards, list items or table rows. Each of them is a
 * member. The pattern is the member that new members are clones of.
 *
 * - `findGroups` finds the groups; `areAlike.ts` compares blocks, and `movableElements.ts` tells
 *   what can be repeated.
 * - `usableGroups.ts` keeps them only if they can be changed, and finds a group by its id.
 * - `arrangeGroups.ts` writes a page with other members; `cloneIds.ts` gives clones HTML ids of
 *   their own.
 * - `changeGroup.ts` makes a change of a group that a task asks for.
 *
 * In `<ul><li>One</li><li>Two</li></ul>`, the group `g5` has two members. With the order `[0, 1,
 * 'clone']`, it gets a third one, a copy of `<li>Two</li>` whose slot has the id `s6+1`.
 */

/** A member of a group: an element, or a `dt` with its `dd`s. */
export interface GroupMember extends TextRange {
  elements: PageElement[];
  places: SlotPlace[];
}

/** A group with its members, and its range in the source from the first member to the last. */
export interface ElementGroup extends TextRange {
  slotGroup: SlotGroup;
  members: GroupMember[];
}

const blockTags = new Set(
  'li tr details dt div article section figure blockquote a aside dl'.split(' '),
);
const excludedTags = new Set(
  'head svg select form template noscript object iframe math'.split(' '),
);
/**
 * Matches a comment. It also matches one without an end, so that the text after `<!--` is searched
 * only once.
 */
export const commentPattern = /<!--[\s\S]*?(?:-->|$)/g;

/**
 * Groups of a page in document order, outer before inner: adjacent siblings with a similar
 * structure, each with texts.
 */
export function findGroups(page: HtmlDocument, places: SlotPlace[]): ElementGroup[] {
  const groups: ElementGroup[] = [];
  const excluded = new Set<unknown>();
  const movable = movableElements(page);
  const links = linksToIds(page);
  const findPlaces = createPlaceLookup(places);
  for (const parent of page.elements) {
    if (excludedTags.has(parent.tagName) || excluded.has(parent.parentNode)) excluded.add(parent);
    if (excluded.has(parent)) continue;
    const members = blocksAmongChildren(parent, movable).map(
      (elements) => elements && createMember(elements, findPlaces, links),
    );
    for (const run of similarRuns(page, members))
      if (!hasTextBehind(parent, run, places)) groups.push(createElementGroup(page, run));
  }
  return groups.sort((first, second) => first.start - second.start || second.end - first.end);
}

/** The blocks among an element's children; null stands for anything else. */
function blocksAmongChildren(
  parent: PageElement,
  movable: ReadonlySet<PageElement>,
): (PageElement[] | null)[] {
  const memberBlocks: (PageElement[] | null)[] = [];
  for (const child of parent.childNodes) {
    const lastBlock = memberBlocks.at(-1);
    if (!isElement(child)) {
      if (!isSpaceNode(child)) memberBlocks.push(null);
    } else if (!movable.has(child) || isPartOfPage(child)) memberBlocks.push(null);
    else if (lastBlock?.[0]?.tagName === 'dt' && continuesMember(lastBlock, child))
      lastBlock.push(child);
    else memberBlocks.push(blockTags.has(child.tagName) ? [child] : null);
  }
  return memberBlocks;
}

const isSpaceNode = (node: PageNode) =>
  node.nodeName === '#comment' || ('value' in node && isBlank(node.value));

/** Sections with second-level headings are not members, even if they are alike. */
const isPartOfPage = (element: PageElement) =>
  element.tagName === 'section' && descendants(element).some(({ tagName }) => tagName === 'h2');

/** Whether an element of a `dl` continues a member: terms first, then their descriptions. */
const continuesMember = (elements: PageElement[], { tagName }: PageElement) =>
  tagName === 'dd' || (tagName === 'dt' && elements.at(-1)?.tagName === 'dt');

/** Finds the texts in a source range, in order; null if a text crosses its edge. */
type PlaceLookup = (range: TextRange) => SlotPlace[] | null;

function createPlaceLookup(places: SlotPlace[]): PlaceLookup {
  const furthestEnds: number[] = [];
  for (const { end } of places) furthestEnds.push(Math.max(end, furthestEnds.at(-1) ?? 0));
  return ({ start, end }) => {
    const firstIndex = indexFrom(places, start, (place) => place.start);
    let endIndex = firstIndex;
    while (endIndex < places.length && places[endIndex]!.start < end) endIndex++;
    const ownPlaces = places.slice(firstIndex, endIndex);
    return (furthestEnds[firstIndex - 1] ?? 0) > start || ownPlaces.some((place) => place.end > end)
      ? null
      : ownPlaces;
  };
}

/** A block with its texts; null if it has none, or if a link from elsewhere leads into it. */
function createMember(
  elements: PageElement[],
  findPlaces: PlaceLookup,
  links: Map<string, number[]>,
): GroupMember | null {
  const { start, end } = spanOf(elements);
  const places = findPlaces({ start, end });
  if (!places || places.length === 0) return null;
  const isTarget = within(elements)
    .flatMap(elementIds)
    .some((id) => links.get(id)?.some((position) => position < start || position >= end));
  return isTarget ? null : { elements, places, start, end };
}

function similarRuns({ source }: HtmlDocument, members: (GroupMember | null)[]): GroupMember[][] {
  const runs: GroupMember[][] = [];
  for (const [i, member] of members.entries()) {
    const last = members[i - 1];
    const first = runs.at(-1)?.[0];
    if (!member) continue;
    const continuesRun =
      last &&
      first &&
      isBlank(source.slice(last.end, member.start).replace(commentPattern, '')) &&
      last.end <= member.start &&
      areAlike(first.elements[0]!, member.elements[0]!);
    if (continuesRun) runs.at(-1)?.push(member);
    else runs.push([member]);
  }
  return runs.filter((run) => run.length > 1);
}

/**
 * Whether running text follows the members. Its id counts the elements before it, so the number of
 * members must not change.
 */
const hasTextBehind = (parent: PageElement, [first]: GroupMember[], places: SlotPlace[]) =>
  places.some(
    (place) =>
      place.element === parent &&
      place.attribute === undefined &&
      place.start > (first?.start ?? 0),
  );

function createElementGroup(
  { elementNumbers }: HtmlDocument,
  members: GroupMember[],
): ElementGroup {
  const first = members[0]!;
  const slotGroup = {
    id: `g${elementNumbers.get(first.elements[0]!)}`,
    role: groupRole(members),
    section: first.places[0]!.slot.section,
    members: members.map(({ places }) => places.map(({ slot }) => slot.id)),
    pattern: patternIndex(
      members.map(({ elements }) => elements.map(structureSignature).join(' ')),
    ),
  };
  return { slotGroup, members, start: first.start, end: members.at(-1)!.end };
}

function groupRole(members: GroupMember[]): GroupRole {
  const name = members[0]?.elements[0]?.tagName;
  if (name === 'tr') return 'table-row';
  const memberElements = members.flatMap(({ elements }) => within(elements));
  const areQuestions = members.every(({ places }) =>
    places.some(({ slot }) => /\?\s*$/.test(slot.text)),
  );
  if (name === 'details' || areQuestions || memberElements.some(isAccordion)) return 'question';
  if (memberElements.some(({ tagName }) => /^h[2-6]$/.test(tagName))) return 'card';
  if (name === 'li' || name === 'dt') return 'list-item';
  return members.every(({ places }) => places.length > 1) ? 'card' : 'other';
}

const isAccordion = (element: PageElement) =>
  /\baccordion-(?:item|header|body)\b/.test(attributeOf(element, 'class') ?? '');
