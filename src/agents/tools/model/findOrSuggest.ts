import type { PageFile } from '../../../contract/site.ts';
import { hasCode, notFound } from '../../../errors.ts';
import { inLine } from '../../../text/text.ts';
import type { SlotGroup } from '../../../sites/formats/page.ts';
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

/**
 * Runs work. If it fails with NOT_FOUND because the page lacks an id, the error lists similar ids.
 */
export async function withNear<T>(
  { site }: ToolContext,
  page: PageFile,
  id: string,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!hasCode(error, 'NOT_FOUND')) throw error;
    throw notFound(`${error.message}; ${await nearIds({ site }, page, id)}`);
  }
}

/**
 * Lists similar ids, and says whether the task changed the page since the model may have read it.
 */
export async function nearIds(
  { site }: Pick<ToolContext, 'site'>,
  page: PageFile,
  id: string,
): Promise<string> {
  const isChanged = site.changes().some(({ path }) => path === page.path);
  const near = await site.ask(page, 'nearIds', id);
  return isChanged ? `${near}; this task changed the page: read_page shows it as it is now` : near;
}

/** A group of a page. Throws NOT_FOUND that lists the page's groups. */
export async function groupOn(
  { site }: ToolContext,
  page: PageFile,
  id: string,
): Promise<SlotGroup> {
  const groups = await site.ask(page, 'groups');
  const found = groups.find((group) => group.id === id);
  if (found) return found;
  const named = groups.map(({ id, members }) => `${id} (${members.length} members)`);
  const there = groups.length === 0 ? 'the page has none' : `there are ${listed(named)}`;
  const meant = id.startsWith('g') ? '' : `; ${await site.ask(page, 'nearIds', id)}`;
  throw notFound(`${page.slug} has no group "${id}"; ${there}${meant}`);
}

/** `/a, /b and 3 more` */
export function listed(names: (string | number)[]): string {
  const rest = names.length - NAMED;
  return inLine(names.slice(0, NAMED).join(', ')) + (rest > 0 ? ` and ${rest} more` : '');
}

/** `1 page`, `3 pages` */
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
