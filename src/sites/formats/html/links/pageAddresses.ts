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
import { leavesOf } from '../slots/plainSlotPlaces.ts';
import { plainHostOf, readUrl } from '../../../pages/hosts.ts';
import {
  decode,
  endingOf,
  folderOf,
  joinReference,
  parseReference,
  relativePath,
} from '../../../pages/urls.ts';
import { absolutePath, slugOfUrl } from '../../../pages/urls.ts';

/** What the addresses in a template mean, and what they have to be in a page at another place. */
export interface Addresses {
  /** Whether an address names the template itself. */
  isSelf(url: string): boolean;
  /** The page of this site that an address names, undefined for one elsewhere. */
  slugOf(url: string): string | undefined;
  /**
   * The path from the site's root that an address leads to, as it is written there; undefined for
   * one elsewhere.
   */
  pathOf(url: string): string | undefined;
  /** The path below the site's root that an address names, '' for one elsewhere. */
  fileOf(url: string): string;
  /**
   * The address that leads from the new page to where `url` led from the template; to the new page
   * itself where `url` led to the template and `follow` is true.
   */
  move(url: string, follow: boolean): string;
  /**
   * `url`, or where it leads to the page `from`, the address of the page `to` in the same style.
   */
  follow(url: string, from: PageFile, to: PageFile): string;
  /**
   * The address of a page or file of this site with a query and fragment, written as `url` is, from
   * the root where `url` leads elsewhere.
   */
  to(url: string, target: SiteTarget): string;
  /** The new page's own address, written as `url` writes the template's. */
  own(url: string): string;
  /** The new page's `<base href>`. */
  moveBase(url: string): string;
}

/**
 * The site's own web address as the template states it: `//host`, and the folder that the site lies
 * in, '' for none.
 */
interface Home {
  host: string;
  prefix: string;
}

/**
 * `www.example.com/en`: where a page says that its site is. undefined where it says nothing of it.
 */
export function homeIn(page: HtmlDocument, slug: string): string | undefined {
  const home = findHome(page, slug);
  return home && home.host.slice(2) + home.prefix;
}

export function addressesOf(
  page: HtmlDocument,
  { template, target }: { template: PageFile; target: PageFile },
): Addresses {
  const home = findHome(page, template.slug);
  const here = folderOf(`/${template.path}`);
  const there = folderOf(`/${target.path}`);
  const base = baseOf(page, here);
  const places = { from: base ?? here, to: base ?? there };
  const follows = (path: string) => ownPath(path, template, target);

  const pathOf = (url: string): string | undefined => {
    const reference = parseReference(readUrl(url));
    if (reference.authority) {
      if (
        !home ||
        webHostOf(url) !== home.host ||
        !`${reference.path}/`.startsWith(`${home.prefix}/`)
      )
        return undefined;
      return reference.path.slice(home.prefix.length) || '/';
    }
    if (reference.scheme || reference.path === '') return undefined;
    return absolutePath(places.from, reference.path);
  };
  const slugOf = (url: string) => {
    const path = pathOf(url);
    return path === undefined ? undefined : slugOfUrl(path);
  };

  return {
    pathOf,
    slugOf,
    isSelf: (url) => slugOf(url) === template.slug,
    fileOf: (url) => decode(pathOf(url) ?? '').slice(1),
    moveBase: (url) =>
      parseReference(url).authority
        ? url
        : moved(url, absolutePath(here, parseReference(url).path), there),
    move(url, follow) {
      const path = pathOf(url);
      if (path === undefined) return url;
      const leadsTo = follow && slugOfUrl(path) === template.slug ? follows(path) : path;
      if (leadsTo === path && places.from === places.to) return url;
      return moved(url, leadsTo, places.to, home);
    },
    follow(url, from, to) {
      const path = pathOf(url);
      if (path === undefined || slugOfUrl(path) !== from.slug) return url;
      return moved(url, ownPath(path, from, to), places.to, home);
    },
    to(url, { path, slug, query, fragment }) {
      const known = pathOf(url);
      const isFileStyle = slug === null || (known !== undefined && endingOf(known).includes('.'));
      const leadsTo = isFileStyle ? encodePath(`/${path}`) : finalPath({ path, slug });
      return moved(known === undefined ? '/' : url, leadsTo, places.to, home, { query, fragment });
    },
    own(url) {
      const reference = parseReference(url);
      const path = pathOf(url);
      const known = path !== undefined && slugOfUrl(path) === template.slug ? path : undefined;
      const leadsTo = follows(
        known ?? `${template.slug}${reference.path === '/' ? '' : endingOf(reference.path)}`,
      );
      return moved(url, leadsTo, places.to, home, { query: '' });
    },
  };
}

/**
 * `url` with another path, in its own style: with the host, from the root, or relative to `folder`.
 */
function moved(
  url: string,
  path: string,
  folder: string,
  home?: Home,
  changes: { query?: string; fragment?: string } = {},
): string {
  const reference = parseReference(url);
  const isRelative = !reference.authority && !reference.path.startsWith('/');
  const prefix = reference.authority ? (home?.prefix ?? '') : '';
  const relative = isRelative ? relativePath(folder, path) : '';
  const keepsDot = reference.path.startsWith('./') && !relative.startsWith('.');
  return joinReference({
    ...reference,
    ...changes,
    path: isRelative ? (keepsDot ? './' : '') + relative : prefix + path,
  });
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
function findHome(page: HtmlDocument, slug: string): Home | undefined {
  const elements = [...page.numbers.keys()];
  const stated = elements
    .filter(isOwnAddress)
    .map((e) => attributeOf(e, 'href') ?? attributeOf(e, 'content') ?? '');
  for (const url of stated) {
    const home = homeOf(url, slug);
    if (home) return home;
  }
  for (const { value } of elements.flatMap((element) => leavesOf(page, element))) {
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
