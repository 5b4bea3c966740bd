import { attributeName, childText, metaName, tokensOf, type Element } from '../document.ts';
import { cssAddresses } from '../../../styles/cssAddresses.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import type { Page } from '../openPage.ts';
import { imageMeta, mapRefresh, mapUrls, ownMeta, urlSyntax } from '../links/urlAttributes.ts';
import type { Address } from '../../../checks/originOf.ts';
import { readUrl } from '../../../pages/urlHosts.ts';
import { holdsWords, isRefresh, mentionsIn } from './mentions.ts';
import { spotOf } from './spotOf.ts';
import type { Spot } from '../../faults.ts';

/** An address in a page. */
export interface Reference extends Address {
  /**
   * True if it is certainly an address. Another text counts as one only if it leads to a file of
   * the site.
   */
  sure: boolean;
  spot: Spot;
}

/** Every address in an element's attributes and style rules. */
export const referencesIn = (element: Element): Reference[] => [
  ...element.attrs.flatMap((attribute) =>
    inAttribute(element, attributeName(attribute), attribute.value),
  ),
  ...(element.tagName === 'style' ? inStyles(childText(element), spotOf(element)) : []),
];

/** Paths, relative to the site's root, of the files of the site that a page refers to. */
export function filesOf(page: Page): string[] {
  const { fileOf } = addressesOf(page);
  return [...new Set(page.elements.flatMap(referencesIn).map(({ url }) => fileOf(url)))];
}

function inAttribute(element: Element, name: string, value: string): Reference[] {
  const spot = spotOf(element, name);
  const make =
    (kind: Reference['kind'], sure = true) =>
    (url: string) => ({ url: readUrl(url), sure, kind, spot });
  const mention = (url: string) => ({ ...make('mention')(url), sure: false });
  if (element.tagName === 'meta' && name === 'content')
    return inMeta(element, value).map(make('load'));
  if (element.tagName === 'base' && name === 'href') return [make('base')(value)];
  const found = urlSyntax(element, name);
  if (found?.syntax === 'css') return inStyles(value, spot);
  const isLoaded = found !== undefined && (found.sure || lazy.test(name));
  const urls = isLoaded ? urlsIn((collect) => mapUrls(value, found.syntax, collect)) : [];
  const loaded = urls.map(make(kindOf(element, name), found?.sure));
  if (found?.sure || holdsWords(element, name)) return loaded;
  return [...loaded, ...mentionsIn(value).map(mention)];
}

/** Attributes from which scripts load pictures, most often. */
const lazy = /^data-(?:src|srcset|href|bg|background|background-image|poster)$/;
const media = new Set('img image feImage input source video audio track'.split(' '));
const icons = ['icon', 'shortcut', 'apple-touch-icon', 'apple-touch-icon-precomposed', 'mask-icon'];
/** Whether a `link` element only names an icon. */
function isIcon(element: Element): boolean {
  const words = element.tagName === 'link' ? tokensOf(element, 'rel') : [];
  return words.length > 0 && words.every((word) => icons.includes(word.toLowerCase()));
}

function kindOf(element: Element, name: string): Reference['kind'] {
  const { tagName } = element;
  const isHref = name === 'href' || name === 'xlink:href';
  if (name === 'cite' || (isHref && (tagName === 'a' || tagName === 'area'))) return 'link';
  const isMedia = media.has(tagName) && (isHref || name === 'src');
  return isMedia || isIcon(element) || /srcset$|^(data-.*|background|poster)$/.test(name)
    ? 'load'
    : 'embed';
}

function inMeta(meta: Element, value: string): string[] {
  const name = metaName(meta);
  if (ownMeta.has(name) || imageMeta.test(name)) return [value];
  return isRefresh(meta) ? urlsIn((collect) => mapRefresh(value, collect)) : [];
}

const kinds = { file: 'load', 'style sheet': 'embed', text: 'mention' } as const;

const inStyles = (css: string, spot: Spot): Reference[] =>
  cssAddresses(css).map(({ url, kind }) => ({
    url: readUrl(url),
    sure: kind !== 'text',
    kind: kinds[kind],
    spot,
  }));

/** Collects the addresses that a replacing function visits. */
function urlsIn(replace: (collect: (url: string) => string) => unknown): string[] {
  const urls: string[] = [];
  replace((url) => {
    urls.push(url);
    return url;
  });
  return urls;
}
