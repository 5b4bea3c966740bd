import { DomainError } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import { isRegular, readPageSource } from '../pages/pageSource.ts';
import type { PageSource } from '../formats/format.ts';
import type { Pages } from '../pages/pages.ts';
import type { Fault, Gain } from '../formats/faults.ts';

/**
 * Keys of elements that affect a whole page. They are not allowed just because another page has
 * them.
 */
const ofOnePage = ['base', 'refresh'];

/**
 * The gains that no other page or style sheet of the site has, as faults.
 * @param site the site before the change
 * @param styleSheets the style sheets that the same change writes, as they are after it
 */
export async function foreignOf(
  { site, styleSheets }: { site: Tree; styleSheets: PageSource[] },
  pages: Pick<Pages, 'knownKeys' | 'isPage'>,
  gains: Gain[],
): Promise<Fault[]> {
  const asked = gains.flatMap(({ keys }) => keys).filter((key) => !ofOnePage.includes(key));
  const written = await Promise.all(styleSheets.map((file) => pages.knownKeys(file, asked)));
  const known = new Set(written.flat());
  const others = asked.filter((key) => !known.has(key));
  for (const key of await siteKeys(site, pages, others)) known.add(key);
  return gains.filter(({ keys }) => !keys.some((key) => known.has(key))).map(faultOf);
}

export const faultOf = ({ line, element, what }: Gain): Fault => ({
  line,
  element,
  problem: `${what}, which the page before had not`,
  expected: 'only what the site has',
});

/**
 * The given keys that a site has. Reads its style sheets first, then its pages, until all keys are
 * found.
 * @param keys as the checks make them: `class card`
 */
export async function siteKeys(
  tree: Tree,
  pages: Pick<Pages, 'isPage' | 'knownKeys'>,
  keys: string[],
): Promise<Set<string>> {
  const known = new Set<string>();
  if (keys.length === 0) return known;
  const files = [...tree.entries.keys()].filter((path) => isRegular(tree, path)).sort();
  for (const path of [
    ...files.filter(isStyleSheet),
    ...files.filter((path) => pages.isPage(path)),
  ]) {
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length === 0) break;
    for (const key of await keysAt(tree, pages, path, missing)) known.add(key);
  }
  return known;
}

export const isStyleSheet = (path: string) => path.endsWith('.css');

/** The given keys that one file has; none for an unreadable file. */
async function keysAt(
  tree: Tree,
  pages: Pick<Pages, 'knownKeys'>,
  path: string,
  keys: string[],
): Promise<string[]> {
  try {
    return await pages.knownKeys(await readPageSource(tree, path), keys);
  } catch (error) {
    if (error instanceof DomainError && ['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'].includes(error.code))
      return [];
    throw error;
  }
}
