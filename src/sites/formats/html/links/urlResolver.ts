import type { SiteTarget } from '../../changes.ts';
import type { PageFile } from '../../../../contract/site.ts';
import {
  attributeOf,
  baseHref,
  hasToken,
  metaName,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { trimEndCharacters } from '../../../../contract/text/summaries.ts';
import { readJsonLeaves } from '../slots/plainSlotPlaces.ts';
import { hasTemplateCode } from '../templateCode.ts';
import { plainHostOf, readUrl } from '../../../pages/urls/urlHosts.ts';
import {
  absolutePath,
  applyPathStyle,
  decodeUrlPart,
  encodeUrlPath,
  urlEnding,
  urlFolder,
  joinReference,
  parseReference,
  slugOfUrl,
} from '../../../pages/urls/urls.ts';

/**
 * Links and other URLs of a page. `createUrlResolver` tells where a URL of a page leads, and writes
 * one for another place in the same style. The other files use it:
 *
 * - `urlAttributes.ts` knows which attributes hold URLs; `pageLinks.ts` lists and changes links and
 *   images.
 * - `relocate.ts` updates the URLs of a page that is copied or moved, and of pages that link to it.
 * - `followContacts.ts` updates telephone and e-mail links; `duplicateLinks.ts` finds links that a
 *   list has twice.
 *
 * For `locations/austin.html`, the URL `../about` has the slug `/about`. If the page moves to
 * `austin.html`, `move` gives `about`. For a link `austin` of the page to itself, `move` gives
 * `locations/austin`, the old place, and `moveOrFollowPage` gives `austin`, the new one.
 */

/** Resolves the URLs in a page, and rewrites them for another path of the page. */
export interface UrlResolver {
  /** Whether a URL names the page itself. */
  isSelf: (url: string) => boolean;
  /** The slug of the page that a URL leads to; undefined for a URL outside of the site. */
  slugOf: (url: string) => string | undefined;
  /** Slug of the page of this site that a link leads to; undefined for other links. */
  slugOfLink: (link: PageElement) => string | undefined;
  /** The path from the site's root, not decoded; undefined for a URL outside of the site. */
  pathOf: (url: string) => string | undefined;
  /** The decoded path relative to the site's root; '' for a URL outside of the site. */
  fileOf: (url: string) => string;
  /** The URL that leads from the page's new place to where `url` leads from the old one. */
  move: (url: string) => string;
  /** Like `move`, but a URL of the page itself becomes the URL of its new place. */
  moveOrFollowPage: (url: string) => string;
  /** `url`; but if it leads to the page `from`, the URL of the page `to` in the same style. */
  follow: (url: string, move: { from: PageFile; to: PageFile }) => string;
  /**
   * The URL of a page or file of this site, with query and fragment, in the style of `url`. If
   * `url` leads out of the site, the URL starts at the root.
   */
  urlTo: (url: string, target: SiteTarget) => string;
  /** The URL of the page's new place, in the style of `url`. */
  ownUrl: (url: string) => string;
  /**
   * Replaces the URLs of the site in a text, and paths in the queries of other URLs. They may be
   * encoded for a query (`https%3A%2F%2F…`) or for JSON (`https:\/\/…`).
   */
  inText: (text: string, map: (url: string) => string) => string;
  /** The value of `<base href>` for the new place. */
  moveBase: (url: string) => string;
}

/** The site's web address as a page states it: `//host`, and its folder ('' for none). */
interface SiteHome {
  host: string;
  prefix: string;
}

/** A host's name. With and without `www.` it is the same site. */
const bareName = (host = '') => host.replace(/^\/\/(?:www\.)?/, '');

/** The site's address as a page states it: `www.example.com/en`; undefined if it states none. */
export function readSiteHome(page: HtmlPage): string | undefined {
  const home = findHome(page);
  return home && home.host.slice(2) + home.prefix;
}

/**
 * Makes the resolver of a page's URLs.
 * @param target the page's new path; by default it stays
 */
export function createUrlResolver(page: HtmlPage, target = page.file): UrlResolver {
  const { file } = page;
  const home = findHome(page);
  const currentFolder = urlFolder(`/${file.path}`);
  const targetFolder = urlFolder(`/${target.path}`);
  const baseFolder = readBaseFolder(page, currentFolder);
  const baseFolders = { from: baseFolder ?? currentFolder, to: baseFolder ?? targetFolder };

  /** `url` with another path, in the style of `url`: with the host, from the root, or relative. */
  function writeUrl(
    url: string,
    path: string,
    changes: { query?: string; fragment?: string } = {},
  ) {
    const reference = parseReference(url);
    if (reference.authority)
      return joinReference({ ...reference, ...changes, path: (home?.prefix ?? '') + path });
    return joinReference({
      ...reference,
      ...changes,
      path: applyPathStyle(reference.path, path, baseFolders.to),
    });
  }

  const pathOf = (url: string): string | undefined => {
    const reference = parseReference(readUrl(url));
    if (reference.authority) {
      const isOnSite =
        home &&
        bareName(readWebHost(url)) === bareName(home.host) &&
        `${reference.path}/`.startsWith(`${home.prefix}/`);
      return isOnSite ? reference.path.slice(home.prefix.length) || '/' : undefined;
    }
    if (reference.scheme || reference.path === '' || hasTemplateCode(url)) return undefined;
    return absolutePath(baseFolders.from, reference.path);
  };
  const slugOf = (url: string) => {
    const path = pathOf(url);
    return path === undefined ? undefined : slugOfUrl(path);
  };
  const move = (url: string, targetPath = pathOf(url)) =>
    targetPath === undefined || (targetPath === pathOf(url) && baseFolders.from === baseFolders.to)
      ? url
      : writeUrl(url, targetPath);

  return {
    pathOf,
    slugOf,
    slugOfLink: (link) => slugOf(attributeOf(link, 'href') ?? ''),
    isSelf: (url) => slugOf(url) === file.slug,
    fileOf: (url) => decodeUrlPart(pathOf(url) ?? '').slice(1),
    moveBase(url) {
      const reference = parseReference(url);
      if (reference.authority) return url;
      const path = applyPathStyle(
        reference.path,
        absolutePath(currentFolder, reference.path),
        targetFolder,
      );
      return joinReference({ ...reference, path });
    },
    move: (url) => move(url),
    moveOrFollowPage: (url) =>
      slugOf(url) === file.slug ? move(url, createOwnPath(pathOf(url)!, file, target)) : move(url),
    follow: (url, { from, to }) =>
      slugOf(url) === from.slug ? writeUrl(url, createOwnPath(pathOf(url)!, from, to)) : url,
    urlTo(url, { path, slug, query, fragment }) {
      const knownPath = pathOf(url);
      const isFileStyle =
        slug === null || (knownPath !== undefined && urlEnding(knownPath).includes('.'));
      const targetPath = isFileStyle ? encodeUrlPath(`/${path}`) : finalPath({ path, slug });
      return writeUrl(knownPath === undefined ? '/' : url, targetPath, { query, fragment });
    },
    ownUrl(url) {
      const reference = parseReference(url);
      const path = pathOf(url);
      const knownPath = path !== undefined && slugOfUrl(path) === file.slug ? path : undefined;
      const ending = reference.path === '/' ? '' : urlEnding(reference.path);
      const targetPath = createOwnPath(knownPath ?? `${file.slug}${ending}`, file, target);
      return writeUrl(url, targetPath, { query: '' });
    },
    inText: home ? createTextUrlMapper(home.host) : (text) => text,
  };
}

/** A slash as it is, in JSON, or encoded for a query once or more often. */
const SLASH = String.raw`(?:\/|\\\/|%(?:25)*2F)`;
const ENCODED = '%(?:25)*(?!25|2F|3F|23|26|3D|22|27|5C|20)[0-9A-F]{2}';
const PATH = String.raw`(?:${SLASH}(?:[\p{L}\p{N}_.~-]|${ENCODED})*)+`;
const inQuery = new RegExp(`(?<==)${PATH}(?=$|[&#"'\\s])`, 'giu');

/** Finds the URLs of a host, also without a scheme: `www.example.com/about`. */
function createHostUrlPattern(host: string): RegExp {
  const name = bareName(host)
    .replace(/[.[\]]/g, '\\$&')
    .replaceAll(':', '(?::|%3A)');
  const scheme = `(?:(?:https?(?::|%(?:25)*3A))?${SLASH}${SLASH})?`;
  const before = String.raw`(?:(?<![\p{L}\p{N}.@_-])|(?<=%[0-9A-F]{2}))`;
  return new RegExp(`${before}(${scheme}(?:www\\.)?${name})(${PATH})`, 'giu');
}

/** See `UrlResolver.inText`. */
function createTextUrlMapper(host: string): UrlResolver['inText'] {
  const name = bareName(host);
  let pattern: RegExp | undefined;
  return (text, map) => {
    let result = text;
    if (text.toLowerCase().includes(name))
      result = text.replace(
        (pattern ??= createHostUrlPattern(host)),
        (_, head: string, path: string) => {
          const lead = `https://${name}`;
          return head + inSpelling(path, (plain) => map(lead + plain).slice(lead.length));
        },
      );
    return result.includes('=') ? result.replace(inQuery, (path) => inSpelling(path, map)) : result;
  };
}

/** The path that `map` gives for another one, encoded as that one is. */
function inSpelling(path: string, map: (path: string) => string): string {
  const [slash = ''] = /^(?:\\?\/|%(?:25)*2F)/i.exec(path) ?? [];
  const times = slash.startsWith('%') ? (slash.length - 1) / 2 : 0;
  const isJson = slash.startsWith('\\');
  let plain = trimEndCharacters(path, '.');
  const end = path.slice(plain.length);
  if (isJson) plain = plain.replaceAll('\\/', '/');
  for (let i = 0; i < times; i++) plain = decodeUrlPart(plain);
  let movedText = map(plain);
  if (movedText === plain) return path;
  for (let i = 0; i < times; i++) movedText = encodeURIComponent(movedText);
  return (isJson ? movedText.replaceAll('/', '\\/') : movedText) + end;
}

/** The URL path that a host finally serves a page at. An index page's path ends with a slash. */
const finalPath = (page: PageFile) =>
  page.slug === '/' ? '/' : encodeUrlPath(page.slug) + (isIndex(page) ? '/' : '');

const isIndex = ({ path }: PageFile) => /(^|\/)index\.html?$/i.test(path);

/**
 * The target's URL path. It has the same ending as the template's path if both files are of the
 * same kind.
 */
function createOwnPath(path: string, template: PageFile, target: PageFile): string {
  const slug = encodeURI(target.slug === '/' ? '' : target.slug);
  const [file] = /(\/index)?\.html?$/i.exec(`/${target.path}`) ?? [''];
  const ending = urlEnding(path);
  if (ending.includes('.')) return target.slug === '/' ? '/' : slug + file;
  if (template.slug === '/')
    return slug + (isIndex(target) && target.slug !== '/' ? '/' : '') || '/';
  if (isIndex(template) === isIndex(target)) return slug + ending || '/';
  return slug + (isIndex(target) ? '/' : '') || '/';
}

/** The folder that `<base href>` gives to relative URLs; undefined if the page has none. */
function readBaseFolder(page: HtmlDocument, currentFolder: string): string | undefined {
  const href = baseHref(page);
  return href === undefined
    ? undefined
    : urlFolder(absolutePath(currentFolder, parseReference(href).path || '/'));
}

/**
 * Reads the site's URL from a URL of the page itself: canonical link, `og:url`, or else a JSON-LD
 * URL with the page's path at its end.
 */
function findHome(page: HtmlPage): SiteHome | undefined {
  const { slug } = page.file;
  const statedUrls = page.elements
    .filter(statesOwnUrl)
    .map((element) => attributeOf(element, 'href') ?? attributeOf(element, 'content') ?? '');
  for (const url of statedUrls) {
    const home = parseSiteHome(url, slug);
    if (home) return home;
  }
  for (const { value } of page.elements.flatMap((element) => readJsonLeaves(page, element))) {
    if (slug === '/' || typeof value !== 'string') continue;
    const home = parseSiteHome(value, slug);
    if (home && slugOfUrl(parseReference(value).path).endsWith(slug)) return home;
  }
  return undefined;
}

function statesOwnUrl(element: PageElement): boolean {
  if (element.tagName === 'link') return hasToken(element, 'rel', 'canonical');
  return element.tagName === 'meta' && ['og:url', 'twitter:url'].includes(metaName(element));
}

function parseSiteHome(url: string, slug: string): SiteHome | undefined {
  const reference = parseReference(readUrl(url));
  const host = readWebHost(url);
  if (host === undefined) return undefined;
  const pathWithoutEnding = reference.path.slice(
    0,
    reference.path.length - urlEnding(reference.path).length,
  );
  if (slug === '/') return { host, prefix: pathWithoutEnding };
  const depth = slug.split('/').length - 1;
  const prefix = slugOfUrl(reference.path).endsWith(slug)
    ? pathWithoutEnding.split('/').slice(0, -depth).join('/')
    : '';
  return { host, prefix };
}

function readWebHost(text: string): string | undefined {
  const url = readUrl(text);
  return /^(?:https?:)?\/\//i.test(url) && !hasTemplateCode(url) ? plainHostOf(url) : undefined;
}
