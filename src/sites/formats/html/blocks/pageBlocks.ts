import { ancestors, hasToken, rangeOf, type PageElement } from '../document.ts';
import { indexFrom, isWithin, type TextRange } from '../../../../text/textRange.ts';
import { getOrCreate } from '../../../remembered.ts';
import { findGroups, type ElementGroup, type GroupMember } from '../groups/findGroups.ts';
import { movableElements } from '../groups/movableElements.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import { isLinkElement } from '../links/pageLinks.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { landmarkOf } from '../roles.ts';
import { folded } from '../../foldedWords.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import { slugFolder } from '../../../pages/urls/urls.ts';

/**
 * Blocks: parts of a page that can be added or removed without a change to their neighbours. There
 * are two kinds.
 *
 * - Blocks of a template that a new page can do without, such as a paragraph: `findBlocks.ts`,
 *   `removeBlocks.ts`.
 * - Blocks that represent another page, such as the card that leads to it. This file finds them and
 *   `linkBlock.ts` describes them. `addBlocks.ts` adds a clone for each new page, and
 *   `mergeBlocks.ts` repeats that in a newer version.
 *
 * If `/locations` has `<li><a href="austin">Austin</a></li>`, that is the block for
 * `/locations/austin`. Its clone for a new page is `<li><a href="lisbon">Lisbon</a></li>`.
 */

/** A page to search for blocks. */
export interface BlockPage {
  page: HtmlPage;
  places: SlotPlace[];
  /** Groups that can be changed. Groups of the site's chrome are left out. */
  groups: ElementGroup[];
  /** Slot ids of the site's chrome, which is what all pages of the site share. */
  chrome: ReadonlySet<string>;
}

/** Opens a page without sibling pages, so that nothing counts as the site's chrome. */
export function openBlockPage(page: HtmlPage): BlockPage {
  const places = findSlotPlaces(page);
  return { page, places, groups: findGroups(page, places), chrome: new Set() };
}

/**
 * A block that represents another page: the member with this index of a group. A block that is not
 * in a group counts as a group of one.
 */
export interface PageBlock {
  group: ElementGroup;
  index: number;
}

/** The page that a block leads to. `names` are its title, headline and the words of its slug. */
export interface NamedPage {
  slug: string;
  names: string[];
}

/** A link of a page's content (outside of landmarks) to a page of its site. */
export interface ContentLink {
  element: PageElement;
  slug: string;
  /** Position in the source. */
  at: number;
}

/** The most links to the page to examine. */
const MAX_LINKS = 50;
/** The most blocks outside of groups to try around a link, from the inside out. */
const MAX_SURROUNDING = 3;

/** The links of a page's content to pages of its site, in order. Links in landmarks don't count. */
export function contentLinks(page: HtmlPage): ContentLink[] {
  const { slugOfLink } = createUrlResolver(page);
  const links = page.elements.flatMap((element) => {
    const slug = isLinkElement(element) && !landmarkOf(element) ? slugOfLink(element) : undefined;
    return slug === undefined ? [] : [{ element, slug, at: rangeOf(element).start }];
  });
  return links.sort((first, second) => first.at - second.at);
}

/**
 * The blocks that represent a page, best first: those that name it, then those beside blocks for
 * other pages, then the rest. Among equals, inner blocks come before outer ones, in page order.
 */
