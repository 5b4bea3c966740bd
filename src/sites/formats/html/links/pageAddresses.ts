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
import { leavesOf } from '../slots/plainSlotPlaces.ts';
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

/** What the addresses in a page mean, and what they have to be at another place. */
export interface Addresses {
  /** Whether an address names the page itself. */
  isSelf: (url: string) => boolean;
  /** The page of this site that an address names, undefined for one elsewhere. */
  slugOf: (url: string) => string | undefined;
  /** The page of this site that a link leads to. */
  slugOfLink: (link: Element) => string | undefined;
  /**
   * The path from the site's root that an address leads to, as it is written there; undefined for
   * one elsewhere.
   */
  pathOf: (url: string) => string | undefined;
  /** The path below the site's root that an address names, '' for one elsewhere. */
  fileOf: (url: string) => string;
  /** The address that leads from the new place to where `url` led. */
  move: (url: string) => string;
  /** The same, but where `url` led to the page itself, it leads to the new place. */
  moveAlong: (url: string) => string;
  /**
   * `url`, or where it leads to the page `from`, the address of the page `to` in the same style.
   */
  follow: (url: string, move: { from: PageFile; to: PageFile }) => string;
  /**
   * The address of a page or file of this site with a query and fragment, written as `url` is, from
   * the root where `url` leads elsewhere.
   */
  to: (url: string, target: SiteTarget) => string;
  /** The address of the new place, written as `url` writes that of the page. */
  own: (url: string) => string;
  /** The `<base href>` at the new place. */
  moveBase: (url: string) => string;
}

/**
 * The site's own web address as the page states it: `//host`, and the folder that the site lies
 * in, '' for none.
 */
interface Home {
  host: string;
  prefix: string;
}

/**
 * `www.example.com/en`: where a page says that its site is. undefined where it says nothing of it.
 */
export function homeIn(page: Page): string | undefined {
  const home = findHome(page);
  return home && home.host.slice(2) + home.prefix;
}

/** @param target where the page goes, if it does not stay */
export function addressesOf(page: Page, target = page.file): Addresses {
  const { file } = page;
  const home = findHome(page);
  const here = folderOf(`/${file.path}`);
  const there = folderOf(`/${target.path}`);
  const base = baseOf(page, here);
  const places = { from: base ?? here, to: base ?? there };

  /** `url` with another path, in its own style: with the host, from the root, or relative. */
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
        home && webHostOf(url) === home.host && `${reference.path}/`.startsWith(`${home.prefix}/`);
      return isHere ? reference.path.slice(home.prefix.length) || '/' : undefined;
    }
    if (reference.scheme || reference.path === '') return undefined;
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
  };
}

/** A path as another one is written: from the root, or relative to `folder`. */
function inStyle(style: string, path: string, folder: string): string {
  if (style.startsWith('/')) return path;
  const relative = relativePath(folder, path);
  return (style.startsWith('./') && !relative.startsWith('.') ? './' : '') + relative;
}

const encodePath = (path: string) => encodeURI(path).replace(/[?#]/g, encodeURIComponent);

/** Where a host leads visitors of a page in the end: a folder's page has a slash. */
const finalPath = (page: PageFile) =>
  page.slug === '/' ? '/' : encodePath(page.slug) + (isIndex(page) ? '/' : '');

const isIndex = ({ path }: PageFile) => /(^|\/)index\.html?$/.test(path);

/** The target's URL path, ended as the template's is where the two files are of one kind. */
function ownPath(path: string, template: PageFile, target: PageFile): string {
  const slug = encodeURI(target.slug === '/' ? '' : target.slug);
  const [file] = /(\/index)?\.html?$/.exec(`/${target.path}`) ?? [''];
  const style = endingOf(path);
  if (style.includes('.')) return target.slug === '/' ? '/' : slug + file;
  if (template.slug === '/')
    return slug + (isIndex(target) && target.slug !== '/' ? '/' : '') || '/';
  if (isIndex(template) === isIndex(target)) return slug + style || '/';
  return slug + (isIndex(target) ? '/' : '') || '/';
}

/**
 * The folder that relative addresses start from by `<base href>`, undefined where the page has
 * none.
 */
function baseOf(page: HtmlDocument, here: string): string | undefined {
  const href = baseHref(page);
  return href === undefined
    ? undefined
    : folderOf(absolutePath(here, parseReference(href).path || '/'));
}

/**
 * Reads the site's address from what names the page itself: canonical, `og:url`, or else a JSON-LD
 * address that ends as the page's does.
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
  return /^(?:https?:)?\/\//i.test(url) ? plainHostOf(url) : undefined;
}
