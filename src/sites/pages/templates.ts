import { DomainError, onCode } from '../../errors.ts';
import { atMostOnePage, isReadablePage, isRegular, readPageSource } from './pageSource.ts';
import type { PageSource, TemplateContent } from '../formats/format.ts';
import type { PageMethods } from './pages.ts';
import type { Tree } from '../git/repository.ts';

const MAX_SIBLINGS = 12;

/**
 * The file of the page with a slug. If several files have the slug, the one that visitors get.
 * @param createError makes the error to throw if there is no such file. It gets the path of a file
 *   that has the slug but is not regular, such as a symbolic link
 */
export function findPage(
  tree: Tree,
  { pages, slug }: { pages: PageMethods; slug: string },
  createError: (irregular?: string) => DomainError,
): string {
  const files = listPageFiles(tree, pages, slug);
  const path = files.find((file) => isRegular(tree, file));
  if (path === undefined) throw createError(files[0]);
  return path;
}

/** The files of the pages with a slug, in the order of the tree. */
export const listPageFiles = (
  { entries }: Tree,
  pages: Pick<PageMethods, 'isPage' | 'slugOf'>,
  slug: string,
): string[] =>
  [...entries.keys()].filter((file) => pages.isPage(file) && pages.slugOf(file) === slug);

/** The template's file. Throws TEMPLATE_NOT_FOUND. */
export const findTemplate = (tree: Tree, pages: PageMethods, slug: string): string =>
  findPage(tree, { pages, slug }, (irregular) => templateNotFoundError(slug, irregular));

/** @param irregular the path of a file that would be the template, but is not a regular file */
export function templateNotFoundError(slug: string, irregular?: string): DomainError {
  const reason = irregular === undefined ? '' : ` (${irregular} is not a regular file)`;
  return new DomainError('TEMPLATE_NOT_FOUND', `Template page not found: ${slug}${reason}`);
}

/**
 * Reads up to 12 siblings of a template. The texts that they share with it are the site's chrome,
 * such as the navigation. Prefers pages of the template's folder, returns the same pages for the
 * same tree, and skips unreadable pages.
 */
export async function readSiblings(
  tree: Tree,
  pages: PageMethods,
  templatePath: string,
): Promise<PageSource[]> {
  const folder = templatePath.slice(0, templatePath.lastIndexOf('/') + 1);
  const folderPaths: string[] = [];
  const otherPaths: string[] = [];
  for (const entry of tree.entries.values()) {
    const { path } = entry;
    const paths = path.startsWith(folder) ? folderPaths : otherPaths;
    if (paths.length < MAX_SIBLINGS && path !== templatePath && isReadablePage(pages, entry))
      paths.push(path);
  }
  // neighbours alone would show what their folder shares: half neighbours, half others, if there
  // are enough
  const mixedPaths = [
    ...folderPaths.slice(0, MAX_SIBLINGS / 2),
    ...otherPaths,
    ...folderPaths.slice(MAX_SIBLINGS / 2),
  ];
  const chosenPaths = atMostOnePage(
    mixedPaths.slice(0, MAX_SIBLINGS),
    (path) => tree.entries.get(path)!.size,
  );
  const sources = chosenPaths.map((path) =>
    readPageSource(tree, path).catch(onCode(['PAGE_UNREADABLE'], null)),
  );
  return (await Promise.all(sources)).filter((sibling) => sibling !== null);
}

/**
 * Reads a template. The slots of the site's chrome are locked: new pages must not change them.
 * @throws DomainError PAGE_UNREADABLE, LIMIT_EXCEEDED
 */
export async function readSiteTemplate(
  tree: Tree,
  pages: PageMethods,
  path: string,
): Promise<TemplateContent> {
  const template = await readPageSource(tree, path);
  return pages.readTemplate(template, await readSiblings(tree, pages, path));
}
