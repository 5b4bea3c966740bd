import { DomainError, onCode } from '../../errors.ts';
import { atMostOnePage, isReadablePage, isRegular, readPageSource } from './pageSource.ts';
import type { PageSource, TemplateContent } from '../formats/format.ts';
import type { Pages } from './pages.ts';
import type { Tree } from '../git/repository.ts';

const SISTERS = 12;

/**
 * The file of the page with a slug. If several files have the slug, the one that visitors get.
 * @param whyNot makes the error if there is none, given a file that is not regular
 */
export function findPage(
  tree: Tree,
  { pages, slug }: { pages: Pages; slug: string },
  whyNot: (irregular?: string) => DomainError,
): string {
  const files = [...tree.entries.keys()].filter(
    (file) => pages.isPage(file) && pages.slugOf(file) === slug,
  );
  const path = files.find((file) => isRegular(tree, file));
  if (path === undefined) throw whyNot(files[0]);
  return path;
}

/** The template's file. Throws TEMPLATE_NOT_FOUND. */
export const findTemplate = (tree: Tree, pages: Pages, slug: string): string =>
  findPage(tree, { pages, slug }, (irregular) => {
    const reason = irregular === undefined ? '' : ` (${irregular} is no regular file)`;
    return new DomainError('TEMPLATE_NOT_FOUND', `Template page not found: ${slug}${reason}`);
  });

/**
 * Reads pages to find the site's chrome: texts that they share. Prefers the template's neighbours.
 * Returns the same pages for the same tree. Skips unreadable pages.
 */
export async function readSisters(
  tree: Tree,
  pages: Pages,
  templatePath: string,
): Promise<PageSource[]> {
  const folder = templatePath.slice(0, templatePath.lastIndexOf('/') + 1);
  const near: string[] = [];
  const far: string[] = [];
  for (const entry of tree.entries.values()) {
    const { path } = entry;
    const list = path.startsWith(folder) ? near : far;
    if (list.length < SISTERS && path !== templatePath && isReadablePage(pages, entry))
      list.push(path);
  }
  // neighbours alone would show what their folder shares: half neighbours, half others, if there
  // are enough
  const mixed = [...near.slice(0, SISTERS / 2), ...far, ...near.slice(SISTERS / 2)];
  const chosen = atMostOnePage(mixed.slice(0, SISTERS), (path) => tree.entries.get(path)!.size);
  const read = chosen.map((path) =>
    readPageSource(tree, path).catch(onCode(['PAGE_UNREADABLE'], null)),
  );
  return (await Promise.all(read)).filter((sister) => sister !== null);
}

/** The template's slots, with the site's chrome locked. Throws PAGE_UNREADABLE, LIMIT_EXCEEDED. */
export async function readTemplate(
  tree: Tree,
  pages: Pages,
  path: string,
): Promise<TemplateContent> {
  const template = await readPageSource(tree, path);
  return pages.readTemplate(template, await readSisters(tree, pages, path));
}
