import { indexSiteFiles } from '../../../checks/siteFiles.ts';
import { decodeUrlPart, parseReference } from '../../../pages/urls/urls.ts';
import type { OutlineQuery } from '../../format.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import { listPageAnchors } from '../links/pageLinks.ts';
import type { HtmlPage } from '../openHtmlPage.ts';

/** Makes a test for URLs that lead to nothing on the site. Finds none without `sitePaths`. */
export function createMissingTest(
  page: HtmlPage,
  { sitePaths, anchors = {} }: Pick<OutlineQuery, 'sitePaths' | 'anchors'>,
): (url: string) => boolean {
  if (!sitePaths) return () => false;
  const files = indexSiteFiles(sitePaths);
  const urlResolver = createUrlResolver(page);
  const knownAnchors = new Map(
    Object.entries(anchors).map(([slug, names]) => [slug, new Set(names)]),
  );
  knownAnchors.set(page.file.slug, new Set(listPageAnchors(page)));
  return (url) => {
    const isOwnPage = url.trim().startsWith('#');
    const path = urlResolver.pathOf(url);
    if (path === undefined && !isOwnPage) return false;
    const slug = isOwnPage ? page.file.slug : (urlResolver.slugOf(url) ?? '');
    if (path !== undefined && slug !== page.file.slug && !files.answers(path)) return true;
    const anchor = decodeUrlPart(parseReference(url.trim()).fragment.slice(1));
    const isBrowserAnchor =
      anchor === '' || anchor.toLowerCase() === 'top' || anchor.startsWith(':~:');
    return !isBrowserAnchor && knownAnchors.get(slug)?.has(anchor) === false;
  };
}
