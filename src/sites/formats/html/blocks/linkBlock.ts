import type { LinkingPage } from '../../changes.ts';
import { DomainError } from '../../../../errors.ts';
import type { LinkAnswer, LinkBlock, LinkedTemplate } from '../../linkBlocks.ts';
import { plainText } from '../../../pages/slotText.ts';
import { positionOf } from '../likeness.ts';
import { addBlocks } from './addBlocks.ts';
import { isListedInData } from './listedInData.ts';
import {
  blockPage,
  contentLinks,
  findBlocks,
  type Block,
  type BlockPage,
} from './blocksForPage.ts';

/** Blocks of which is tried whether there can be more. */
const MOST_TRIED = 5;

/** The best block for a page of which there can be more; null for none. */
export function usableBlock(on: BlockPage, template: LinkedTemplate): Block | null {
  const tried = findBlocks(on, template).slice(0, MOST_TRIED);
  return tried.find((block) => canGrow(on, block, template)) ?? null;
}

function canGrow(on: BlockPage, block: Block, template: LinkedTemplate): boolean {
  try {
    return (
      addBlocks(on, block, { template, items: [{ file: template, texts: {} }], sitePaths: [] }) !==
      ''
    );
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_INPUT') return false;
    throw error;
  }
}

/** What a page has for the template, to be read and written elsewhere. */
export function describeBlock(on: BlockPage, template: LinkedTemplate): LinkAnswer {
  const links = contentLinks(on);
  const block = usableBlock(on, template);
  const own = links.filter(({ slug }) => slug === template.slug);
  const linked = [...new Set(links.map(({ slug }) => slug))];
  return {
    block: block && textsOf(block, own),
    linked,
    isListed: isListedInData(on, template.slug),
  };
}

function textsOf({ group, index }: Block, links: ReturnType<typeof contentLinks>): LinkBlock {
  const { places } = group.members[index]!;
  const ranges = links.flatMap(({ element: { sourceCodeLocation: range } }) =>
    range ? [range] : [],
  );
  const isNaming = ({ slot, start, end }: (typeof places)[0]) =>
    slot.role === 'heading' ||
    ranges.some(({ startOffset, endOffset }) => start < endOffset && end > startOffset);
  const others = group.members.filter((_, i) => i !== index);
  const texts = (own: typeof places) => own.map(({ slot }) => plainText(slot.text));
  const known = new Set(others.flatMap((member) => texts(member.places)));
  return {
    slots: places.map(({ slot }) => slot),
    naming: places.filter(isNaming).map(({ slot }) => slot.id),
    common: texts(places).filter((text) => known.has(text)),
  };
}

/**
 * The pages whose content links to a page. Links at one place of most pages are the site's own, and
 * do not count.
 * @param slug the page that is linked to
 */
export function linkingPages(
  pages: Pick<BlockPage, 'page' | 'file'>[],
  slug: string,
): LinkingPage[] {
  const linking = pages.map((on) => {
    const links = contentLinks(on);
    const to = [...new Set(links.map((link) => link.slug))];
    const places = new Set(
      links.filter((link) => link.slug === slug).map(({ element }) => positionOf(element)),
    );
    return { on, slug: on.file.slug, to, places };
  });
  const counts = new Map<string, number>();
  for (const { places } of linking)
    for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  const isOwn = (place: string) =>
    (counts.get(place) ?? 0) === 1 || counts.get(place)! * 2 <= pages.length;
  return linking
    .filter((on) => on.slug !== slug && [...on.places].some(isOwn))
    .map(({ on, slug: from, to }) => ({
      slug: from,
      to,
      hasBlock: findBlocks(blockPage(on.page, on.file), { slug, names: [] }).length > 0,
    }));
}
