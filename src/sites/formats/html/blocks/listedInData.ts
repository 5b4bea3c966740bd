import { createUrlResolver } from '../links/urlResolver.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { pathText } from '../../pathText.ts';
import { readJsonLeaves } from '../slots/plainSlotPlaces.ts';

const LIST = 'itemListElement';

/**
 * Whether an `itemListElement` in a page's structured data (JSON-LD) names another page of the
 * site. Breadcrumbs don't count.
 */
export function isListedInData(page: HtmlPage, slug: string): boolean {
  const urlResolver = createUrlResolver(page);
  return page.elements.some((element) => {
    const leaves = readJsonLeaves(page, element);
    const breadcrumbPaths = new Set(
      leaves
        .filter(({ value }) => value === 'BreadcrumbList')
        .map(({ path }) => pathText(path.slice(0, -1))),
    );
    return leaves.some(({ path, value }) => {
      const listIndex = path.lastIndexOf(LIST);
      const isEntry =
        listIndex !== -1 &&
        typeof value === 'string' &&
        !breadcrumbPaths.has(pathText(path.slice(0, listIndex)));
      return isEntry && urlResolver.slugOf(value) === slug;
    });
  });
}
