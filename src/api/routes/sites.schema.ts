import { Joi } from '../../joi.ts';
import type { SitePlace } from '../../organizations/siteList.ts';
import { cursorOf, cursorSchema, limitOf } from '../cursors.ts';
import { uuid } from './tasks.schema.ts';

const ID_LENGTH = 36;

export const siteCursor = cursorOf<SitePlace>(
  ([name, siteId]) => siteId + name,
  (text) => {
    const siteId = text.slice(0, ID_LENGTH);
    return uuid.test(siteId) && !text.includes('\0') ? [text.slice(ID_LENGTH), siteId] : null;
  },
);

export const slugCursor = cursorOf<string>(
  (slug) => slug,
  (text) => (text.startsWith('/') ? text : null),
);

/** The query of GET /sites/{siteId}/pages. */
export interface SitePagesQuery {
  limit: number;
  /** The slug after which the list goes on. */
  cursor?: string;
}

export const sitePagesQuery = Joi.object<SitePagesQuery>({
  limit: limitOf('pages', { usual: 100, most: 500 }),
  cursor: cursorSchema(slugCursor, 10_000),
});

/** The query of GET /sites. */
export interface SiteListQuery {
  limit: number;
  /** The site after which the list goes on. */
  cursor?: SitePlace;
}

export const siteListQuery = Joi.object<SiteListQuery>({
  limit: limitOf('sites'),
  cursor: cursorSchema(siteCursor, 10_000),
});
