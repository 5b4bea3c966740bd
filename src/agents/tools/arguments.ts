import { Joi } from '../../joi.ts';
import type { PageFile } from '../../contract/site.ts';
import { limits } from '../../contract/task.ts';
import { notFound } from '../../errors.ts';
import { LONGEST } from '../text/longestSearch.ts';
import type { PageLink } from '../../sites/formats/page.ts';
import type { SiteEdits } from '../siteEdits.ts';

/** Most pages that `search` lists. */
export const PAGES_WITH_HITS = 50;

export const slug = Joi.string()
  .max(limits.slugLength)
  .pattern(/^\//)
  .required()
  .messages({ 'string.pattern.base': '{{#label}} must start with "/"' });

/** BCP 47 language tags, as far as pages need them. */
export const language = Joi.string()
  .max(35)
  .pattern(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/)
  .messages({
    'string.pattern.base': '{{#label}} must be a language tag, such as "de" or "pt-BR"',
  });

export const words = Joi.string().max(LONGEST).required();
export const text = Joi.string().allow('').max(limits.contextLength).required();

const SUGGESTIONS = 5;

/** The page at a slug. Throws NOT_FOUND that lists pages with similar slugs. */
export function pageAt(site: SiteEdits, slug: string): PageFile {
  const found = site.find(slug);
  if (found) return found;
  const name = slug.split('/').at(-1)!.toLowerCase();
  const alike = site
    .files()
    .filter((page) => name !== '' && page.slug.toLowerCase().includes(name))
    .slice(0, SUGGESTIONS);
  const hint = alike.length > 0 ? `; there is ${alike.map((page) => page.slug).join(', ')}` : '';
  throw notFound(`Page not found: ${slug}${hint}`);
}

/** The page's links that lead to a slug. */
export async function linksTo(
  site: Pick<SiteEdits, 'ask'>,
  page: PageFile,
  slug: string,
): Promise<PageLink[]> {
  const links = await site.query(page, 'links');
  return links.filter((link) => link.slug === slug);
}
