import { withoutEnd } from '../../../../contract/text.ts';
import { attributeOf, type Element } from '../document.ts';
import { readAttributes } from '../roles.ts';
import { mapCss } from '../../../styles/cssAddresses.ts';

/**
 * How an attribute holds addresses: a single one, several separated by spaces or semicolons, in
 * style rules, or among other words that a script reads.
 */
export type UrlSyntax = 'url' | 'srcset' | 'spaced' | 'steps' | 'css' | 'words';

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
  ...['get', 'post', 'put', 'patch', 'delete'].flatMap((method) =>
    ['hx', 'data-hx'].map((prefix) => [`${prefix}-${method}`, 'url'] as const),
  ),
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

/** Attributes of HTML with names or settings: they hold no address and no text. */
const settings = new Set(
  'class id name for type rel lang hreflang dir role target method enctype media sizes slot part is list form headers itemprop itemtype itemref typeof property prefix datatype xmlns charset http-equiv autocomplete loading decoding crossorigin integrity referrerpolicy shadowrootmode width height colspan rowspan datetime pattern accept'.split(
    ' ',
  ),
);
/** Attributes with code, or with the ids of other elements. */
const isCodeOrIds =
  /^on|^srcdoc$|^xmlns:|^aria-(?!description|valuetext|roledescription|placeholder)/;

/** Whether an attribute may hold any value, which scripts or forms read. */
export const isOpenAttribute = (element: Element, name: string): boolean =>
  !settings.has(name) &&
  !isCodeOrIds.test(name) &&
  !readAttributes(element).some(([own]) => own === name) &&
  syntaxOf(element, name) === undefined;

function syntaxOf(element: Element, name: string): UrlSyntax | undefined {
  if (elementsOf.get(name)?.has(element.tagName)) return 'url';
  return everywhere.get(name) ?? (animatesAddress(element) ? steps.get(name) : undefined);
}

/**
 * How an attribute holds addresses. `sure` is false if it may hold other values too: an address in
 * it leads to a file of the site (`data-src="shop.png"`), or begins with dots or a slash.
 */
export function urlSyntax(
  element: Element,
  name: string,
): { syntax: UrlSyntax; sure: boolean } | undefined {
  const syntax = syntaxOf(element, name);
  if (syntax) return { syntax, sure: true };
  return isOpenAttribute(element, name) ? { syntax: 'words', sure: false } : undefined;
}

/** `meta` elements with the page's own address, and with that of a picture. */
export const ownMeta = new Set(['og:url', 'twitter:url']);
export const imageMeta =
  /^(og|twitter):(image|video|audio)(:url|:secure_url|:src)?$|^msapplication-(tileimage|config|square\w+|wide\w+)$/;

/** A value in the query of an address, behind its name. */
export const queryValue = /([?&][^=?&#]*=)([^&#]+)/g;

/** Replaces each address in a value and keeps all other characters. */
export function mapUrls(value: string, syntax: UrlSyntax, map: (url: string) => string): string {
  if (syntax === 'css') return mapCss(value, map);
  if (syntax === 'srcset') return mapSrcset(value, map);
  if (syntax === 'spaced') return value.replace(/[^ \t\n\f\r]+/g, map);
  if (syntax === 'words') return mapWords(value, map);
  if (syntax === 'steps')
    return value
      .split(';')
      .map((step) => mapUrls(step, 'url', map))
      .join(';');
  return value.replace(/[^ \t\n\f\r].*[^ \t\n\f\r]|[^ \t\n\f\r]/s, map);
}

/** Replaces a value that is an address as a whole, else each of its words. */
function mapWords(value: string, map: (url: string) => string): string {
  const moved = mapUrls(value, 'url', map);
  if (moved !== value || !/[\s"'`,;=()[\]{}<>|]/.test(value.trim())) return moved;
  return value.replace(/[^\s"'`,;=()[\]{}<>|]+/g, (word) => {
    // JSON may write `\/` for a slash
    if (!word.includes('\\/')) return map(word);
    return map(word.replaceAll('\\/', '/')).replaceAll('/', '\\/');
  });
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
