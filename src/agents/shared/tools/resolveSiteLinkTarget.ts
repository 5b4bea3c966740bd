import type { PageFile } from '../../../contract/site.ts';
import type { SiteTarget } from '../../../sites/formats/changes.ts';
import { resolveLinkTarget } from '../../../sites/pages/links/resolveLinkTarget.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import { requirePage } from './toolArguments.ts';

/**
 * Resolves a link's target on the edited site: `/pricing#plans` becomes the page of the site with
 * the fragment. A full URL, or a fragment such as `#plans`, stays a string.
 * @param page the page with the link
 * @throws as `resolveLinkTarget` of src/sites/pages
 */
export const resolveSiteLinkTarget = (
  site: SiteEdits,
  page: PageFile,
  target: string,
): Promise<string | SiteTarget> =>
  resolveLinkTarget(
    {
      pageAt: (slug) => requirePage(site, slug),
      hasOtherFile: (path) =>
        site.paths().includes(path) && !site.files().some((page) => page.path === path),
      anchors: (page) => site.query(page, 'anchors'),
    },
    page,
    target,
  );
