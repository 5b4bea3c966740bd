import { trimEndCharacters } from '../../../../contract/text/summaries.ts';
import { attributeOf, type PageElement } from '../document.ts';
import { textAttributesOf } from '../roles.ts';
import { mapCssUrls } from '../../../styles/cssAddresses.ts';

/**
 * Which attributes hold URLs, and how to replace the URLs in their values. For `srcset`,
 * `urlSyntax` gives `{ syntax: 'srcset', isCertain: true }`, and `mapUrls` calls its function with
 * `a.png` and `b.png` for the value `a.png 1x, b.png 2x`.
 */

/**
 * How an attribute holds URLs: a single one (`url`), several separated by spaces (`spaced`) or
 * semicolons (`steps`), in style rules (`css`), or among other words that a script reads (`words`).
 */
export type UrlSyntax = 'url' | 'srcset' | 'spaced' | 'steps' | 'css' | 'words';

const elementNamesByAttribute: Record<string, string> = {
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
const elementsByAttribute = new Map(
  Object.entries(elementNamesByAttribute).map(([name, elements]) => [
    name,
    new Set(elements.split(' ')),
  ]),
);

/** Attributes that hold URLs on any element. */
const globalAttributes = new Map<string, UrlSyntax>([
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

/** Attributes of SVG animations. They hold URLs if the animated attribute does. */
const animationAttributes = new Map<string, UrlSyntax>([
  ['from', 'url'],
  ['to', 'url'],
  ['by', 'url'],
  ['values', 'steps'],
]);
const animatesUrl = (element: PageElement) =>
  /^(xlink:)?href$/i.test((attributeOf(element, 'attributeName') ?? '').trim());

/** Attributes of HTML with names or settings: they hold no URL and no text. */
const settingAttributes = new Set(
  'class id name for type rel lang hreflang dir role target method enctype media sizes slot part is list form headers itemprop itemtype itemref typeof property prefix datatype xmlns charset http-equiv autocomplete loading decoding crossorigin integrity referrerpolicy shadowrootmode width height colspan rowspan datetime pattern accept'.split(
    ' ',
  ),
);
/** Attributes with code, or with the ids of other elements. */
const isCodeOrIds =
  /^on|^srcdoc$|^xmlns:|^aria-(?!description|valuetext|roledescription|placeholder)/;

/**
 * Whether an attribute is open: its value may be anything that a script or form reads, as in
 * `data-city` or the `value` of a text field.
 */
export const isOpenAttribute = (element: PageElement, name: string): boolean =>
  !settingAttributes.has(name) &&
  !isCodeOrIds.test(name) &&
  !textAttributesOf(element).some(([textAttribute]) => textAttribute === name) &&
  syntaxOf(element, name) === undefined;

function syntaxOf(element: PageElement, name: string): UrlSyntax | undefined {
  if (elementsByAttribute.get(name)?.has(element.tagName)) return 'url';
  return (
    globalAttributes.get(name) ?? (animatesUrl(element) ? animationAttributes.get(name) : undefined)
  );
}

/**
 * How an attribute holds URLs; undefined if it holds none. `isCertain` is false for an open
 * attribute, in which a word counts as a URL only if it leads to a file of the site
 * (`data-src="shop.png"`), or begins with dots or a slash.
 */
export function urlSyntax(
  element: PageElement,
  name: string,
): { syntax: UrlSyntax; isCertain: boolean } | undefined {
  const syntax = syntaxOf(element, name);
  if (syntax) return { syntax, isCertain: true };
  return isOpenAttribute(element, name) ? { syntax: 'words', isCertain: false } : undefined;
}

/** The names of `meta` elements with the page's own URL. */
export const ownUrlMetaNames = new Set(['og:url', 'twitter:url']);
/** Matches the names of `meta` elements with the URL of a picture, video or sound. */
export const mediaUrlMetaName =
  /^(og|twitter):(image|video|audio)(:url|:secure_url|:src)?$|^msapplication-(tileimage|config|square\w+|wide\w+)$/;

/** Matches a name and its value in the query of a URL. */
export const queryValuePattern = /([?&][^=?&#]*=)([^&#]+)/g;

/** Replaces each URL in a value and keeps all other characters. */
export function mapUrls(value: string, syntax: UrlSyntax, map: (url: string) => string): string {
  if (syntax === 'css') return mapCssUrls(value, map);
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

/** Replaces a value that is a URL as a whole, else each of its words. */
function mapWords(value: string, map: (url: string) => string): string {
  const movedValue = mapUrls(value, 'url', map);
  if (movedValue !== value || !/[\s"'`,;=()[\]{}<>|]/.test(value.trim())) return movedValue;
  return value.replace(/[^\s"'`,;=()[\]{}<>|]+/g, (word) => {
    // JSON may write `\/` for a slash
    if (!word.includes('\\/')) return map(word);
    return map(word.replaceAll('\\/', '/')).replaceAll('/', '\\/');
  });
}

/**
 * Replaces the URLs in a `srcset` (HTML standard, "parsing a srcset attribute"). Each candidate is
 * a URL and, up to the next comma, its descriptors. The value is read piece by piece, since one
 * pattern for all would take cubic time for a row of commas.
 */
function mapSrcset(value: string, map: (url: string) => string): string {
  const start = /([ \t\n\f\r,]*)([^ \t\n\f\r]*)/y;
  const descriptors = /[^,(]*(?:\([^)]*(?:\)|$)[^,(]*)*/y;
  let result = '';
  while (start.lastIndex < value.length) {
    const [candidate = '', lead = '', text = ''] = start.exec(value) ?? [];
    const url = trimEndCharacters(text, ',');
    descriptors.lastIndex = start.lastIndex;
    const [descriptor = ''] = url === text ? (descriptors.exec(value) ?? []) : [];
    result += lead + (url && map(url)) + candidate.slice(lead.length + url.length) + descriptor;
    start.lastIndex += descriptor.length;
  }
  return result;
}

/**
 * Replaces the URL in the content of a `meta` refresh (HTML standard, "shared declarative refresh
 * steps").
 */
export function mapRefresh(content: string, map: (url: string) => string): string {
  const trimmed = content.trimStart();
  const [head, quote = ''] =
    /^[^\s;,]*(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(['"]?)/i.exec(trimmed) ?? [];
  if (head === undefined) return content;
  const rest = trimmed.slice(head.length);
  const end = quote === '' ? -1 : rest.indexOf(quote);
  const url = end < 0 ? rest : rest.slice(0, end);
  return (
    content.slice(0, content.length - rest.length) +
    mapUrls(url, 'url', map) +
    rest.slice(url.length)
  );
}
