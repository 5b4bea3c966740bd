import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Tree, TreeEntry } from '../git/repository.ts';
import type { PageSource } from '../formats/format.ts';
import type { PageMethods } from './pages.ts';

/** Whether a path is a regular file, not a symbolic link or a submodule. */
export const isRegular = ({ entries }: Tree, path: string) =>
  entries.get(path)?.mode.startsWith('100') ?? false;

/** Whether a file is a page that is a regular file and within the size limit. */
export const isReadablePage = (
  pages: Pick<PageMethods, 'isPage'>,
  { path, size, mode }: TreeEntry,
) => size <= limits.pageBytes && mode.startsWith('100') && pages.isPage(path);

/** The paths of the site's readable pages. */
export const readablePages = (tree: Tree, pages: PageMethods): string[] =>
  [...tree.entries.values()]
    .filter((entry) => isReadablePage(pages, entry))
    .map(({ path }) => path);

/**
 * Selects pages that together are within the size limit of one page, since one thread reads them
 * all. Skips each page that exceeds the rest of the limit.
 */
export function atMostOnePage<T>(pages: T[], sizeOfPage: (page: T) => number): T[] {
  let remainingBytes: number = limits.pageBytes;
  return pages.filter((page) => {
    const bytes = sizeOfPage(page);
    if (bytes > remainingBytes) return false;
    remainingBytes -= bytes;
    return true;
  });
}

/**
 * Reads the text of a page's file. Does not read files over the limit: even a small repository can
 * have very many of them.
 * @throws DomainError LIMIT_EXCEEDED over `limits.pageBytes`, and the errors of `SiteTree.read`
 */
export async function readPageSource(tree: Tree, path: string): Promise<PageSource> {
  checkPageBytes(path, 'has', tree.entries.get(path)?.size ?? 0);
  return { path, source: await tree.read(path) };
}

/**
 * Checks the size of a page.
 * @param has the verb of the error's message, such as `has` or `would have`
 * @throws DomainError LIMIT_EXCEEDED: `about.html has 6000000 bytes; …`
 */
export function checkPageBytes(path: string, has: string, bytes: number): void {
  if (bytes > limits.pageBytes) throw pageTooLargeError(path, has, bytes);
}

export const pageTooLargeError = (path: string, has: string, bytes: number) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `${path} ${has} ${bytes} bytes; at most ${limits.pageBytes} are allowed`,
  );
