import { Joi } from '../../../boundedJoi.ts';
import type { SitePosition } from '../../../organizations/siteList.ts';
import { createCursor, cursorSchema, limitSchema } from '../../cursors.ts';
import { uuidSchema } from '../tasks/tasks.schema.ts';

const ID_LENGTH = 36;

export const siteCursor = createCursor<SitePosition>(
  ([name, siteId]) => siteId + name,
  (cursorText) => {
    const siteId = cursorText.slice(0, ID_LENGTH);
    return uuidSchema.test(siteId) && !cursorText.includes('\0')
      ? [cursorText.slice(ID_LENGTH), siteId]
      : null;
  },
);

export const slugCursor = createCursor<string>(
  (slug) => slug,
  (cursorText) => (cursorText.startsWith('/') ? cursorText : null),
);

/** The query of GET /sites/{siteId}/pages. */
export interface SitePagesQuery {
  limit: number;
  /** The slug after which the list continues. */
  cursor?: string;
}

export const sitePagesQuery = Joi.object<SitePagesQuery>({
  limit: limitSchema('pages', { usual: 100, most: 500 }),
  cursor: cursorSchema(slugCursor, 10_000),
});

/** The query of GET /sites. */
export interface SiteListQuery {
  limit: number;
  /** The site after which the list continues. */
  cursor?: SitePosition;
}

export const siteListQuery = Joi.object<SiteListQuery>({
  limit: limitSchema('sites'),
  cursor: cursorSchema(siteCursor, 10_000),
});
