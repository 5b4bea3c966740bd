import { noteOn } from '../../contract/task.ts';
import type { PageFile } from '../../contract/site.ts';
import { decode, parseReference } from '../../sites/pages/urls.ts';
import type { SiteEdits } from '../siteEdits.ts';
import type { ToolContext } from './tool.ts';

/** The places of a page that links can name. */
export const anchorsOf = (site: SiteEdits, page: PageFile): Promise<string[]> =>
  site.ask(page, 'anchors');

/** Warns of links to places that a page had before, and has no longer. */
export async function warnOfAnchors(
  { site, warnings, texts }: ToolContext,
  page: PageFile,
  before: string[],
) {
  const now = new Set(await anchorsOf(site, page));
  const gone = new Set(before.filter((anchor) => !now.has(anchor)));
  if (gone.size === 0) return;
  for (const other of site.files()) {
    const isOwn = other.path === page.path;
    if (!isOwn && !(await texts.mayLeadTo(await site.pageSource(other), page))) continue;
    const links = await site.ask(other, 'links');
    for (const { href, slug, text } of links) {
      const { fragment, path } = parseReference(href);
      const anchor = decode(fragment.slice(1));
      if (gone.has(anchor) && (slug === page.slug || (isOwn && path === '')))
        warnings.add(
          noteOn(
            other.slug,
            'link',
            `the link "${text}" leads to "${page.slug}#${anchor}", which was removed`,
            {
              value: href,
            },
          ),
        );
    }
  }
}
