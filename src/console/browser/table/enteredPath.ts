import { normalizeText } from '../../../contract/normalizeText.ts';
import { decodeForPeople } from '../../../browser/hostPath.ts';
import { slugWord } from './slug.ts';

/** A path that a person or a cell gives; for a URL on another site, that site's host. */
export type EnteredPath = { path: string } | { host: string };

/** A segment that a slug can have unchanged (src/sites/pages/urls/slug.ts has the exact rule). */
const plainSegment = /^(?![.])[\p{L}\p{M}\p{N}\-_.~]+(?<![.])$/u;
/** A host without `https://` in front. */
const bareHost = /^(?:www\.[^\s/]{1,200}|localhost:\d{1,5})(?=\/|$)/i;

/**
 * Reads the path that a cell or a person gives: a path that begins with a slash, or a page's whole
 * URL. `https://www.acme.example/about?x=1` → `{ path: '/about' }` for the site `acme.example`
 * @param siteHomes the site's homes: hosts, with a folder if the site is in one, or URLs
 * @returns undefined if the text is neither
 */
export function readEnteredPath(text: string, siteHomes: string[]): EnteredPath | undefined {
  const trimmedText = text.trim();
  const sites = siteHomes.flatMap(
    (siteHome) => urlIn(siteHome.includes('//') ? siteHome : `//${siteHome}`) ?? [],
  );
  if (trimmedText.startsWith('/') && !trimmedText.startsWith('//'))
    return { path: withoutQuery(trimmedText) };
  const host = trimmedText.slice(0, trimmedText.search(/\/|$/)).toLowerCase();
  const isBare = bareHost.test(trimmedText) || sites.some((site) => isSameHost(site.host, host));
  if (!isBare && !/^(?:https?:)?\/\//i.test(trimmedText)) return undefined;
  const url = urlIn(isBare ? `//${trimmedText}` : trimmedText);
  if (!url) return undefined;
  const siteHome = sites.find(
    (site) => isSameHost(site.host, url.host) && isInFolder(url.pathname, folderIn(site)),
  );
  return siteHome
    ? { path: url.pathname.slice(folderIn(siteHome).length) || '/' }
    : { host: url.host };
}

const urlIn = (text: string) => URL.parse(text.startsWith('//') ? `https:${text}` : text);
const folderIn = ({ pathname }: URL) => (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname);
const isInFolder = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`);

export const isEnteredPath = (text: string) => readEnteredPath(text, []) !== undefined;

const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '');
const isSameHost = (firstHost: string, secondHost: string) =>
  withoutWww(firstHost) === withoutWww(secondHost);

const withoutQuery = (text: string) => text.slice(0, text.search(/[?#]|$/));

/** The slug for a path that a person wrote: decoded, and without `.html`. '' for the home page. */
export function slugAtPath(path: string, language?: string): string {
  const segments = path.split('/').filter(Boolean).map(decodeForPeople);
  const lastSegment = (segments.pop() ?? '').replace(/\.html?$/i, '');
  const words = [...segments, lastSegment === 'index' ? '' : lastSegment].map((segment) =>
    plainSegment.test(segment) ? normalizeText(segment, 'NFC') : slugWord(segment, language),
  );
  return words.filter(Boolean).length === 0 ? '' : `/${words.filter(Boolean).join('/')}`;
}
