import { ancestors, hasToken, rangeOf, type Element } from '../document.ts';
import { indexFrom, liesIn, type Range } from '../../../../text/range.ts';
import { remembered } from '../../../remembered.ts';
import { findGroups, type Group, type Member } from '../groups/findGroups.ts';
import { movableElements } from '../groups/movableElements.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { isLink } from '../links/pageLinks.ts';
import type { Page } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';
import { folded } from '../subjectWords.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { plainLine } from '../../../pages/slotText.ts';

/** A page whose blocks are searched. */
export interface BlockPage {
  page: Page;
  places: SlotPlace[];
  /** Groups that can be changed: none of the site's chrome. */
  groups: Group[];
  /** Slot ids of the site's chrome. */
  chrome: ReadonlySet<string>;
}

/** Opens a page without sister pages, so that nothing counts as the site's chrome. */
export function blockPage(page: Page): BlockPage {
  const places = findSlotPlaces(page);
  return { page, places, groups: findGroups(page, places), chrome: new Set() };
}

/**
 * A block that represents another page: a member of a group, or a single block as a group of one.
 */
export interface Block {
  group: Group;
  index: number;
}

/**
 * The page that a block leads to. `names` are its title, its headline and the words of its slug.
 */
export interface NamedPage {
  slug: string;
  names: string[];
}

export interface Link {
  element: Element;
  slug: string;
  /** Position in the source. */
  at: number;
}

/** The most links to the page to examine. */
const MOST_LINKS = 50;
/** The most blocks outside of groups to try around a link, from the inside out. */
const MOST_AROUND = 3;

/** The links of a page's content to pages of its site, in order. Links in landmarks don't count. */
export function contentLinks(page: Page): Link[] {
  const { slugOfLink } = addressesOf(page);
  const links = page.elements.flatMap((element) => {
    const slug = isLink(element) && !landmarkOf(element) ? slugOfLink(element) : undefined;
    return slug === undefined ? [] : [{ element, slug, at: rangeOf(element).start }];
  });
  return links.sort((a, b) => a.at - b.at);
}

/**
 * The blocks that represent a page, best first: those that name it, then those beside blocks for
 * other pages, then the rest. Among equals, inner blocks come before outer ones, in page order.
 */
export function blocksForPage(on: BlockPage, { slug, names }: NamedPage): Block[] {
  const links = contentLinks(on.page);
  const wanted = names.map((name) => folded(plainLine(name))).filter((name) => name !== '');
  const leading = links.filter((link) => link.slug === slug).slice(0, MOST_LINKS);
  const found = leading.flatMap(({ element }) => blocksAround(on, element));
  const counts = new Map<Group, number>();
  const linkingIn = (group: Group) =>
    remembered(
      counts,
      group,
      () => group.members.filter((member) => slugsIn(member, links).length > 0).length,
    );
  const rated = found.flatMap((block) => {
    const member = block.group.members[block.index]!;
    const isListed = linkingIn(block.group) > 1;
    // a single block that leads to several pages is a text about them
    if (!isListed && new Set(slugsIn(member, links)).size > 1) return [];
    const said = member.places.map(({ slot }) => folded(plainLine(slot.text)));
    const isNamed = wanted.some((name) => said.some((text) => ` ${text} `.includes(` ${name} `)));
    return [{ block, rank: (isNamed ? 2 : 0) + (isListed ? 1 : 0) }];
  });
  return rated.sort((a, b) => b.rank - a.rank).map(({ block }) => block);
}

/** The blocks around an element, from the inside out. */
export function blocksAround(
  { page, groups, places, chrome }: BlockPage,
  element: Element,
): Block[] {
  const movable = movableElements(page);
  const at = rangeOf(element).start;
  const lists = groups.filter(
    ({ slotGroup, start, end }) => slotGroup.role !== 'question' && start <= at && at < end,
  );
  const members = lists.map((group) => ({
    group,
    index: group.members.findIndex(({ end }) => at < end),
  }));
  const known = new Set(members.flatMap(({ group, index }) => group.members[index]!.elements));
  const single = ancestors(element)
    .filter((around) => standsAlone(around) && movable.has(around) && !known.has(around))
    .take(MOST_AROUND)
    .flatMap((around) => groupOfOne(around, places))
    .filter(({ group }) => !isChrome(group.members[0]!, chrome));
  const sizeOf = ({ group, index }: Block) =>
    group.members[index]!.end - group.members[index]!.start;
  return [...members, ...single].sort((a, b) => sizeOf(a) - sizeOf(b));
}

const isChrome = ({ places }: Member, chrome: BlockPage['chrome']) =>
  places.every(({ slot }) => chrome.has(slot.id));

const standsAlone = (element: Element) =>
  ['li', 'tr', 'article'].includes(element.tagName) || hasToken(element, 'class', 'card');

function groupOfOne(element: Element, places: SlotPlace[]): Block[] {
  const { start, end } = rangeOf(element);
  const own = places.filter((place) => liesIn(place, { start, end }));
  if (own.length === 0) return [];
  const member = { elements: [element], places: own, start, end };
  const slotGroup = {
    id: `b${start}`,
    role: 'other' as const,
    section: own[0]!.slot.section,
    pattern: 0,
    members: [own.map(({ slot }) => slot.id)],
  };
  return [{ group: { slotGroup, members: [member], start, end }, index: 0 }];
}

/** Slugs of the pages that a block leads to. */
export function slugsIn({ start, end }: Range, links: Link[]): string[] {
  const slugs: string[] = [];
  for (let i = indexFrom(links, start, ({ at }) => at); links[i] && links[i]!.at < end; i++)
    slugs.push(links[i]!.slug);
  return slugs;
}

/** The index of the last member for a page in the same folder. New blocks are added after it. */
export function lastOfFolder({ group, index }: Block, slug: string, links: Link[]): number {
  const folder = folderOf(slug);
  const last = group.members.findLastIndex((member) =>
    slugsIn(member, links).some((own) => folderOf(own) === folder),
  );
  return Math.max(index, last);
}

const folderOf = (slug: string) => slug.slice(0, slug.lastIndexOf('/'));
