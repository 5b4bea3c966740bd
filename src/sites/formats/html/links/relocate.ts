import type { PageMove } from '../../changes.ts';
import type MagicString from 'magic-string';
import type { PageFile } from '../../../../contract/site.ts';
import { createUrlResolver, type UrlResolver } from './urlResolver.ts';
import { findValue, removeElement, writeValue } from '../writeAttributes.ts';
import {
  attributeName,
  attributeOf,
  hasToken,
  metaName,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { embeddingTags } from '../checks/pageFeatures.ts';
import { isUnlisting } from '../checks/pageSetup.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { readJsonLeaves } from '../slots/plainSlotPlaces.ts';
import { mapCssUrls } from '../../../styles/cssAddresses.ts';
import {
  mediaUrlMetaName,
  mapRefresh,
  mapUrls,
  ownUrlMetaNames,
  queryValuePattern,
  urlSyntax,
} from './urlAttributes.ts';
import { jsonLiteral } from '../../escape.ts';
import { hasTemplateCode } from '../templateCode.ts';
import { decodeUrlPart, urlFolder } from '../../../pages/urls/urls.ts';
import { allElements, insideTemplates } from '../insideTemplates.ts';
import { dataValues, mapStrings } from '../values/dataValues.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import type { SlotTexts } from '../../pageParts.ts';
import type { ChangedTexts } from '../values/changedTexts.ts';

/** The new path of a page's copy, and what is known of its site. */
interface PageCopy {
  target: PageFile;
  /** Other pages of the site. */
  siblings: readonly HtmlPage[];
  /** Every file of the site. A text that may be a URL counts as one if it names one of these. */
  sitePaths: string[];
}

/** A page whose URLs are being changed. */
interface PageRelocation {
  page: HtmlPage;
  sourceEditor: MagicString;
  /** Resolves and rewrites the page's URLs. */
  urlResolver: UrlResolver;
  sitePaths: string[];
  changed?: ChangedTexts | undefined;
  /**
   * Whether a link to the page belongs to the site (its navigation). Such a link keeps leading to
   * the page, not to its copy.
   */
  isSiteLink?: (element: PageElement) => boolean;
}

/**
 * Gives a copy of a template its own path in the site. Relative URLs still lead to the same places,
 * and the page's links to itself lead to the copy. Canonical link, `og:url`, its own `hreflang` and
 * JSON-LD ids name the copy. Removes the template's other `hreflang` links, its `prev`, `next` and
 * `amphtml` links, and its `noindex`, unless most pages of its folder have one. Data values that
 * repeat a changed text of the page change with it.
 */
export function relocateCopy(
  sourceEditor: MagicString,
  page: HtmlPage,
  { target, siblings, ...copy }: PageCopy & Pick<PageRelocation, 'isSiteLink' | 'changed'>,
) {
  const urlResolver = createUrlResolver(page, target);
  const isFolderListed = !areUnlisted(siblingsOf(page, siblings));
  const isDropped = (element: PageElement) =>
    !element.attrs.some(({ value }) => hasTemplateCode(value)) &&
    ((isFolderListed && isUnlisting(element)) || isForTemplateOnly(element, urlResolver));
  for (const element of page.elements) if (isDropped(element)) removeElement(sourceEditor, element);
  const elements = page.elements.filter((element) => !isDropped(element));
  relocateElements({ page, sourceEditor, urlResolver, ...copy }, [
    ...elements,
    ...insideTemplates(page),
  ]);
}

/**
 * Updates a page after a page of its site moved. The moved page gets its new path as in
 * `relocateCopy`, but nothing is removed. On other pages, URLs of the moved page change to the new
 * ones.
 * @param elements the elements to update; by default all
 */
export function followMove(
  sourceEditor: MagicString,
  page: HtmlPage,
  { sitePaths, changed, ...move }: PageMove & Pick<PageRelocation, 'changed'>,
  elements: readonly PageElement[] = allElements(page),
) {
  const urlResolver = createMovedUrlResolver(page, move);
  relocateElements({ page, sourceEditor, sitePaths, urlResolver, changed }, elements);
}

function createMovedUrlResolver(page: HtmlPage, move: Pick<PageMove, 'from' | 'to'>): UrlResolver {
  if (page.file.path === move.from.path) {
    const urlResolver = createUrlResolver(page, move.to);
    const ownUrl = (url: string) =>
      urlResolver.isSelf(url) ? urlResolver.ownUrl(url) : urlResolver.move(url);
    return { ...urlResolver, ownUrl };
  }
  const urlResolver = createUrlResolver(page);
  const follow = (url: string) => urlResolver.follow(url, move);
  const following = {
    move: follow,
    moveOrFollowPage: follow,
    ownUrl: follow,
    moveBase: (url: string) => url,
  };
  return { ...urlResolver, ...following };
}

/** The texts of a page that show the URL of a page which moves, with the new URL. */
export function movedTexts(
  page: HtmlPage,
  places: readonly SlotPlace[],
  move: Pick<PageMove, 'from' | 'to'>,
  texts: SlotTexts = {},
): SlotTexts {
  const urlResolver = createMovedUrlResolver(page, move);
  const movedText = (text: string) => urlResolver.inText(text, createFollowMapper(urlResolver));
  return Object.fromEntries(
    places
      .filter(({ slot }) => movedText(slot.text) !== slot.text)
      .map(({ slot }) => [slot.id, movedText(texts[slot.id] ?? slot.text)]),
  );
}

/** Changes the data values of a page that repeat its changed texts. All URLs stay as they are. */
export function followTexts(
  sourceEditor: MagicString,
  page: HtmlPage,
  changed: ChangedTexts | undefined,
) {
  if (!changed) return;
  const keepUrl = (url: string) => url;
  const keepingMethods = {
    move: keepUrl,
    moveOrFollowPage: keepUrl,
    ownUrl: keepUrl,
    moveBase: keepUrl,
    inText: keepUrl,
  };
  const urlResolver = { ...createUrlResolver(page), ...keepingMethods };
  relocateElements({ page, sourceEditor, urlResolver, sitePaths: [], changed }, allElements(page));
}

function relocateElements(relocation: PageRelocation, elements: readonly PageElement[]) {
  const inValue = valueMapper(relocation);
  for (const element of elements) {
    relocateAttributes(relocation, element);
    if (element.tagName === 'style') relocateStyles(relocation, element);
    if (element.tagName === 'script') relocateJson(relocation, element);
    for (const { text, write } of dataValues(relocation.page, element)) {
      const newText = mapStrings(text, inValue(element));
      if (newText !== text) write(relocation.sourceEditor, newText);
    }
  }
}

/** The other pages in a page's folder. */
const siblingsOf = ({ file }: HtmlPage, siblings: readonly HtmlPage[]) =>
  siblings.filter((sibling) => urlFolder(sibling.file.slug) === urlFolder(file.slug));

/** Whether most of some pages ask search engines not to list them, as pages for ads do. */
function areUnlisted(pages: readonly HtmlDocument[]): boolean {
  const unlistedPages = pages.filter(({ elements }) => elements.some(isUnlisting));
  return unlistedPages.length * 2 > pages.length;
}

/**
 * Makes a function for the new text of an element's data value (`isInList`: in a list of values).
 * In a list of pages, the entry of the template keeps its URL.
 */
function valueMapper({ urlResolver, sitePaths, changed }: PageRelocation) {
  const files = new Set(sitePaths);
  const followUnlessHome = createFollowMapper(urlResolver);
  const isPath = (url: string) => /^\.{0,2}\/(?!\/)[^\s"'`,;()[\]{}<>|]*$/.test(url);
  const isFile = (url: string) => /[./]/.test(url) && files.has(urlResolver.fileOf(url));
  return (element: PageElement) => (text: string, isInList: boolean) => {
    const changedText = changed?.follow(text, element, isInList);
    if (changedText !== undefined) return changedText;
    const isEntry =
      changed !== undefined &&
      /[./]/.test(text) &&
      urlResolver.isSelf(text) &&
      (isInList || changed.keepsOldText(element));
    const map = isEntry ? urlResolver.move : followUnlessHome;
    const move = (url: string) => (isPath(url) || isFile(url) ? map(url) : url);
    return urlResolver.inText(mapUrls(text, 'words', move), map);
  };
}

/**
 * Makes a function like `moveOrFollowPage` that lets URLs of the home page lead to the home page,
 * since they are also those of the site.
 */
const createFollowMapper =
  ({ slugOf, move, moveOrFollowPage }: UrlResolver) =>
  (url: string) =>
    slugOf(url) === '/' ? move(url) : moveOrFollowPage(url);

/** Whether an element is only true for the template, and would mislead on another page. */
function isForTemplateOnly(element: PageElement, urlResolver: UrlResolver): boolean {
  if (element.tagName !== 'link') return false;
  if (['prev', 'next', 'amphtml'].some((rel) => hasToken(element, 'rel', rel))) return true;
  const isAlternate =
    hasToken(element, 'rel', 'alternate') && attributeOf(element, 'hreflang') !== undefined;
  return isAlternate && !urlResolver.isSelf(attributeOf(element, 'href') ?? '');
}

function relocateAttributes(relocation: PageRelocation, element: PageElement) {
  const { page, sourceEditor, urlResolver, isSiteLink } = relocation;
  const isStaying = (value: string) =>
    (element.tagName === 'a' || element.tagName === 'area') &&
    urlResolver.isSelf(value) &&
    page.elementNumbers.has(element) &&
    isSiteLink?.(element) === true;
  const newValue = (url: string) => {
    const movedUrl = isStaying(url) ? urlResolver.move(url) : urlResolver.moveOrFollowPage(url);
    return moveQuery(relocation, element, movedUrl);
  };
  const newValueOf = (name: string, value: string) => {
    if (name === 'content' && element.tagName === 'meta')
      return relocateContent(element, value, urlResolver);
    if (name === 'href' && element.tagName === 'base') return urlResolver.moveBase(value);
    if (name === 'href' && element.tagName === 'link' && hasToken(element, 'rel', 'canonical'))
      return urlResolver.ownUrl(value);
    const urlFormat = urlSyntax(element, name);
    return urlFormat?.isCertain ? mapUrls(value, urlFormat.syntax, newValue) : value;
  };
  for (const attribute of element.attrs) {
    const name = attributeName(attribute);
    const newText = newValueOf(name, attribute.value);
    const valueRange = newText === attribute.value ? undefined : findValue(page, element, name);
    if (valueRange) writeValue(sourceEditor, valueRange, newText);
  }
}

/** Updates the page's URL and texts in the query of a URL, as in links that share the page. */
function moveQuery(
  { urlResolver, changed }: PageRelocation,
  element: PageElement,
  url: string,
): string {
  if (/^(?:data|javascript):/i.test(url)) return url;
  const start = url.indexOf('?');
  // an archive or a validator may have the page's URL in its path
  const from = urlResolver.pathOf(url) === undefined ? 0 : start < 0 ? url.length : start;
  const query = url
    .slice(from)
    .replace(queryValuePattern, (parameter, name: string, value: string) => {
      const isFixed = element.tagName === 'script' || embeddingTags.has(element.tagName);
      const text = decodeUrlPart(value.replaceAll('+', ' '));
      const changedText = isFixed ? undefined : changed?.follow(text, element, false);
      return changedText === undefined ? parameter : name + encodeURIComponent(changedText);
    });
  return url.slice(0, from) + urlResolver.inText(query, createFollowMapper(urlResolver));
}

function relocateContent(meta: PageElement, value: string, urlResolver: UrlResolver): string {
  const name = metaName(meta);
  if (ownUrlMetaNames.has(name)) return urlResolver.ownUrl(value);
  if (mediaUrlMetaName.test(name)) return urlResolver.move(value);
  if ((attributeOf(meta, 'http-equiv') ?? '').toLowerCase() !== 'refresh') return value;
  return mapRefresh(value, urlResolver.moveOrFollowPage);
}

function relocateStyles({ page, sourceEditor, urlResolver }: PageRelocation, element: PageElement) {
  const range = element.childNodes[0]?.sourceCodeLocation;
  if (!range) return;
  const css = page.source.slice(range.startOffset, range.endOffset);
  const newStyles = mapCssUrls(css, urlResolver.move);
  if (newStyles !== css) sourceEditor.overwrite(range.startOffset, range.endOffset, newStyles);
}

/** schema.org properties that hold one URL, which may be relative. */
const urlProperties =
  /^(@id|url|item|mainEntityOfPage|image|logo|thumbnailUrl|contentUrl|embedUrl)$/;
/**
 * Types that describe the page rather than the site. On a home page, the site's URL is the page's
 * too, and only these types follow a copy.
 */
const pageTypes = /Page$|^(ListItem|Article|NewsArticle|BlogPosting|Product)$/;

function relocateJson({ page, sourceEditor, urlResolver }: PageRelocation, script: PageElement) {
  const leaves = readJsonLeaves(page, script);
  const types = new Map(leaves.map(({ path, value }) => [JSON.stringify(path), String(value)]));
  for (const { path, value, start, end } of leaves) {
    const key = path.findLast((step) => typeof step === 'string');
    if (typeof value !== 'string' || key === undefined) continue;
    const isAbsolute = /^https?:/i.test(value);
    if (!isAbsolute && !urlProperties.test(key)) {
      const newValue = urlResolver.inText(value, createFollowMapper(urlResolver));
      if (newValue !== value) sourceEditor.overwrite(start, end, jsonLiteral(newValue));
      continue;
    }
    const type = types.get(JSON.stringify([...path.slice(0, -1), '@type'])) ?? '';
    const belongsToSite = page.file.slug === '/' && !pageTypes.test(type);
    const movedUrl = belongsToSite ? urlResolver.move(value) : urlResolver.moveOrFollowPage(value);
    const newValue =
      movedUrl === value ? urlResolver.inText(value, createFollowMapper(urlResolver)) : movedUrl;
    if (newValue !== value) sourceEditor.overwrite(start, end, jsonLiteral(newValue));
  }
}
