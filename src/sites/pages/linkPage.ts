import type { PageFile } from '../../contract/site.ts';
import { DomainError, onCode } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import { isHeadline, type Slot } from '../formats/page.ts';
import type { LinkAnswer, LinkBlock } from '../formats/linkBlocks.ts';
import type { LinkQuestion, PageSource } from '../formats/format.ts';
import type { Pages } from './pages.ts';
import { atMostOnePage, readablePages } from './pageSource.ts';
import { findPage, readSisters } from './template.ts';

/** The page that is to link to new pages, and its block that links to their template. */
export interface LinkPage {
  question: LinkQuestion;
  block: LinkBlock;
  /** The slugs of the pages that it links to. */
  linked: string[];
  /** Whether a list in its structured data names the template. */
  isListed: boolean;
}

/**
 * Reads the page named by a task's `linkFrom`.
 * @param template the template's file and slots
 * @throws DomainError LINK_FROM_UNFIT if there is no such page, or none of its blocks links to the
 *   template
 */
export async function readLinkPage(
  tree: Tree,
  pages: Pages,
  { linkFrom, template }: { linkFrom: string; template: PageFile & { slots: Slot[] } },
): Promise<LinkPage> {
  const path = findPage(tree, { pages, slug: linkFrom }, () =>
    unfit(`page not found: ${linkFrom}`),
  );
  const [source, sisters] = await Promise.all([tree.read(path), readSisters(tree, pages, path)]);
  const { slug, path: file, slots } = template;
  const names = slots
    .filter((slot) => slot.role === 'title' || isHeadline(slot))
    .map(({ text }) => text);
  const words = slug.split('/').at(-1)!;
  const question = {
    page: { path, source },
    sisters,
    template: { slug, path: file, names: [...names, words] },
  };
  const { block, linked, isListed }: LinkAnswer = await pages.linkBlock(question);
  if (block) return { question, block, linked, isListed };
  throw unfit(
    `no block of ${linkFrom} links to the template ${slug} in a way that can be repeated: one of several cards, list items or table rows`,
  );
}

const unfit = (problem: string) => new DomainError('LINK_FROM_UNFIT', `linkFrom: ${problem}`);

/**
 * Searches for links to a template, on the pages in the folders above it and on its sisters.
 * @param sisters as `readSisters` returns them for the template
 * @param made the pages that were made from the template
 * @returns `linking`: the pages that link to the template; if some of them fit `linkFrom`, only
 *   these. `unlinked`: the made pages that none of the pages links to
 */
export async function pagesWithoutLinks(
  tree: Tree,
  pages: Pages,
  { template, sisters, made }: { template: PageFile; sisters: PageSource[]; made: string[] },
): Promise<{ linking: string[]; unlinked: string[] }> {
  const known = new Set(sisters.map(({ path }) => path));
  const above = pagesAbove(tree, pages, template).filter((path) => !known.has(path));
  const sourceOf = (path: string) => tree.read(path).catch(onCode(['PAGE_UNREADABLE'], null));
  const read = await Promise.all(
    above.map(async (path) => ({ path, source: await sourceOf(path) })),
  );
  const sources = read.flatMap(({ path, source }) => (source === null ? [] : [{ path, source }]));
  const asked = atMostOnePage([...sources, ...sisters], ({ source }) => Buffer.byteLength(source));
  const linking = await pages.linkingPages(asked, template.slug);
  const found = linking.filter(({ slug }) => !made.includes(slug));
  const linked = new Set(found.flatMap(({ to }) => to));
  const usable = found.filter(({ hasBlock }) => hasBlock);
  return {
    linking: (usable.length > 0 ? usable : found).map(({ slug }) => slug),
    unlinked: made.filter((slug) => !linked.has(slug)),
  };
}

/** The files of the pages whose slugs are prefixes of the template's slug. */
function pagesAbove(tree: Tree, pages: Pages, { slug }: PageFile): string[] {
  const above = slug.split('/').map((_, i, words) => words.slice(0, i).join('/') || '/');
  const slugs = new Set(above.filter((one) => one !== slug));
  return readablePages(tree, pages).filter((path) => slugs.has(pages.slugOf(path)));
}
