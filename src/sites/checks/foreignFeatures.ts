import { DomainError } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import { isRegular, readPageSource } from '../pages/pageSource.ts';
import type { PageSource } from '../formats/format.ts';
import type { PageMethods } from '../pages/pages.ts';
import type { PageViolation, PageFeature } from '../formats/pageFindings.ts';

/**
 * Keys of elements that affect a whole page, such as `<base>`. A page may not get one of them even
 * if another page has it.
 */
const onePageKeys = ['base', 'refresh'];

/**
 * Finds the features that no other page or style sheet of the site has, and returns them as
 * violations. A feature is a class, an inline style, a form or a frame.
 * @param site the site before the change
 * @param styleSheets the style sheets that the same change writes, as they are after it
 * @param gains the features that a changed page has and its former version or template had not
 */
export async function findForeignFeatures(
  { site, styleSheets }: { site: Tree; styleSheets: PageSource[] },
  pages: Pick<PageMethods, 'knownKeys' | 'isPage'>,
  gains: PageFeature[],
): Promise<PageViolation[]> {
  const featureKeys = gains.flatMap(({ keys }) => keys).filter((key) => !onePageKeys.includes(key));
  const styleSheetKeys = await Promise.all(
    styleSheets.map((file) => pages.knownKeys(file, featureKeys)),
  );
  const knownKeys = new Set(styleSheetKeys.flat());
  const unknownKeys = featureKeys.filter((key) => !knownKeys.has(key));
  for (const key of await findSiteKeys(site, pages, unknownKeys)) knownKeys.add(key);
  return gains
    .filter(({ keys }) => !keys.some((key) => knownKeys.has(key)))
    .map(violationOfFeature);
}

/** Describes a feature as a violation: it must not be in the page, because the site lacks it. */
export const violationOfFeature = ({ line, element, what }: PageFeature): PageViolation => ({
  line,
  element,
  code: 'foreign-feature',
  values: [what],
});

/**
 * Returns those keys that some file of a site has. Reads its style sheets first, then its pages,
 * until all keys are found.
 * @param keys of features and external references, such as `class card` or `host partner.example`
 */
export async function findSiteKeys(
  tree: Tree,
  pages: Pick<PageMethods, 'isPage' | 'knownKeys'>,
  keys: string[],
): Promise<Set<string>> {
  const knownKeys = new Set<string>();
  if (keys.length === 0) return knownKeys;
  const files = [...tree.entries.keys()].filter((path) => isRegular(tree, path)).sort();
  for (const path of [
    ...files.filter(isStyleSheet),
    ...files.filter((path) => pages.isPage(path)),
  ]) {
    const missingKeys = keys.filter((key) => !knownKeys.has(key));
    if (missingKeys.length === 0) break;
    for (const key of await knownKeysAt(tree, pages, path, missingKeys)) knownKeys.add(key);
  }
  return knownKeys;
}

export const isStyleSheet = (path: string) => path.endsWith('.css');

/** Those keys that one file has; none for an unreadable file. */
async function knownKeysAt(
  tree: Tree,
  pages: Pick<PageMethods, 'knownKeys'>,
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
