import { withoutEnd } from '../../../contract/text.ts';
import type { Element } from '../document.ts';

/** How an attribute holds addresses: one, a list for several widths, or style rules. */
export type UrlSyntax = 'url' | 'srcset' | 'css';

const plain: Record<string, string> = {
  href: 'a area link image use feImage mpath textPath pattern linearGradient radialGradient filter script',
  'xlink:href': 'a image use feImage mpath textPath pattern linearGradient radialGradient filter script',
  src: 'img script iframe video audio source track embed input frame image',
  poster: 'video',
  action: 'form',
  formaction: 'button input',
  data: 'object',
  cite: 'blockquote q del ins',
  background: 'body table td th tr',
  longdesc: 'img iframe frame',
  manifest: 'html',
};
const elementsOf = new Map(Object.entries(plain).map(([name, elements]) => [name, new Set(elements.split(' '))]));

/** Attributes that scripts read: most hold addresses, so they are followed where a file of the site stands there. */
const lazy: Record<string, UrlSyntax> = {
  'data-src': 'url',
  'data-href': 'url',
  'data-bg': 'url',
  'data-background': 'url',
  'data-background-image': 'url',
  'data-poster': 'url',
  'data-srcset': 'srcset',
};

/** `sure` is false where only a file of the site tells that it is an address. */
export function urlSyntax(element: Element, name: string): { syntax: UrlSyntax; sure: boolean } | undefined {
  if (name === 'style') return { syntax: 'css', sure: true };
  if (name === 'srcset' || name === 'imagesrcset') return { syntax: 'srcset', sure: true };
  if (elementsOf.get(name)?.has(element.tagName)) return { syntax: 'url', sure: true };
  return lazy[name] && { syntax: lazy[name], sure: false };
}

/** Replaces each address of a value, leaving every other character of it. */
export function mapUrls(value: string, syntax: UrlSyntax, map: (url: string) => string): string {
  if (syntax === 'css') return mapCss(value, map);
  if (syntax === 'srcset') return mapSrcset(value, map);
  return value.replace(/[^ \t\n\f\r].*[^ \t\n\f\r]|[^ \t\n\f\r]/s, map);
}

/**
 * HTML standard, "parsing a srcset attribute": a candidate is an address and, up to the next comma, its descriptors.
 * Read piece by piece, since one pattern for all would take cubic time for a row of commas.
 */
function mapSrcset(value: string, map: (url: string) => string): string {
  const start = /([\s,]*)(\S*)/y;
  const descriptors = /[^,(]*(?:\([^)]*(?:\)|$)[^,(]*)*/y;
  let result = '';
  while (start.lastIndex < value.length) {
    const [all = '', lead = '', text = ''] = start.exec(value) ?? [];
    const url = withoutEnd(text, ',');
    descriptors.lastIndex = start.lastIndex;
    const [rest = ''] = url === text ? (descriptors.exec(value) ?? []) : [];
    result += lead + (url && map(url)) + all.slice(lead.length + url.length) + rest;
    start.lastIndex += rest.length;
  }
  return result;
}

/** The content of a `meta` that leads elsewhere after some seconds. */
export const mapRefresh = (content: string, map: (url: string) => string) =>
  content.replace(
    /^(\s*[\d.]+(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?['"]?)([^'"\s]+)/i,
    (_, head: string, url: string) => head + map(url),
  );

/** CSS `url()`, quoted or not, and `@import` with a string. */
export const mapCss = (css: string, map: (url: string) => string) =>
  css.replace(
    /(\burl\(\s*|@import\s+)(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+(?=\s*\))))/gi,
    (all, head: string, double?: string, single?: string, bare?: string) => {
      const url = double ?? single ?? bare ?? '';
      return map(url) === url ? all : head + all.slice(head.length).replace(url, () => map(url));
    },
  );
