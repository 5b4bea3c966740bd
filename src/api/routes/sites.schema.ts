import Joi, { type CustomHelpers } from 'joi';

/** The query of GET /sites/{siteId}/pages. */
export interface SitePagesQuery {
  limit: number;
  /** The slug after which the list goes on. */
  cursor?: string;
}

const mostPages = 500;

export const sitePagesQuery = Joi.object<SitePagesQuery>({
  limit: Joi.number().integer().min(1).max(mostPages).default(100).description('How many pages at most.'),
  cursor: Joi.string().max(10_000).custom(slugIn).description('`nextCursor` of the answer before.'),
});

export const cursorAt = (slug: string) => Buffer.from(slug).toString('base64url');

function slugIn(cursor: string, helpers: CustomHelpers) {
  const slug = Buffer.from(cursor, 'base64url').toString();
  if (slug.startsWith('/') && cursorAt(slug) === cursor) return slug;
  return helpers.message({ custom: '{{#label}} must be the nextCursor of an answer' });
}
