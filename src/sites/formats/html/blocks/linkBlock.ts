import type { LinkingPage } from '../../changes.ts';
import { DomainError } from '../../../../errors.ts';
import type { LinkAnswer, LinkBlock, LinkedTemplate } from '../../linkBlocks.ts';
import { overlap } from '../../../../text/range.ts';
import { countsOf } from '../../../countsOf.ts';
import { plainLine } from '../../../pages/slotText.ts';
import { rangeOf } from '../document.ts';
import { positionOf } from '../positions.ts';
import type { Page } from '../openPage.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { addBlocks } from './addBlocks.ts';
import { isListedInData } from './listedInData.ts';
import {
  blockPage,
  blocksForPage,
  contentLinks,
  type Block,
  type BlockPage,
  type Link,
} from './blocksForPage.ts';

/** The most blocks to try. */
const MOST_TRIED = 5;

/** The best block for a page that can be cloned; null if there is none. */
export function usableBlock(on: BlockPage, template: LinkedTemplate): Block | null {
  const tried = blocksForPage(on, template).slice(0, MOST_TRIED);
  return tried.find((block) => canGrow(on, block, template)) ?? null;
}

function canGrow(on: BlockPage, block: Block, template: LinkedTemplate): boolean {
  try {
    addBlocks(on, block, { template, items: [{ file: template, texts: {} }], sitePaths: [] });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_INPUT') return false;
    throw error;
  }
}

/** Describes a page's block for the template, and where the page's links lead. */
export function describeBlock(on: BlockPage, template: LinkedTemplate): LinkAnswer {
  const links = contentLinks(on.page);
  const block = usableBlock(on, template);
  const own = links.filter(({ slug }) => slug === template.slug);
  const linked = [...new Set(links.map(({ slug }) => slug))];
  return {
    block: block && textsOf(block, own),
    linked,
    isListed: isListedInData(on.page, template.slug),
  };
}

function textsOf({ group, index }: Block, links: Link[]): LinkBlock {
  const { places } = group.members[index]!;
  const isNaming = (place: SlotPlace) =>
    place.slot.role === 'heading' || links.some(({ element }) => overlap(place, rangeOf(element)));
  const others = group.members.filter((_, i) => i !== index);
  const texts = (own: SlotPlace[]) => own.map(({ slot }) => plainLine(slot.text));
  const known = new Set(others.flatMap((member) => texts(member.places)));
  return {
    slots: places.map(({ slot }) => slot),
    naming: places.filter(isNaming).map(({ slot }) => slot.id),
    common: texts(places).filter((text) => known.has(text)),
  };
}

/**
 * The pages whose content links to a page. Links that most pages have at the same position belong
 * to the site and don't count.
 * @param slug the page that is linked to
 */
export function linkingPages(pages: Page[], slug: string): LinkingPage[] {
  const linking = pages.map((page) => {
    const links = contentLinks(page);
    const to = [...new Set(links.map((link) => link.slug))];
    const places = new Set(
      links.filter((link) => link.slug === slug).map(({ element }) => positionOf(element)),
    );
    return { page, slug: page.file.slug, to, places };
  });
  const counts = countsOf(linking.flatMap(({ places }) => [...places]));
  const isOwn = (place: string) =>
    counts.get(place) === 1 || counts.get(place)! * 2 <= pages.length;
  return linking
    .filter((on) => on.slug !== slug && [...on.places].some(isOwn))
    .map(({ page, slug: from, to }) => ({
      slug: from,
      to,
      hasBlock: blocksForPage(blockPage(page), { slug, names: [] }).length > 0,
    }));
}
