import type { Tree } from '../../../sites/git/repository.ts';
import type { PageMethods } from '../../../sites/pages/pages.ts';

/** Slugs by path, of each tree that is in use. Only those with characters outside of ASCII. */
const knownSlugs = new WeakMap<Tree, Map<string, string>>();

const isAscii = (path: string) => /^[\0-\x7F]*$/.test(path);

/**
 * Makes the function that returns the slug of a page's path. It remembers slugs for as long as the
 * tree is in use: normalizing 10,000 long paths that are not ASCII takes 0.4 s of the main thread,
 * and every call of a tool lists all pages.
 */
export function createSlugReader(
  tree: Tree,
  pages: Pick<PageMethods, 'slugOf'>,
): (path: string) => string {
  const slugs = knownSlugs.get(tree) ?? new Map<string, string>();
  knownSlugs.set(tree, slugs);
  return (path) => {
    if (isAscii(path)) return pages.slugOf(path);
    const slug = slugs.get(path) ?? pages.slugOf(path);
    slugs.set(path, slug);
    return slug;
  };
}
