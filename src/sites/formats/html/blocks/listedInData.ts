import { addressesOf } from '../links/pageAddresses.ts';
import type { Page } from '../openPage.ts';
import { pathText } from '../slots/jsonLd.ts';
import { leavesOf } from '../slots/plainSlotPlaces.ts';

const LIST = 'itemListElement';

/** Whether a list in a page's structured data contains another page. Breadcrumbs don't count. */
export function isListedInData(page: Page, slug: string): boolean {
  const addresses = addressesOf(page);
  return page.elements.some((element) => {
    const leaves = leavesOf(page, element);
    const ways = new Set(
      leaves
        .filter(({ value }) => value === 'BreadcrumbList')
        .map(({ path }) => pathText(path.slice(0, -1))),
    );
    return leaves.some(({ path, value }) => {
      const at = path.lastIndexOf(LIST);
      const isEntry =
        at !== -1 && typeof value === 'string' && !ways.has(pathText(path.slice(0, at)));
      return isEntry && addresses.slugOf(value) === slug;
    });
  });
}
