import type { SiteTarget } from '../../changes.ts';
import type { PageFile } from '../../../../contract/site.ts';
import {
  attributeOf,
  baseHref,
  hasToken,
  metaName,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import type { Page } from '../openPage.ts';
import { withoutEnd } from '../../../../contract/text.ts';
import { leavesOf } from '../slots/plainSlotPlaces.ts';
import { hasCode } from '../templateCode.ts';
import { plainHostOf, readUrl } from '../../../pages/urlHosts.ts';
import {
  absolutePath,
  decode,
  endingOf,
  folderOf,
  joinReference,
  parseReference,
  relativePath,
  slugOfUrl,
} from '../../../pages/urls.ts';

/** Resolves the addresses in a page, and rewrites them for another place of the page. */
export interface Addresses {
  /** Whether an address names the page itself. */
  isSelf: (url: string) => boolean;
  /**
   * Slug of the page of this site that an address names; undefined for an address outside of the
   * site.
   */
  slugOf: (url: string) => string | undefined;
  /** Slug of the page of this site that a link leads to; undefined for other links. */
  slugOfLink: (link: Element) => string | undefined;
  /**
   * The path from the site's root that an address leads to, not decoded; undefined for an address
   * outside of the site.
   */
  pathOf: (url: string) => string | undefined;
  /**
   * The decoded path, relative to the site's root, that an address names; '' for an address outside
   * of the site.
   */
  fileOf: (url: string) => string;
  /** The address that leads from the page's new place to where `url` leads from the old one. */
  move: (url: string) => string;
  /** Like `move`, but an address of the page itself becomes the address of its new place. */
  moveAlong: (url: string) => string;
  /** `url`; but if it leads to the page `from`, the address of the page `to` in the same style. */
  follow: (url: string, move: { from: PageFile; to: PageFile }) => string;
  /**
   * The address of a page or file of this site, with query and fragment, in the style of `url`. If
   * `url` leads out of the site, the address starts at the root.
   */
  to: (url: string, target: SiteTarget) => string;
  /** The address of the page's new place, in the style of `url`. */
  own: (url: string) => string;
  /**
   * Replaces the web addresses of the site in a text, and paths in the queries of other addresses.
   * They may be encoded for a query (`https%3A%2F%2F…`) or for JSON (`https:\/\/…`).
   */
  inText: (text: string, map: (url: string) => string) => string;
  /** The value of `<base href>` for the new place. */
  moveBase: (url: string) => string;
}

/**
 * The site's web address as the page states it: `//host`, and the folder of the site ('' for none).
 */
interface Home {
  host: string;
  prefix: string;
}

/** A host's name. With and without `www.` it is the same site. */
const bareName = (host = '') => host.replace(/^\/\/(?:www\.)?/, '');

/** The site's address as a page states it: `www.example.com/en`; undefined if it states none. */
export function homeIn(page: Page): string | undefined {
  const home = findHome(page);
  return home && home.host.slice(2) + home.prefix;
}

/**
 * The addresses of a page.
 * @param target the page's new place; by default it stays
 */
export function addressesOf(page: Page, target = page.file): Addresses {
  const { file } = page;
  const home = findHome(page);
  const here = folderOf(`/${file.path}`);
  const there = folderOf(`/${target.path}`);
  const base = baseOf(page, here);
  const places = { from: base ?? here, to: base ?? there };

  /** `url` with another path, in the style of `url`: with the host, from the root, or relative. */
  function written(url: string, path: string, changes: { query?: string; fragment?: string } = {}) {
    const reference = parseReference(url);
    if (reference.authority)
      return joinReference({ ...reference, ...changes, path: (home?.prefix ?? '') + path });
    return joinReference({
      ...reference,
      ...changes,
      path: inStyle(reference.path, path, places.to),
    });
  }

  const pathOf = (url: string): string | undefined => {
    const reference = parseReference(readUrl(url));
    if (reference.authority) {
      const isHere =
        home &&
        bareName(webHostOf(url)) === bareName(home.host) &&
        `${reference.path}/`.startsWith(`${home.prefix}/`);
      return isHere ? reference.path.slice(home.prefix.length) || '/' : undefined;
    }
    if (reference.scheme || reference.path === '' || hasCode(url)) return undefined;
    return absolutePath(places.from, reference.path);
  };
  const slugOf = (url: string) => {
    const path = pathOf(url);
    return path === undefined ? undefined : slugOfUrl(path);
  };
  const move = (url: string, leadsTo = pathOf(url)) =>
    leadsTo === undefined || (leadsTo === pathOf(url) && places.from === places.to)
      ? url
      : written(url, leadsTo);

  return {
    pathOf,
    slugOf,
    slugOfLink: (link) => slugOf(attributeOf(link, 'href') ?? ''),
    isSelf: (url) => slugOf(url) === file.slug,
    fileOf: (url) => decode(pathOf(url) ?? '').slice(1),
    moveBase(url) {
      const reference = parseReference(url);
      if (reference.authority) return url;
      const path = inStyle(reference.path, absolutePath(here, reference.path), there);
      return joinReference({ ...reference, path });
    },
    move: (url) => move(url),
    moveAlong: (url) =>
      slugOf(url) === file.slug ? move(url, ownPath(pathOf(url)!, file, target)) : move(url),
    follow: (url, { from, to }) =>
      slugOf(url) === from.slug ? written(url, ownPath(pathOf(url)!, from, to)) : url,
    to(url, { path, slug, query, fragment }) {
      const known = pathOf(url);
      const isFileStyle = slug === null || (known !== undefined && endingOf(known).includes('.'));
      const leadsTo = isFileStyle ? encodePath(`/${path}`) : finalPath({ path, slug });
      return written(known === undefined ? '/' : url, leadsTo, { query, fragment });
    },
    own(url) {
      const reference = parseReference(url);
      const path = pathOf(url);
      const known = path !== undefined && slugOfUrl(path) === file.slug ? path : undefined;
      const ending = reference.path === '/' ? '' : endingOf(reference.path);
      const leadsTo = ownPath(known ?? `${file.slug}${ending}`, file, target);
      return written(url, leadsTo, { query: '' });
    },
    inText: home ? addressMapper(home.host) : (text) => text,
  };
}

/** A slash as it is, in JSON, or encoded for a query once or more often. */
const SLASH = String.raw`(?:\/|\\\/|%(?:25)*2F)`;
const ENCODED = '%(?:25)*(?!25|2F|3F|23|26|3D|22|27|5C|20)[0-9A-F]{2}';
const PATH = String.raw`(?:${SLASH}(?:[\p{L}\p{N}_.~-]|${ENCODED})*)+`;
const inQuery = new RegExp(`(?<==)${PATH}(?=$|[&#"'\\s])`, 'giu');

/** Finds the web addresses of a host, also without a scheme: `www.example.com/about`. */
function addressPattern(host: string): RegExp {
  const name = bareName(host)
    .replace(/[.[\]]/g, '\\$&')
    .replaceAll(':', '(?::|%3A)');
  const scheme = `(?:(?:https?(?::|%(?:25)*3A))?${SLASH}${SLASH})?`;
  const before = String.raw`(?:(?<![\p{L}\p{N}.@_-])|(?<=%[0-9A-F]{2}))`;
  return new RegExp(`${before}(${scheme}(?:www\\.)?${name})(${PATH})`, 'giu');
}

/** See `Addresses.inText`. */
function addressMapper(host: string): Addresses['inText'] {
  const name = bareName(host);
  let pattern: RegExp | undefined;
  return (text, map) => {
    let result = text;
    if (text.toLowerCase().includes(name))
      result = text.replace((pattern ??= addressPattern(host)), (_, head: string, path: string) => {
        const lead = `https://${name}`;
        return head + inSpelling(path, (plain) => map(lead + plain).slice(lead.length));
      });
    return result.includes('=') ? result.replace(inQuery, (path) => inSpelling(path, map)) : result;
  };
}

/** The path that `map` gives for another one, encoded as that one is. */
function inSpelling(path: string, map: (path: string) => string): string {
  const [slash = ''] = /^(?:\\?\/|%(?:25)*2F)/i.exec(path) ?? [];
  const times = slash.startsWith('%') ? (slash.length - 1) / 2 : 0;
  const isJson = slash.startsWith('\\');
  let plain = withoutEnd(path, '.');
  const end = path.slice(plain.length);
  if (isJson) plain = plain.replaceAll('\\/', '/');
  for (let i = 0; i < times; i++) plain = decode(plain);
  let moved = map(plain);
  if (moved === plain) return path;
  for (let i = 0; i < times; i++) moved = encodeURIComponent(moved);
  return (isJson ? moved.replaceAll('/', '\\/') : moved) + end;
}

/** A path in the style of another one: from the root, or relative to `folder`. */
function inStyle(style: string, path: string, folder: string): string {
  if (style.startsWith('/')) return path;
  const relative = relativePath(folder, path);
  return (style.startsWith('./') && !relative.startsWith('.') ? './' : '') + relative;
}

const encodePath = (path: string) => encodeURI(path).replace(/[?#]/g, encodeURIComponent);

/** The URL path that a host finally serves a page at. An index page's path ends with a slash. */
const finalPath = (page: PageFile) =>
  page.slug === '/' ? '/' : encodePath(page.slug) + (isIndex(page) ? '/' : '');

const isIndex = ({ path }: PageFile) => /(^|\/)index\.html?$/i.test(path);

/**
 * The target's URL path. It has the same ending as the template's path if both files are of the
 * same kind.
 */
function ownPath(path: string, template: PageFile, target: PageFile): string {
  const slug = encodeURI(target.slug === '/' ? '' : target.slug);
  const [file] = /(\/index)?\.html?$/i.exec(`/${target.path}`) ?? [''];
  const style = endingOf(path);
  if (style.includes('.')) return target.slug === '/' ? '/' : slug + file;
  if (template.slug === '/')
    return slug + (isIndex(target) && target.slug !== '/' ? '/' : '') || '/';
  if (isIndex(template) === isIndex(target)) return slug + style || '/';
  return slug + (isIndex(target) ? '/' : '') || '/';
}

/** The folder that `<base href>` gives to relative addresses; undefined if the page has none. */
function baseOf(page: HtmlDocument, here: string): string | undefined {
  const href = baseHref(page);
  return href === undefined
    ? undefined
    : folderOf(absolutePath(here, parseReference(href).path || '/'));
}

/**
 * Reads the site's address from an address of the page itself: canonical link, `og:url`, or else a
 * JSON-LD address with the page's path at its end.
 */
function findHome(page: Page): Home | undefined {
  const { slug } = page.file;
  const stated = page.elements
    .filter(isOwnAddress)
    .map((e) => attributeOf(e, 'href') ?? attributeOf(e, 'content') ?? '');
  for (const url of stated) {
    const home = homeOf(url, slug);
    if (home) return home;
  }
  for (const { value } of page.elements.flatMap((element) => leavesOf(page, element))) {
    if (slug === '/' || typeof value !== 'string') continue;
    const home = homeOf(value, slug);
    if (home && slugOfUrl(parseReference(value).path).endsWith(slug)) return home;
  }
  return undefined;
}

function isOwnAddress(element: Element): boolean {
  if (element.tagName === 'link') return hasToken(element, 'rel', 'canonical');
  return element.tagName === 'meta' && ['og:url', 'twitter:url'].includes(metaName(element));
}

function homeOf(url: string, slug: string): Home | undefined {
  const reference = parseReference(readUrl(url));
  const host = webHostOf(url);
  if (host === undefined) return undefined;
  const own = reference.path.slice(0, reference.path.length - endingOf(reference.path).length);
  if (slug === '/') return { host, prefix: own };
  const depth = slug.split('/').length - 1;
  const prefix = slugOfUrl(reference.path).endsWith(slug)
    ? own.split('/').slice(0, -depth).join('/')
    : '';
  return { host, prefix };
}

function webHostOf(text: string): string | undefined {
  const url = readUrl(text);
  return /^(?:https?:)?\/\//i.test(url) && !hasCode(url) ? plainHostOf(url) : undefined;
}
