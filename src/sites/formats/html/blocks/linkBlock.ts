import type { LinkingPage } from '../../changes.ts';
import { DomainError } from '../../../../errors.ts';
import type { LinkBlockAnswer, LinkBlock, LinkedTemplate } from '../../linkBlocks.ts';
import { doOverlap } from '../../../../text/textRange.ts';
import { countItems } from '../../../countItems.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import { rangeOf } from '../document.ts';
import { elementPosition } from '../positions.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { addBlocks } from './addBlocks.ts';
import { findTextBlocks } from './findBlocks.ts';
import { isListedInData } from './listedInData.ts';
import {
  openBlockPage,
  rankBlocksForPage,
  contentLinks,
  type PageBlock,
  type BlockPage,
  type ContentLink,
} from './pageBlocks.ts';

/** How many blocks are tried, in the order of `rankBlocksForPage`. */
const MAX_TRIED_BLOCKS = 5;

/** The best block that represents a page and can be cloned; null if there is none. */
export function findUsableBlock(blockPage: BlockPage, template: LinkedTemplate): PageBlock | null {
  const candidates = rankBlocksForPage(blockPage, template).slice(0, MAX_TRIED_BLOCKS);
  return candidates.find((block) => canAddBlock(blockPage, block, template)) ?? null;
}

function canAddBlock(blockPage: BlockPage, block: PageBlock, template: LinkedTemplate): boolean {
  try {
    addBlocks(blockPage, block, {
      template,
      items: [{ file: template, texts: {} }],
      sitePaths: [],
    });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_INPUT') return false;
    throw error;
  }
}

/** The block of a page that represents the template, and the pages that the page links to. */
export function describeBlock(blockPage: BlockPage, template: LinkedTemplate): LinkBlockAnswer {
  const links = contentLinks(blockPage.page);
  const block = findUsableBlock(blockPage, template);
  const linksToTemplate = links.filter(({ slug }) => slug === template.slug);
  const linked = [...new Set(links.map(({ slug }) => slug))];
  return {
    block: block && blockTexts(blockPage, block, linksToTemplate),
    linked,
    isListed: isListedInData(blockPage.page, template.slug),
  };
}

function blockTexts(
  { page, places: pagePlaces }: BlockPage,
  { group, index }: PageBlock,
  links: ContentLink[],
): LinkBlock {
  const { places } = group.members[index]!;
  const memberIds = new Set(places.map(({ slot }) => slot.id));
  const isNaming = (place: SlotPlace) =>
    place.slot.role === 'heading' ||
    links.some(({ element }) => doOverlap(place, rangeOf(element)));
  const otherMembers = group.members.filter((_, i) => i !== index);
  const linesOfPlaces = (slotPlaces: SlotPlace[]) =>
    slotPlaces.map(({ slot }) => plainLine(slot.text));
  const otherTexts = new Set(otherMembers.flatMap((member) => linesOfPlaces(member.places)));
  return {
    slots: places.map(({ slot }) => slot),
    naming: places.filter(isNaming).map(({ slot }) => slot.id),
    common: linesOfPlaces(places).filter((text) => otherTexts.has(text)),
    removable: [...findTextBlocks(page, pagePlaces).keys()].filter((id) => memberIds.has(id)),
  };
}

/**
 * The pages whose content links to a page. Links that most pages have at the same position belong
 * to the site and don't count.
 * @param slug the page that is linked to
 */
export function findLinkingPages(pages: HtmlPage[], slug: string): LinkingPage[] {
  const pagesWithLinks = pages.map((page) => {
    const links = contentLinks(page);
    const to = [...new Set(links.map((link) => link.slug))];
    const places = new Set(
      links.filter((link) => link.slug === slug).map(({ element }) => elementPosition(element)),
    );
    return { page, slug: page.file.slug, to, places };
  });
  const counts = countItems(pagesWithLinks.flatMap(({ places }) => [...places]));
  const isContentLink = (position: string) =>
    counts.get(position) === 1 || counts.get(position)! * 2 <= pages.length;
  return pagesWithLinks
    .filter(
      (linkingPage) => linkingPage.slug !== slug && [...linkingPage.places].some(isContentLink),
    )
    .map(({ page, slug: from, to }) => ({
      slug: from,
      to,
      hasBlock: rankBlocksForPage(openBlockPage(page), { slug, names: [] }).length > 0,
    }));
}
