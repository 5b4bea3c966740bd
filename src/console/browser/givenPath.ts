import { normalizeText } from '../../contract/normalizeText.ts';
import { decoded } from '../../browser/path.ts';
import { wordOf } from './slug.ts';

/** A path that somebody gave; the host instead, if the path is on another site. */
export type Given = { path: string } | { host: string };

/** A segment that needs no change in an address (src/sites/pages/slug.ts has the exact rule). */
const plainSegment = /^(?![.])[\p{L}\p{M}\p{N}\-_.~]+(?<![.])$/u;
/** A host without `https://` in front. */
const bareHost = /^(?:www\.[^\s/]{1,200}|localhost:\d{1,5})(?=\/|$)/i;

/**
 * Reads the path that a cell or a person gives: a path that begins with a slash, or a page's whole
 * URL.
 * @param homes where the site is: hosts, with a folder if the site is in one, or URLs
 * @returns undefined if the text is neither
 */
export function givenPath(text: string, homes: string[]): Given | undefined {
  const trimmed = text.trim();
  const sites = homes.flatMap((home) => urlOf(home.includes('//') ? home : `//${home}`) ?? []);
  if (trimmed.startsWith('/') && !trimmed.startsWith('//')) return { path: pathPart(trimmed) };
  const host = trimmed.slice(0, trimmed.search(/\/|$/)).toLowerCase();
  const isBare = bareHost.test(trimmed) || sites.some((site) => sameHost(site.host, host));
  if (!isBare && !/^(?:https?:)?\/\//i.test(trimmed)) return undefined;
  const url = urlOf(isBare ? `//${trimmed}` : trimmed);
  if (!url) return undefined;
  const home = sites.find(
    (site) => sameHost(site.host, url.host) && isIn(url.pathname, folderIn(site)),
  );
  return home ? { path: url.pathname.slice(folderIn(home).length) || '/' } : { host: url.host };
}

const urlOf = (text: string) => URL.parse(text.startsWith('//') ? `https:${text}` : text);
const folderIn = ({ pathname }: URL) => (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname);
const isIn = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`);

export const isGivenPath = (text: string) => givenPath(text, []) !== undefined;

const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '');
const sameHost = (one: string, other: string) => withoutWww(one) === withoutWww(other);

const pathPart = (text: string) => text.slice(0, text.search(/[?#]|$/));

/**
 * The page's address for a path that somebody wrote: decoded, without `.html`; '' for the home
 * page.
 */
export function addressAt(path: string, language?: string): string {
  const segments = path.split('/').filter(Boolean).map(decoded);
  const last = (segments.pop() ?? '').replace(/\.html?$/i, '');
  const words = [...segments, last === 'index' ? '' : last].map((segment) =>
    plainSegment.test(segment) ? normalizeText(segment, 'NFC') : wordOf(segment, language),
  );
  return words.filter(Boolean).length === 0 ? '' : `/${words.filter(Boolean).join('/')}`;
}
