import { pathOfPage } from '../../browser/path.ts';

export const hostOf = (url: string) => URL.parse(url)?.host ?? url;

/** Where a page is live. The slug is encoded, because slugs may hold any letters. */
export const liveAddress = (liveUrl: string, slug: string) =>
  new URL(`.${pathOfPage(slug).toString()}`, liveUrl).href;
