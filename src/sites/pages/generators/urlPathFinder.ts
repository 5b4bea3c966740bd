import type { PageUrlRule } from '../../../contract/site.ts';
import { onCode } from '../../../errors.ts';
import type { Tree } from '../../git/repository.ts';
import type { PageSource } from '../../formats/format.ts';
import { isRegular, readPageSource } from '../pageSource.ts';
import type { PageMethods } from '../pages.ts';
import { findConfiguration } from './configurationFiles.ts';

/** Files with more bytes are not configurations that people write. */
const MAX_SETTING_BYTES = 50_000;

/**
 * Finds the paths of pages in Markdown in the URLs of their site. Reads each configuration once.
 * @returns a function that returns null for a page whose URL is not known
 */
export function createUrlPathFinder(
  pages: Pick<PageMethods, 'pageUrlPath'>,
  tree: Tree,
  rules: PageUrlRule[],
): (path: string) => Promise<string | null> {
  const configuration = findConfiguration(tree.entries.keys());
  const readFiles = new Map<string, Promise<PageSource>>();
  const isSetting = (path: string) =>
    isRegular(tree, path) && tree.entries.get(path)!.size <= MAX_SETTING_BYTES;
  return async (path) => {
    const names = configuration?.filesFor(path).filter(isSetting) ?? [];
    const files = names.map((name) => {
      const file = readFiles.get(name) ?? readPageSource(tree, name);
      readFiles.set(name, file);
      return file;
    });
    const page = await readPageSource(tree, path);
    return pages
      .pageUrlPath(page, { files: await Promise.all(files), rules })
      .catch(onCode(['LIMIT_EXCEEDED'], null));
  };
}
