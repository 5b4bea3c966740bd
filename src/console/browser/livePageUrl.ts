import { pagePath } from '../../browser/hostPath.ts';

export const hostOfUrl = (url: string) => URL.parse(url)?.host ?? url;

/** Where a page is live. The slug is encoded, because slugs may hold any letters. */
export const livePageUrl = (liveUrl: string, slug: string) =>
  new URL(`.${pagePath(slug).toString()}`, liveUrl).href;
