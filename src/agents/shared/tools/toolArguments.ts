import { Joi } from '../../../boundedJoi.ts';
import type { PageFile } from '../../../contract/site.ts';
import { limits } from '../../../contract/task.ts';
import { notFoundError } from '../../../errors.ts';
import { MAX_SEARCH_LENGTH } from '../text/searchLimit.ts';
import type { PageLink } from '../../../sites/formats/pageParts.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import { pageNotFound } from './pageNotFound.ts';

/** Most pages that `search` lists. */
export const PAGES_WITH_HITS = 50;

export const slugSchema = Joi.string()
  .max(limits.slugLength)
  .pattern(/^\//)
  .required()
  .messages({ 'string.pattern.base': '{{#label}} must start with "/"' });

/** BCP 47 language tags, as far as pages need them. */
export const languageSchema = Joi.string()
  .max(35)
  .pattern(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/)
  .messages({
    'string.pattern.base': '{{#label}} must be a language tag, such as "de" or "pt-BR"',
  });

export const wordsSchema = Joi.string().max(MAX_SEARCH_LENGTH).required();
export const argumentText = Joi.string().allow('').max(limits.contextLength).required();

const MAX_SUGGESTIONS = 5;

/** The page at a slug. Throws NOT_FOUND with a message that lists pages with similar slugs. */
export function requirePage(site: SiteEdits, slug: string): PageFile {
  const page = site.find(slug);
  if (page) return page;
  const lastSlugPart = slug.split('/').at(-1)!.toLowerCase();
  const similarPages = site
    .files()
    .filter((page) => lastSlugPart !== '' && page.slug.toLowerCase().includes(lastSlugPart))
    .slice(0, MAX_SUGGESTIONS);
  throw notFoundError(
    pageNotFound(
      slug,
      similarPages.map((page) => page.slug),
    ),
  );
}

/** The page's links that lead to a slug. */
export async function findLinksTo(
  site: Pick<SiteEdits, 'query'>,
  page: PageFile,
  slug: string,
): Promise<PageLink[]> {
  const links = await site.query(page, 'links');
  return links.filter((link) => link.slug === slug);
}
