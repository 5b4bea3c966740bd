import { withoutEnd } from '../../../../contract/text.ts';
import { attributeOf, type Element } from '../document.ts';
import { mapCss } from '../../../styles/cssAddresses.ts';

/**
 * How an attribute holds addresses: a single one, several separated by spaces or semicolons, or in
 * style rules.
 */
export type UrlSyntax = 'url' | 'srcset' | 'spaced' | 'steps' | 'css';

const plain: Record<string, string> = {
  href: 'a area link image use feImage mpath textPath pattern linearGradient radialGradient filter script',
  'xlink:href':
    'a image use feImage mpath textPath pattern linearGradient radialGradient filter script',
  src: 'img script iframe video audio source track embed input frame image',
  poster: 'video',
  action: 'form',
  formaction: 'button input',
  data: 'object',
  cite: 'blockquote q del ins',
  background: 'body table thead tbody tfoot td th tr',
  dynsrc: 'img',
  lowsrc: 'img',
  longdesc: 'img iframe frame',
  manifest: 'html',
};
const elementsOf = new Map(
  Object.entries(plain).map(([name, elements]) => [name, new Set(elements.split(' '))]),
);

/** Attributes that hold addresses on any element. */
const everywhere = new Map<string, UrlSyntax>([
  ['srcset', 'srcset'],
  ['imagesrcset', 'srcset'],
  ['ping', 'spaced'],
  ['attributionsrc', 'spaced'],
  ...'style fill stroke filter mask clip-path cursor marker-start marker-mid marker-end'
    .split(' ')
    .map((name) => [name, 'css'] as const),
]);

/** Attributes of SVG animations. They hold addresses if the animated attribute does. */
const steps = new Map<string, UrlSyntax>([
  ['from', 'url'],
  ['to', 'url'],
  ['by', 'url'],
  ['values', 'steps'],
]);
const animatesAddress = (element: Element) =>
  /^(xlink:)?href$/i.test((attributeOf(element, 'attributeName') ?? '').trim());

/**
 * Attributes that scripts read. Most hold addresses, so they are followed if their value names a
 * file of the site.
 */
const lazy = new Map<string, UrlSyntax>([
  ...'data-src data-href data-bg data-background data-background-image data-poster'
    .split(' ')
    .map((name) => [name, 'url'] as const),
  ['data-srcset', 'srcset'],
]);

/**
 * How an attribute holds addresses. `sure` is false if its value is only an address when it names a
 * file of the site.
 */
export function urlSyntax(
  element: Element,
  name: string,
): { syntax: UrlSyntax; sure: boolean } | undefined {
  if (elementsOf.get(name)?.has(element.tagName)) return { syntax: 'url', sure: true };
  const known = everywhere.get(name) ?? (animatesAddress(element) ? steps.get(name) : undefined);
  if (known) return { syntax: known, sure: true };
  const syntax = lazy.get(name);
  return syntax && { syntax, sure: false };
}

/** Replaces each address in a value and keeps all other characters. */
export function mapUrls(value: string, syntax: UrlSyntax, map: (url: string) => string): string {
  if (syntax === 'css') return mapCss(value, map);
  if (syntax === 'srcset') return mapSrcset(value, map);
  if (syntax === 'spaced') return value.replace(/[^ \t\n\f\r]+/g, map);
  if (syntax === 'steps')
    return value
      .split(';')
      .map((step) => mapUrls(step, 'url', map))
      .join(';');
  return value.replace(/[^ \t\n\f\r].*[^ \t\n\f\r]|[^ \t\n\f\r]/s, map);
}

/**
 * Replaces the addresses in a `srcset` (HTML standard, "parsing a srcset attribute"). Each
 * candidate is an address and, up to the next comma, its descriptors. The value is read piece by
 * piece, since one pattern for all would take cubic time for a row of commas.
 */
function mapSrcset(value: string, map: (url: string) => string): string {
  const start = /([ \t\n\f\r,]*)([^ \t\n\f\r]*)/y;
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

/**
 * Replaces the address in the content of a `meta` refresh (HTML standard, "shared declarative
 * refresh steps").
 */
export function mapRefresh(content: string, map: (url: string) => string): string {
  const given = content.trimStart();
  const [head, quote = ''] = /^[^\s;,]*(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(['"]?)/i.exec(given) ?? [];
  if (head === undefined) return content;
  const rest = given.slice(head.length);
  const end = quote === '' ? -1 : rest.indexOf(quote);
  const quoted = end < 0 ? rest : rest.slice(0, end);
  return (
    content.slice(0, content.length - rest.length) +
    mapUrls(quoted, 'url', map) +
    rest.slice(quoted.length)
  );
}
