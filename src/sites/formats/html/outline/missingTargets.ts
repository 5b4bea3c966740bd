import { siteFiles } from '../../../checks/siteFiles.ts';
import { decode, parseReference } from '../../../pages/urls.ts';
import type { OutlineQuestion } from '../../format.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { anchorsOf } from '../links/pageLinks.ts';
import type { Page } from '../openPage.ts';

/**
 * Makes a test for addresses that lead to no page, file or place of the site. Without the site's
 * files it finds none.
 */
export function missingTargets(
  page: Page,
  { sitePaths, anchors = {} }: Pick<OutlineQuestion, 'sitePaths' | 'anchors'>,
): (url: string) => boolean {
  if (!sitePaths) return () => false;
  const files = siteFiles(sitePaths);
  const addresses = addressesOf(page);
  const known = new Map(Object.entries(anchors).map(([slug, names]) => [slug, new Set(names)]));
  known.set(page.file.slug, new Set(anchorsOf(page)));
  return (url) => {
    const isHere = url.trim().startsWith('#');
    const path = addresses.pathOf(url);
    if (path === undefined && !isHere) return false;
    const slug = isHere ? page.file.slug : (addresses.slugOf(url) ?? '');
    if (path !== undefined && slug !== page.file.slug && !files.answers(path)) return true;
    const place = decode(parseReference(url.trim()).fragment.slice(1));
    const isOfBrowser = place === '' || place.toLowerCase() === 'top' || place.startsWith(':~:');
    return !isOfBrowser && known.get(slug)?.has(place) === false;
  };
}
