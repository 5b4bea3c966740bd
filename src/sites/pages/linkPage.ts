import type { PageFile } from '../../contract/site.ts';
import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import { isHeadline, type Slot } from '../formats/page.ts';
import type { LinkAnswer, LinkBlock } from '../formats/linkBlocks.ts';
import type { LinkQuestion, PageSource } from '../formats/format.ts';
import type { Pages } from './pages.ts';
import { isRegular, readSisters } from './template.ts';

/** The page that is to link to new pages, and its block for their template. */
export interface LinkPage {
  question: LinkQuestion;
  block: LinkBlock;
  /** The pages that its content leads to. */
  linked: string[];
  /** Whether a list in its structured data has the template. */
  isListed: boolean;
}

/**
 * Reads the page that a task names in `linkFrom`.
 * @param template the template's file and slots
 * @throws DomainError LINK_FROM_UNFIT where there is no such page, or no block of it links to the
 *   template
 */
export async function readLinkPage(
  tree: Tree,
  pages: Pages,
  { linkFrom, template }: { linkFrom: string; template: PageFile & { slots: Slot[] } },
): Promise<LinkPage> {
  const path = findPage(tree, pages, linkFrom);
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

function findPage(tree: Tree, pages: Pages, slug: string): string {
  const files = [...tree.entries.keys()].filter(
    (file) => pages.isPage(file) && pages.slugOf(file) === slug,
  );
  const path = files.find((file) => isRegular(tree, file));
  if (path === undefined) throw unfit(`page not found: ${slug}`);
  return path;
}

const unfit = (problem: string) => new DomainError('LINK_FROM_UNFIT', `linkFrom: ${problem}`);

/**
 * The pages that link to a template and to none of the pages that were made of it. The pages above
 * it and its sisters are looked at, not the whole site. Those with a block for it, if there are
 * any, can be named in `linkFrom`.
 * @param sisters as `readSisters` gives them for the template
 */
export async function pagesWithoutLinks(
  tree: Tree,
  pages: Pages,
  { template, sisters, made }: { template: PageFile; sisters: PageSource[]; made: string[] },
): Promise<{ linking: string[]; unlinked: string[] }> {
  const known = new Set(sisters.map(({ path }) => path));
  const above = pagesAbove(tree, pages, template).filter((path) => !known.has(path));
  const read = await Promise.all(
    above.map(async (path) => ({ path, source: await readIfText(tree, path) })),
  );
  const sources = read.flatMap(({ path, source }) => (source === null ? [] : [{ path, source }]));
  const linking = await pages.linkingPages(atMost([...sources, ...sisters]), template.slug);
  const found = linking.filter(({ slug }) => !made.includes(slug));
  const linked = new Set(found.flatMap(({ to }) => to));
  const usable = found.filter(({ hasBlock }) => hasBlock);
  return {
    linking: (usable.length > 0 ? usable : found).map(({ slug }) => slug),
    unlinked: made.filter((slug) => !linked.has(slug)),
  };
}

/** The pages that together are no larger than one page may be: one thread reads them all. */
function atMost(sources: PageSource[]): PageSource[] {
  let left: number = limits.pageBytes;
  return sources.filter(({ source }) => {
    const bytes = Buffer.byteLength(source);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** Files of the pages whose slugs the template's begins with. */
function pagesAbove(tree: Tree, pages: Pages, { slug }: PageFile): string[] {
  const above = slug.split('/').map((_, i, words) => words.slice(0, i).join('/') || '/');
  return [...tree.entries.values()]
    .filter(
      ({ path, size }) => size <= limits.pageBytes && pages.isPage(path) && isRegular(tree, path),
    )
    .map(({ path }) => path)
    .filter((path) => above.includes(pages.slugOf(path)) && pages.slugOf(path) !== slug);
}

async function readIfText(tree: Tree, path: string): Promise<string | null> {
  try {
    return await tree.read(path);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'PAGE_UNREADABLE') return null;
    throw error;
  }
}
