import type { PageFile } from '../../../contract/site.ts';
import { DomainError, onCode } from '../../../errors.ts';
import type { Tree } from '../../git/repository.ts';
import { isHeadline, type TextSlot } from '../../formats/pageParts.ts';
import type { LinkBlockAnswer, LinkBlock } from '../../formats/linkBlocks.ts';
import type { LinkBlockQuery, PageSource } from '../../formats/format.ts';
import type { PageMethods } from '../pages.ts';
import { atMostOnePage, readablePages } from '../pageSource.ts';
import { findPage, readSiblings } from '../templates.ts';

/*
 * Finds where to link new pages. If the home page has a card that links to the template
 * `/locations/austin`, a new page `/locations/lisbon` can get a card like that next to it. A task's
 * `linkFrom` names the page with the cards. Without it, a note proposes such pages.
 */

/** The page that is to link to new pages, and its block that links to their template. */
export interface LinkPage {
  /** What the block was searched with: the page, its siblings, and the template's names. */
  question: LinkBlockQuery;
  block: LinkBlock;
  /** The slugs of the pages that it links to. */
  linked: string[];
  /** Whether a list in its structured data names the template. */
  isListed: boolean;
}

/**
 * Reads the page that a task's `linkFrom` names, and finds its block for the template.
 * @param template the template's file and slots
 * @throws DomainError LINK_FROM_UNFIT if there is no such page, or none of its blocks links to the
 *   template
 */
export async function readLinkPage(
  tree: Tree,
  pages: PageMethods,
  { linkFrom, template }: { linkFrom: string; template: PageFile & { slots: TextSlot[] } },
): Promise<LinkPage> {
  const path = findPage(tree, { pages, slug: linkFrom }, () =>
    unfitPageError(unfitPageProblems.missing(linkFrom)),
  );
  const [source, siblings] = await Promise.all([tree.read(path), readSiblings(tree, pages, path)]);
  const { slug, path: file, slots } = template;
  const names = slots
    .filter((slot) => slot.role === 'title' || isHeadline(slot))
    .map(({ text }) => text);
  const words = slug.split('/').at(-1)!;
  const question = {
    page: { path, source },
    siblings,
    template: { slug, path: file, names: [...names, words] },
  };
  const { block, linked, isListed }: LinkBlockAnswer = await pages.linkBlock(question);
  if (block) return { question, block, linked, isListed };
  throw unfitPageError(unfitPageProblems.noBlock(linkFrom, slug));
}

/** Why new pages cannot be linked from a page. */
export const unfitPageProblems = {
  missing: (slug: string) => `page not found: ${slug}`,
  noBlock: (slug: string, template: string) =>
    `${slug} has no block that links to the template ${template} and can be repeated, such as a card, a list item or a table row among others`,
};

const unfitPageError = (problem: string) =>
  new DomainError('LINK_FROM_UNFIT', `linkFrom: ${problem}`);

/**
 * Searches for links to a template, on the pages in the folders above it and on its siblings.
 * @param siblings as `readSiblings` returns them for the template
 * @param made the pages that were made from the template
 * @returns `linking`: the pages that link to the template; if some of them fit `linkFrom`, only
 *   these. `unlinked`: the pages in `made` to which none of the searched pages links
 */
export async function findUnlinkedPages(
  tree: Tree,
  pages: PageMethods,
  { template, siblings, made }: { template: PageFile; siblings: PageSource[]; made: string[] },
): Promise<{ linking: string[]; unlinked: string[] }> {
  const siblingPaths = new Set(siblings.map(({ path }) => path));
  const pathsAbove = pagesAbove(tree, pages, template).filter((path) => !siblingPaths.has(path));
  const readSource = (path: string) => tree.read(path).catch(onCode(['PAGE_UNREADABLE'], null));
  const readPages = await Promise.all(
    pathsAbove.map(async (path) => ({ path, source: await readSource(path) })),
  );
  const sources = readPages.flatMap(({ path, source }) =>
    source === null ? [] : [{ path, source }],
  );
  const searchedPages = atMostOnePage([...sources, ...siblings], ({ source }) =>
    Buffer.byteLength(source),
  );
  const linking = await pages.linkingPages(searchedPages, template.slug);
  const foreignPages = linking.filter(({ slug }) => !made.includes(slug));
  const linkedSlugs = new Set(foreignPages.flatMap(({ to }) => to));
  const usablePages = foreignPages.filter(({ hasBlock }) => hasBlock);
  return {
    linking: (usablePages.length > 0 ? usablePages : foreignPages).map(({ slug }) => slug),
    unlinked: made.filter((slug) => !linkedSlugs.has(slug)),
  };
}

/** The files of the pages whose slugs are prefixes of the template's slug. */
function pagesAbove(tree: Tree, pages: PageMethods, { slug }: PageFile): string[] {
  const parentSlugs = slug.split('/').map((_, i, words) => words.slice(0, i).join('/') || '/');
  const slugs = new Set(parentSlugs.filter((candidate) => candidate !== slug));
  return readablePages(tree, pages).filter((path) => slugs.has(pages.slugOf(path)));
}
