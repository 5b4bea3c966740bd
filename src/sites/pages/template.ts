import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { readPageSource } from './pageSource.ts';
import type { PageSource, TemplateContent } from '../formats/format.ts';
import type { Pages } from './pages.ts';
import type { Tree } from '../git/repository.ts';

const SISTERS = 12;

/** Whether a path is a file of its own, not a symbolic link or a submodule. */
export const isRegular = ({ entries }: Tree, path: string) =>
  entries.get(path)?.mode.startsWith('100') ?? false;

/**
 * The template's file; of two with the same slug the one that visitors get. Throws
 * TEMPLATE_NOT_FOUND.
 */
export function findTemplate(tree: Tree, pages: Pages, slug: string): string {
  const files = [...tree.entries.keys()].filter(
    (file) => pages.isPage(file) && pages.slugOf(file) === slug,
  );
  const path = files.find((file) => isRegular(tree, file));
  if (path !== undefined) return path;
  const reason = files.length > 0 ? ` (${files[0]} is no regular file)` : '';
  throw new DomainError('TEMPLATE_NOT_FOUND', `Template page not found: ${slug}${reason}`);
}

/**
 * Pages whose common texts show what is the site's chrome: the template's neighbours first, always
 * the same ones for the same tree. One that can't be read says nothing of it.
 */
export async function readSisters(
  tree: Tree,
  pages: Pages,
  templatePath: string,
): Promise<PageSource[]> {
  const folder = templatePath.slice(0, templatePath.lastIndexOf('/') + 1);
  const others = [...tree.entries.values()]
    .filter(
      ({ path, size }) => path !== templatePath && size <= limits.pageBytes && pages.isPage(path),
    )
    .map(({ path }) => path)
    .filter((path) => isRegular(tree, path))
    .sort();
  const near = others.filter((path) => path.startsWith(folder));
  const far = others.filter((path) => !path.startsWith(folder));
  // neighbours alone would show what is common to their folder only: half neighbours, half others,
  // where there are enough
  const chosen = [...near.slice(0, SISTERS / 2), ...far, ...near.slice(SISTERS / 2)].slice(
    0,
    SISTERS,
  );
  return (await Promise.all(atMost(tree, chosen).map((path) => readSister(tree, path)))).flat();
}

/**
 * The pages that together are no larger than one page may be: one thread reads them all. A larger
 * one is left out.
 */
function atMost({ entries }: Tree, paths: string[]): string[] {
  let left = limits.pageBytes;
  return paths.filter((path) => {
    const { size } = entries.get(path)!;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

async function readSister(tree: Tree, path: string): Promise<PageSource[]> {
  try {
    return [await readPageSource(tree, path)];
  } catch (error) {
    if (error instanceof DomainError && error.code === 'PAGE_UNREADABLE') return [];
    throw error;
  }
}

/** Slots of the template with the site's chrome locked. Throws PAGE_UNREADABLE, LIMIT_EXCEEDED. */
export async function readTemplate(
  tree: Tree,
  pages: Pages,
  path: string,
): Promise<TemplateContent> {
  const template = await readPageSource(tree, path);
  return pages.readTemplate(template, await readSisters(tree, pages, path));
}
