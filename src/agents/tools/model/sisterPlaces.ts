import { Joi } from '../../../joi.ts';
import { inLine } from '../../../text/text.ts';
import type { PageFile } from '../../../contract/site.ts';
import { onCode } from '../../../errors.ts';
import type { ToolContext } from '../tool.ts';
import { listed } from './findOrSuggest.ts';
import { isHeadId, missingHead } from './missingHead.ts';

export const everywhere = Joi.boolean();

/** A page with the same content at the same place as another page. */
interface SisterPlace {
  page: PageFile;
  /** For each requested id, the id on this page; null if the page lacks it. */
  ids: (string | null)[];
}

/** The pages that a change reached, and the pages without a place for it. */
export interface Reach {
  pages: PageFile[];
  without: PageFile[];
}

/**
 * The other pages with the same texts or links at the same places, and the pages with none of them.
 */
export async function sisterPlaces(
  { site }: ToolContext,
  page: PageFile,
  ids: string[],
): Promise<{ found: SisterPlace[]; without: PageFile[] }> {
  const places = await site.ask(page, 'places', ids);
  const found: SisterPlace[] = [];
  const without: PageFile[] = [];
  for (const other of site.files()) {
    if (other.path === page.path) continue;
    const at = await site
      .ask(other, 'atPlaces', places)
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], null));
    const own = at && (await withMissing(site, other, { ids, at }));
    if (own?.some((id) => id !== null)) found.push({ page: other, ids: own });
    else without.push(other);
  }
  return { found, without };
}

/** The ids with those of texts of the head that both pages lack: `head.description`. */
async function withMissing(
  site: ToolContext['site'],
  page: PageFile,
  { ids, at }: { ids: string[]; at: (string | null)[] },
): Promise<(string | null)[]> {
  if (!ids.some(isHeadId)) return at;
  const missing = new Set((await missingHead(site, page)).map(({ id }) => id));
  return at.map((id, i) => (missing.has(ids[i]!) ? ids[i]! : id));
}

/** ` on 14 pages; not on /a, /b` */
export function reached({ pages, without }: Reach): string {
  const missing = without.length > 0 ? `; not on ${listed(without.map(({ slug }) => slug))}` : '';
  return ` on ${pages.length === 1 ? `${inLine(pages[0]!.slug)} alone` : `${pages.length} pages`}${missing}`;
}
