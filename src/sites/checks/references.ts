import { attributeOf, isText, metaName, type Element } from '../html/document.ts';
import { mapCss, mapRefresh, mapUrls, urlSyntax } from '../html/links/urlAttributes.ts';
import { imageMeta, ownMeta } from '../html/links/relocate.ts';
import { spotOf, type Spot } from './spot.ts';

/** An address in a page. */
export interface Reference {
  /** As browsers read it: without the white space and the backslashes that they mend. */
  url: string;
  /** Whether it surely is an address: other texts count as one only where a file of the site stands there. */
  sure: boolean;
  /**
   * Visitors follow a link; other addresses are loaded, or tell programs of the page. A base is only where others
   * begin.
   */
  kind: 'link' | 'load' | 'base';
  spot: Spot;
}

/** Every address in an element's attributes and style rules. */
export const referencesIn = (element: Element): Reference[] => [
  ...element.attrs.flatMap(({ name, prefix, value }) =>
    inAttribute(element, prefix ? `${prefix}:${name}` : name, value),
  ),
  ...inStyles(element),
];

function inAttribute(element: Element, name: string, value: string): Reference[] {
  const spot = spotOf(element, name);
  const make =
    (kind: Reference['kind'], sure = true) =>
    (url: string) => ({ url: readUrl(url), sure, kind, spot });
  if (element.tagName === 'meta') return name === 'content' ? inMeta(element, value).map(make('load')) : [];
  if (element.tagName === 'base') return name === 'href' ? [make('base')(value)] : [];
  const found = urlSyntax(element, name);
  if (!found) return [];
  const isLink = name === 'href' && (element.tagName === 'a' || element.tagName === 'area');
  const urls = urlsIn((collect) => mapUrls(value, found.syntax, collect));
  return urls.map(make(isLink ? 'link' : 'load', found.sure));
}

function inMeta(meta: Element, value: string): string[] {
  const name = metaName(meta);
  if (ownMeta.has(name) || imageMeta.test(name)) return [value];
  const isRefresh = (attributeOf(meta, 'http-equiv') ?? '').toLowerCase() === 'refresh';
  return isRefresh ? urlsIn((collect) => mapRefresh(value, collect)) : [];
}

function inStyles(element: Element): Reference[] {
  const [css] = element.childNodes;
  if (element.tagName !== 'style' || !css || !isText(css)) return [];
  const spot = spotOf(element);
  return urlsIn((collect) => mapCss(css.value, collect)).map((url) => ({
    url: readUrl(url),
    sure: true,
    kind: 'load',
    spot,
  }));
}

/** The addresses that a function which replaces them comes by. */
function urlsIn(replace: (collect: (url: string) => string) => unknown): string[] {
  const urls: string[] = [];
  replace((url) => {
    urls.push(url);
    return url;
  });
  return urls;
}

/** An address as browsers read it (URL standard, "URL parsing"): tabs and line ends go, backslashes are slashes. */
export function readUrl(text: string): string {
  const url = withoutControls(text).replace(/[\t\n\r]/g, '');
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  return url.replace(/^[^?#]*/, (path) => path.replaceAll('\\', '/'));
}

/** Without spaces and control characters at its ends. A pattern would take quadratic time for spaces in the middle. */
function withoutControls(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

const harmless = /^(mailto|tel|sms|about|blob|javascript|vbscript):|^data:(image|font|audio|video)\//i;

/**
 * Whom an address asks: `//host` of the web, `scheme:` of anything else; undefined for the site itself and what asks
 * nobody.
 */
export function originOf(url: string): string | undefined {
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(url) ?? [];
  if (scheme === undefined) return url.startsWith('//') ? hostOf(`https:${url}`) : undefined;
  if (/^https?:$/i.test(scheme)) return hostOf(url);
  return harmless.test(url) ? undefined : scheme.toLowerCase();
}

function hostOf(url: string): string | undefined {
  const host = URL.parse(url)?.host;
  return host ? `//${host}` : undefined;
}
