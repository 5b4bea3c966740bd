import { attributeName, childText, metaName, tokensOf, type PageElement } from '../document.ts';
import { findCssUrls } from '../../../styles/cssAddresses.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import {
  mediaUrlMetaName,
  mapRefresh,
  mapUrls,
  ownUrlMetaNames,
  urlSyntax,
} from '../links/urlAttributes.ts';
import type { ReferencedUrl } from '../../../checks/referencedOrigin.ts';
import { readUrl } from '../../../pages/urls/urlHosts.ts';
import { isTextAttribute, isRefresh, findMentions } from './mentions.ts';
import { sourcePosition } from './sourcePosition.ts';
import type { SourcePosition } from '../../pageFindings.ts';

/** A URL in a page. */
export interface PageReference extends ReferencedUrl {
  /**
   * True if it is certainly a URL. Another text counts as one only if it leads to a file of the
   * site.
   */
  isCertain: boolean;
  spot: SourcePosition;
}

/** Every URL in an element's attributes and style rules. */
export const referencesIn = (element: PageElement): PageReference[] => [
  ...element.attrs.flatMap((attribute) =>
    referencesInAttribute(element, attributeName(attribute), attribute.value),
  ),
  ...(element.tagName === 'style'
    ? referencesInRules(childText(element), sourcePosition(element))
    : []),
];

/** Paths, relative to the site's root, of the files of the site that a page refers to. */
export function referencedFiles(page: HtmlPage): string[] {
  const { fileOf } = createUrlResolver(page);
  return [...new Set(page.elements.flatMap(referencesIn).map(({ url }) => fileOf(url)))];
}

function referencesInAttribute(element: PageElement, name: string, value: string): PageReference[] {
  const spot = sourcePosition(element, name);
  const createUrlReference =
    (kind: PageReference['kind'], isCertain = true) =>
    (url: string) => ({ url: readUrl(url), isCertain, kind, spot });
  const createMention = (url: string) => ({
    ...createUrlReference('mention')(url),
    isCertain: false,
  });
  if (element.tagName === 'meta' && name === 'content')
    return metaUrls(element, value).map(createUrlReference('load'));
  if (element.tagName === 'base' && name === 'href') return [createUrlReference('base')(value)];
  const urlFormat = urlSyntax(element, name);
  if (urlFormat?.syntax === 'css') return referencesInRules(value, spot);
  const isLoaded = urlFormat !== undefined && (urlFormat.isCertain || lazy.test(name));
  const urls = isLoaded ? collectUrls((collect) => mapUrls(value, urlFormat.syntax, collect)) : [];
  const loaded = urls.map(createUrlReference(referenceKind(element, name), urlFormat?.isCertain));
  if (urlFormat?.isCertain || isTextAttribute(element, name)) return loaded;
  return [...loaded, ...findMentions(value).map(createMention)];
}

/** Attributes from which scripts load pictures, most often. */
const lazy = /^data-(?:src|srcset|href|bg|background|background-image|poster)$/;
const mediaTags = new Set('img image feImage input source video audio track'.split(' '));
const iconRelations = [
  'icon',
  'shortcut',
  'apple-touch-icon',
  'apple-touch-icon-precomposed',
  'mask-icon',
];
/** Whether a `link` element only names an icon. */
function isIcon(element: PageElement): boolean {
  const words = element.tagName === 'link' ? tokensOf(element, 'rel') : [];
  return words.length > 0 && words.every((word) => iconRelations.includes(word.toLowerCase()));
}

function referenceKind(element: PageElement, name: string): PageReference['kind'] {
  const { tagName } = element;
  const isHref = name === 'href' || name === 'xlink:href';
  if (name === 'cite' || (isHref && (tagName === 'a' || tagName === 'area'))) return 'link';
  const isMedia = mediaTags.has(tagName) && (isHref || name === 'src');
  return isMedia || isIcon(element) || /srcset$|^(data-.*|background|poster)$/.test(name)
    ? 'load'
    : 'embed';
}

function metaUrls(meta: PageElement, value: string): string[] {
  const name = metaName(meta);
  if (ownUrlMetaNames.has(name) || mediaUrlMetaName.test(name)) return [value];
  return isRefresh(meta) ? collectUrls((collect) => mapRefresh(value, collect)) : [];
}

const styleReferenceKinds = { file: 'load', 'style sheet': 'embed', text: 'mention' } as const;

const referencesInRules = (css: string, spot: SourcePosition): PageReference[] =>
  findCssUrls(css).map(({ url, kind }) => ({
    url: readUrl(url),
    isCertain: kind !== 'text',
    kind: styleReferenceKinds[kind],
    spot,
  }));

/** Collects the URLs that a replacing function visits. */
function collectUrls(replace: (collect: (url: string) => string) => unknown): string[] {
  const urls: string[] = [];
  replace((url) => {
    urls.push(url);
    return url;
  });
  return urls;
}
