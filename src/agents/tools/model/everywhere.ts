import Joi from 'joi';
import type { PageFile } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import type { ToolContext } from '../tool.ts';
import { named } from './asking.ts';

export const everywhere = Joi.boolean().description(
  'Also on every other page that has the same at the same place, such as in the navigation or the footer.',
);

/** A page that has what another one has, at the same place. */
export interface SisterPlace {
  page: PageFile;
  /** By the ids that were asked for, in their order; null for one that is not there. */
  ids: (string | null)[];
}

/** What became of a change on all pages. */
export interface Reach {
  pages: PageFile[];
  without: PageFile[];
}

/**
 * The other pages with the same texts or links at the same places, and those that have none of
 * them.
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
    const at = await readable(site.ask(other, 'atPlaces', places));
    if (at?.some((id) => id !== null)) found.push({ page: other, ids: at });
    else without.push(other);
  }
  return { found, without };
}

/** What a page says; null for one that can't be read. */
async function readable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DomainError && ['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'].includes(error.code))
      return null;
    throw error;
  }
}

/** ` on 14 pages; not on /a, /b` */
export function reached({ pages, without }: Reach): string {
  const missing = without.length > 0 ? `; not on ${named(without)}` : '';
  return ` on ${pages.length === 1 ? `${pages[0]!.slug} alone` : `${pages.length} pages`}${missing}`;
}
