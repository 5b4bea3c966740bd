import type { PageMove } from '../../changes.ts';
import type MagicString from 'magic-string';
import type { PageFile } from '../../../../contract/site.ts';
import { addressesOf, type Addresses } from './pageAddresses.ts';
import { findValue, removeElement, writeValue } from '../writeAttributes.ts';
import {
  attributeName,
  attributeOf,
  hasToken,
  metaName,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { isUnlisting } from '../checks/pageSetup.ts';
import { folderOf } from '../../../pages/urls.ts';
import type { Page } from '../openPage.ts';
import { leavesOf } from '../slots/plainSlotPlaces.ts';
import { mapCss } from '../../../styles/cssAddresses.ts';
import { mapRefresh, mapUrls, urlSyntax } from './urlAttributes.ts';
import { jsonLiteral } from '../escape.ts';
import { hasCode } from '../templateCode.ts';

/** The place of a page's copy. */
interface Copy {
  target: PageFile;
  /** Other pages of the site. */
  sisters: readonly Page[];
  /**
   * Every file of the site. A text that may be an address counts as one if it names one of these.
   */
  sitePaths: string[];
}

/** A page whose addresses are being changed. */
interface Relocation {
  page: Page;
  edit: MagicString;
  /** Resolves and rewrites the page's addresses. */
  addresses: Addresses;
  sitePaths: string[];
  /**
   * Whether a link to the page belongs to the site (its navigation). Such a link keeps leading to
   * the page, not to its copy.
   */
  isSiteLink?: (element: Element) => boolean;
}

/**
 * Gives a copy of a template its own place in the site. Relative addresses still lead to the same
 * places, and the page's links to itself lead to the copy. Canonical link, `og:url`, its own
 * `hreflang` and JSON-LD ids name the copy. Removes the template's other `hreflang` alternates, its
 * `prev`, `next` and `amphtml` links, and its `noindex`, unless most pages of its folder have one.
 */
export function relocateCopy(
  edit: MagicString,
  page: Page,
  { target, sisters, ...copy }: Copy & Pick<Relocation, 'isSiteLink'>,
) {
  const addresses = addressesOf(page, target);
  const isListed = !areUnlisted(siblingsOf(page, sisters));
  const isGone = (element: Element) =>
    !element.attrs.some(({ value }) => hasCode(value)) &&
    ((isListed && isUnlisting(element)) || isForTemplateOnly(element, addresses));
  for (const element of page.elements) if (isGone(element)) removeElement(edit, element);
  const elements = page.elements.filter((element) => !isGone(element));
  relocate({ page, edit, addresses, ...copy }, elements);
}

/**
 * Updates a page after a page of its site moved. The moved page gets its new place as in
 * `relocateCopy`, but nothing is removed. On other pages, addresses of the moved page change to the
 * new ones.
 * @param elements the elements to update; by default all
 */
export function followMove(
  edit: MagicString,
  page: Page,
  move: PageMove,
  elements: readonly Element[] = page.elements,
) {
  const { sitePaths } = move;
  if (page.file.path === move.from.path) {
    const addresses = addressesOf(page, move.to);
    const own = (url: string) => (addresses.isSelf(url) ? addresses.own(url) : addresses.move(url));
    return relocate({ page, edit, sitePaths, addresses: { ...addresses, own } }, elements);
  }
  const addresses = addressesOf(page);
  const follow = (url: string) => addresses.follow(url, move);
  const following = {
    move: follow,
    moveAlong: follow,
    own: follow,
    moveBase: (url: string) => url,
  };
  relocate({ page, edit, sitePaths, addresses: { ...addresses, ...following } }, elements);
}

function relocate(relocation: Relocation, elements: readonly Element[]) {
  const files = new Set(relocation.sitePaths);
  for (const element of elements) {
    relocateAttributes(relocation, element, files);
    if (element.tagName === 'style') relocateStyles(relocation, element);
    if (element.tagName === 'script') relocateJson(relocation, element);
  }
}

/** The other pages in a page's folder. */
const siblingsOf = ({ file }: Page, sisters: readonly Page[]) =>
  sisters.filter((sister) => folderOf(sister.file.slug) === folderOf(file.slug));

/** Whether most of some pages ask search engines not to list them, as pages for ads do. */
function areUnlisted(pages: readonly HtmlDocument[]): boolean {
  const unlisted = pages.filter(({ elements }) => elements.some(isUnlisting));
  return unlisted.length * 2 > pages.length;
}

/**
 * Whether an element is only true for the template, and would mislead search engines on another
 * page.
 */
function isForTemplateOnly(element: Element, addresses: Addresses): boolean {
  if (element.tagName !== 'link') return false;
  if (['prev', 'next', 'amphtml'].some((rel) => hasToken(element, 'rel', rel))) return true;
  const isAlternate =
    hasToken(element, 'rel', 'alternate') && attributeOf(element, 'hreflang') !== undefined;
  return isAlternate && !addresses.isSelf(attributeOf(element, 'href') ?? '');
}

function relocateAttributes(relocation: Relocation, element: Element, files: Set<string>) {
  const { page, edit, addresses, isSiteLink } = relocation;
  const isStaying = (value: string) =>
    (element.tagName === 'a' || element.tagName === 'area') &&
    addresses.isSelf(value) &&
    isSiteLink?.(element) === true;
  const movedValue = (name: string, value: string) => {
    if (name === 'content' && element.tagName === 'meta')
      return movedContent(element, value, addresses);
    if (name === 'href' && element.tagName === 'base') return addresses.moveBase(value);
    if (name === 'href' && element.tagName === 'link' && hasToken(element, 'rel', 'canonical'))
      return addresses.own(value);
    const found = urlSyntax(element, name);
    if (!found) return value;
    const move = isStaying(value) ? addresses.move : addresses.moveAlong;
    return mapUrls(value, found.syntax, (url) =>
      found.sure || files.has(addresses.fileOf(url)) ? move(url) : url,
    );
  };
  for (const attribute of element.attrs) {
    const name = attributeName(attribute);
    const moved = movedValue(name, attribute.value);
    const found = moved === attribute.value ? undefined : findValue(page, element, name);
    if (found) writeValue(edit, found, moved);
  }
}

export const ownMeta = new Set(['og:url', 'twitter:url']);
export const imageMeta =
  /^(og|twitter):(image|video|audio)(:url|:secure_url|:src)?$|^msapplication-(tileimage|config|square\w+|wide\w+)$/;

function movedContent(meta: Element, value: string, addresses: Addresses): string {
  const name = metaName(meta);
  if (ownMeta.has(name)) return addresses.own(value);
  if (imageMeta.test(name)) return addresses.move(value);
  if ((attributeOf(meta, 'http-equiv') ?? '').toLowerCase() !== 'refresh') return value;
  return mapRefresh(value, addresses.moveAlong);
}

function relocateStyles({ page, edit, addresses }: Relocation, element: Element) {
  const range = element.childNodes[0]?.sourceCodeLocation;
  if (!range) return;
  const css = page.source.slice(range.startOffset, range.endOffset);
  const moved = mapCss(css, addresses.move);
  if (moved !== css) edit.overwrite(range.startOffset, range.endOffset, moved);
}

/** schema.org properties that hold one address, which may be relative. */
const addressKeys = /^(@id|url|item|mainEntityOfPage|image|logo|thumbnailUrl|contentUrl|embedUrl)$/;
/**
 * Types that describe the page rather than the site. On a home page, the site's address is the
 * page's too, and only these types follow a copy.
 */
const pageTypes = /Page$|^(ListItem|Article|NewsArticle|BlogPosting|Product)$/;

function relocateJson({ page, edit, addresses }: Relocation, script: Element) {
  const leaves = leavesOf(page, script);
  const types = new Map(leaves.map(({ path, value }) => [JSON.stringify(path), String(value)]));
  for (const { path, value, start, end } of leaves) {
    const key = path.findLast((step) => typeof step === 'string');
    if (typeof value !== 'string' || key === undefined) continue;
    const isAbsolute = /^https?:/i.test(value);
    if (!isAbsolute && !addressKeys.test(key)) continue;
    const type = types.get(JSON.stringify([...path.slice(0, -1), '@type'])) ?? '';
    const isOfSite = page.file.slug === '/' && !pageTypes.test(type);
    const moved = isOfSite ? addresses.move(value) : addresses.moveAlong(value);
    if (moved !== value) edit.overwrite(start, end, jsonLiteral(moved));
  }
}
