import type { EditedPageSource } from '../../changes.ts';
import { blocksAround, contentLinks, linkedSlugs, openBlockPage } from '../blocks/pageBlocks.ts';
import { openHtmlPage, type HtmlPage } from '../openHtmlPage.ts';
import { dropLinks } from './navigation.ts';
import { includeSpace, withoutRanges } from './recompose.ts';

/**
 * Removes everything by which a page leads to another one: the blocks that represent the other
 * page, such as its card, its entries in navigations, and then what is left of its links. Texts
 * stay that name it without a link.
 * @returns null if there are none
 * @throws INVALID_INPUT if a parser would read the result differently
 */
export function unlinkPage(page: HtmlPage, slug: string): EditedPageSource | null {
  const withoutBlocks = dropBlocks(page, slug);
  const remainingPage = withoutBlocks ? openHtmlPage({ ...page.file, ...withoutBlocks }) : page;
  return dropLinks(remainingPage, slug) ?? withoutBlocks;
}

function dropBlocks(page: HtmlPage, slug: string): EditedPageSource | null {
  const blockPage = openBlockPage(page);
  const links = contentLinks(page);
  const blocks = links
    .filter((link) => link.slug === slug)
    .flatMap(({ element }) => {
      const ownBlocks = blocksAround(blockPage, element).filter(({ group, index }) =>
        linkedSlugs(group.members[index]!, links).every((other) => other === slug),
      );
      // the two links of a card are alike, but only the cards lead to different pages
      const listed = ownBlocks.find(({ group }) =>
        group.members.some((member) => linkedSlugs(member, links).some((other) => other !== slug)),
      );
      const block = listed ?? ownBlocks.find(({ group }) => group.members.length === 1);
      return block ? includeSpace(page, block.group.members[block.index]!) : [];
    });
  return blocks.length === 0 ? null : withoutRanges(page, blocks);
}
