import Joi, { type CustomHelpers } from 'joi';
import type { SitePlace } from '../../organizations/siteList.ts';
import { uuid } from './tasks.schema.ts';

/** The query of GET /sites/{siteId}/pages. */
export interface SitePagesQuery {
  limit: number;
  /** The slug after which the list goes on. */
  cursor?: string;
}

const mostPages = 500;

export const sitePagesQuery = Joi.object<SitePagesQuery>({
  limit: Joi.number()
    .integer()
    .min(1)
    .max(mostPages)
    .default(100)
    .description('How many pages at most.'),
  cursor: Joi.string().max(10_000).custom(slugIn).description('`nextCursor` of the answer before.'),
});

/** The query of GET /sites. */
export interface SiteListQuery {
  limit: number;
  /** The site after which the list goes on. */
  cursor?: SitePlace;
}

export const siteListQuery = Joi.object<SiteListQuery>({
  limit: Joi.number().integer().min(1).max(100).default(20).description('How many sites at most.'),
  cursor: Joi.string()
    .max(10_000)
    .custom(placeIn)
    .description('`nextCursor` of the answer before.'),
});

export const siteCursorAt = ([name, siteId]: SitePlace) =>
  Buffer.from(siteId + name).toString('base64url');

const ID_LENGTH = 36;

function placeIn(cursor: string, helpers: CustomHelpers) {
  const text = Buffer.from(cursor, 'base64url').toString();
  const place: SitePlace = [text.slice(ID_LENGTH), text.slice(0, ID_LENGTH)];
  const isPlace = uuid.test(place[1]) && !text.includes('\0') && siteCursorAt(place) === cursor;
  return isPlace
    ? place
    : helpers.message({ custom: '{{#label}} must be the nextCursor of an answer' });
}

export const cursorAt = (slug: string) => Buffer.from(slug).toString('base64url');

function slugIn(cursor: string, helpers: CustomHelpers) {
  const slug = Buffer.from(cursor, 'base64url').toString();
  if (slug.startsWith('/') && cursorAt(slug) === cursor) return slug;
  return helpers.message({ custom: '{{#label}} must be the nextCursor of an answer' });
}
