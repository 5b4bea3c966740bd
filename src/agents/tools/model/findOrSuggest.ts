import type { PageFile } from '../../../contract/site.ts';
import { notFound } from '../../../errors.ts';
import { inLine } from '../../../text/text.ts';
import type { ToolContext } from '../tool.ts';

/** Most slugs that are compared. */
const COMPARED = 5_000;
const NAMED = 10;

/** The page at a slug. Throws NOT_FOUND that lists the most similar slugs. */
export async function pageFor(
  { site, texts }: Pick<ToolContext, 'site' | 'texts'>,
  slug: string,
): Promise<PageFile> {
  const found = site.find(slug);
  if (found) return found;
  const closest = await closestSlugs({ site, texts }, slug);
  throw notFound(`Page not found: ${slug}; ${closest}`);
}

/** The most similar slugs, as a sentence. */
export async function closestSlugs(
  { site, texts }: Pick<ToolContext, 'site' | 'texts'>,
  slug: string,
) {
  const files = site.files();
  const slugs = files.slice(0, COMPARED).map((page) => page.slug);
  const closest = await texts.closest(slugs, slug);
  return closest.length > 0
    ? `the closest are ${closest.join(', ')}`
    : `list_pages names the ${files.length} pages`;
}

/** `/a, /b and 3 more` */
export function listed(names: (string | number)[]): string {
  const rest = names.length - NAMED;
  return inLine(names.slice(0, NAMED).join(', ')) + (rest > 0 ? ` and ${rest} more` : '');
}

/** `1 page`, `3 pages` */
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
