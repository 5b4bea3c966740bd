import type { PageFile } from '../../../contract/site.ts';
import type { SiteTarget } from '../../../sites/formats/changes.ts';
import * as shared from '../../../sites/pages/links/resolveLinkTarget.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import { requirePage } from './toolArguments.ts';

/** Resolves a link's target on the edited site. See `resolveLinkTarget` of src/sites/pages. */
export const resolveSiteLinkTarget = (
  site: SiteEdits,
  page: PageFile,
  target: string,
): Promise<string | SiteTarget> =>
  shared.resolveLinkTarget(
    {
      pageAt: (slug) => requirePage(site, slug),
      hasOtherFile: (path) =>
        site.paths().includes(path) && !site.files().some((page) => page.path === path),
      anchors: (page) => site.query(page, 'anchors'),
    },
    page,
    target,
  );
