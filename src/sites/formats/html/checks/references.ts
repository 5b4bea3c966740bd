import { childText, hasOnlyTokens, metaName, type Element } from '../document.ts';
import { cssAddresses } from '../../../styles/cssAddresses.ts';
import { imageMeta, ownMeta } from '../links/relocate.ts';
import { mapRefresh, mapUrls, urlSyntax } from '../links/urlAttributes.ts';
import { hostOf, readUrl } from '../../../pages/hosts.ts';
import { holdsWords, isRefresh, mentionsIn } from './mentions.ts';
import { spotOf, type Spot } from './spot.ts';

/** An address in a page. */
export interface Reference {
  /** As browsers read it: without the white space and the backslashes that they mend. */
  url: string;
  /** Whether it surely is an address: other texts count as one only where a file of the site stands there. */
  sure: boolean;
  /**
   * Visitors follow a link. A load is an image, a sound or a font; an embed is anything that may load more, or run. A
   * base is only where others begin. A mention is a text that a script may take for the address of another host.
   */
  kind: 'link' | 'load' | 'embed' | 'base' | 'mention';
  spot: Spot;
}

/** Every address in an element's attributes and style rules. */
export const referencesIn = (element: Element): Reference[] => [
  ...element.attrs.flatMap(({ name, prefix, value }) =>
    inAttribute(element, prefix ? `${prefix}:${name}` : name, value),
  ),
  ...(element.tagName === 'style' ? inStyles(childText(element), spotOf(element)) : []),
];

function inAttribute(element: Element, name: string, value: string): Reference[] {
  const spot = spotOf(element, name);
  const make =
    (kind: Reference['kind'], sure = true) =>
    (url: string) => ({ url: readUrl(url), sure, kind, spot });
  if (element.tagName === 'meta' && name === 'content') return inMeta(element, value).map(make('load'));
  if (element.tagName === 'base' && name === 'href') return [make('base')(value)];
  const found = urlSyntax(element, name);
  if (found?.syntax === 'css') return inStyles(value, spot);
  const urls = found ? urlsIn((collect) => mapUrls(value, found.syntax, collect)) : [];
  const sure = urls.map(make(kindOf(element, name), found?.sure));
  if (found?.sure || holdsWords(element, name)) return sure;
  return [...sure, ...mentionsIn(value).map(make('mention', false))];
}

const media = new Set('img image feImage input source video audio track'.split(' '));
const icons = ['icon', 'shortcut', 'apple-touch-icon', 'apple-touch-icon-precomposed', 'mask-icon'];

function kindOf(element: Element, name: string): Reference['kind'] {
  const { tagName } = element;
  const isHref = name === 'href' || name === 'xlink:href';
  if (name === 'cite' || (isHref && (tagName === 'a' || tagName === 'area'))) return 'link';
  const isMedia = media.has(tagName) && (isHref || name === 'src');
  const isIcon = tagName === 'link' && hasOnlyTokens(element, 'rel', icons);
  return isMedia || isIcon || /srcset$|^(data-.*|background|poster)$/.test(name) ? 'load' : 'embed';
}

function inMeta(meta: Element, value: string): string[] {
  const name = metaName(meta);
  if (ownMeta.has(name) || imageMeta.test(name)) return [value];
  return isRefresh(meta) ? urlsIn((collect) => mapRefresh(value, collect)) : [];
}

const kinds = { file: 'load', 'style sheet': 'embed', text: 'mention' } as const;

const inStyles = (css: string, spot: Spot): Reference[] =>
  cssAddresses(css).map(({ url, kind }) => ({ url: readUrl(url), sure: kind !== 'text', kind: kinds[kind], spot }));

/** The addresses that a function which replaces them comes by. */
function urlsIn(replace: (collect: (url: string) => string) => unknown): string[] {
  const urls: string[] = [];
  replace((url) => {
    urls.push(url);
    return url;
  });
  return urls;
}

const asksNobody = /^(mailto|tel|sms|about|blob|javascript|vbscript):/i;
const isMedium = /^data:(image|font|audio|video)\//i;

/**
 * Whom an address asks: `//host` of the web, `scheme:` of anything else; undefined for the site itself and what asks
 * nobody. A document in its own address, and an address of the web that we cannot read, are told apart by all of it.
 */
export function originOf({ url, kind }: Pick<Reference, 'url' | 'kind'>): string | undefined {
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(url) ?? [];
  const ofWeb = kind === 'link' ? /^https?:$/i : /^(?:https?|wss?|ftp):$/i;
  const isOfWeb = scheme === undefined ? url.startsWith('//') : ofWeb.test(scheme);
  if (isOfWeb) return hostOf(url) ?? (kind === 'mention' ? undefined : url);
  if (scheme === undefined || kind === 'mention' || asksNobody.test(url)) return undefined;
  if (kind === 'load' && isMedium.test(url)) return undefined;
  return /^data:$/i.test(scheme) ? url : scheme.toLowerCase();
}
