import { pagePath } from '../../browser/hostPath.ts';

export const hostOfUrl = (url: string) => URL.parse(url)?.host ?? url;

/** The URL of a live page. The slug is encoded, because slugs may contain any letters. */
export const livePageUrl = (liveUrl: string, slug: string) =>
  new URL(`.${pagePath(slug).toString()}`, liveUrl).href;