export function rankBlocksForPage(blockPage: BlockPage, { slug, names }: NamedPage): PageBlock[] {
  const links = contentLinks(blockPage.page);
  const searchedNames = names.map((name) => folded(plainLine(name))).filter((name) => name !== '');
  const linksToPage = links.filter((link) => link.slug === slug).slice(0, MAX_LINKS);
  const candidates = linksToPage.flatMap(({ element }) => blocksAround(blockPage, element));
  const counts = new Map<ElementGroup, number>();
  const countLinkingMembers = (group: ElementGroup) =>
    getOrCreate(
      counts,
      group,
      () => group.members.filter((member) => linkedSlugs(member, links).length > 0).length,
    );
  const ratedBlocks = candidates.flatMap((block) => {
    const member = block.group.members[block.index]!;
    const isListed = countLinkingMembers(block.group) > 1;
    // a single block that leads to several pages is a text about them
    if (!isListed && new Set(linkedSlugs(member, links)).size > 1) return [];
    const memberTexts = member.places.map(({ slot }) => folded(plainLine(slot.text)));
    const isNamed = searchedNames.some((name) =>
      memberTexts.some((text) => ` ${text} `.includes(` ${name} `)),
    );
    return [{ block, rank: (isNamed ? 2 : 0) + (isListed ? 1 : 0) }];
  });
  return ratedBlocks.sort((first, second) => second.rank - first.rank).map(({ block }) => block);
}

/**
 * The blocks around an element, from the inside out: members of groups, list items, table rows,
 * articles and cards.
 */
export function blocksAround(
  { page, groups, places, chrome }: BlockPage,
  element: PageElement,
): PageBlock[] {
  const movable = movableElements(page);
  const position = rangeOf(element).start;
  const surroundingGroups = groups.filter(
    ({ slotGroup, start, end }) =>
      slotGroup.role !== 'question' && start <= position && position < end,
  );
  const members = surroundingGroups.map((group) => ({
    group,
    index: group.members.findIndex(({ end }) => position < end),
  }));
  const memberElements = new Set(
    members.flatMap(({ group, index }) => group.members[index]!.elements),
  );
  const singleBlocks = ancestors(element)
    .filter(
      (ancestor) =>
        isStandalone(ancestor) && movable.has(ancestor) && !memberElements.has(ancestor),
    )
    .take(MAX_SURROUNDING)
    .flatMap((ancestor) => groupOfOne(ancestor, places))
    .filter(({ group }) => !isChromeMember(group.members[0]!, chrome));
  const blockSize = ({ group, index }: PageBlock) =>
    group.members[index]!.end - group.members[index]!.start;
  return [...members, ...singleBlocks].sort(
    (first, second) => blockSize(first) - blockSize(second),
  );
}

const isChromeMember = ({ places }: GroupMember, chrome: BlockPage['chrome']) =>
  places.every(({ slot }) => chrome.has(slot.id));

const isStandalone = (element: PageElement) =>
  ['li', 'tr', 'article'].includes(element.tagName) || hasToken(element, 'class', 'card');

function groupOfOne(element: PageElement, places: SlotPlace[]): PageBlock[] {
  const { start, end } = rangeOf(element);
  const ownPlaces = places.filter((place) => isWithin(place, { start, end }));
  if (ownPlaces.length === 0) return [];
  const member = { elements: [element], places: ownPlaces, start, end };
  const slotGroup = {
    id: `b${start}`,
    role: 'other' as const,
    section: ownPlaces[0]!.slot.section,
    pattern: 0,
    members: [ownPlaces.map(({ slot }) => slot.id)],
  };
  return [{ group: { slotGroup, members: [member], start, end }, index: 0 }];
}

/** Slugs of the pages that a block leads to. */
export function linkedSlugs({ start, end }: TextRange, links: ContentLink[]): string[] {
  const slugs: string[] = [];
  for (let i = indexFrom(links, start, ({ at }) => at); links[i] && links[i]!.at < end; i++)
    slugs.push(links[i]!.slug);
  return slugs;
}

/** The index of the last member for a page in the same folder. New blocks are added after it. */
export function lastMemberInFolder(
  { group, index }: PageBlock,
  slug: string,
  links: ContentLink[],
): number {
  const folder = slugFolder(slug);
  const lastMember = group.members.findLastIndex((member) =>
    linkedSlugs(member, links).some((linkedSlug) => slugFolder(linkedSlug) === folder),
  );
  return Math.max(index, lastMember);
}
