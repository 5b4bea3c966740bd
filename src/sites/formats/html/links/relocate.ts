import type { PageMove } from '../../changes.ts';
import type MagicString from 'magic-string';
import type { PageFile } from '../../../../contract/site.ts';
import { addressesOf, type Addresses } from './pageAddresses.ts';
import { findValue, removeElement, writeValue } from '../writeAttributes.ts';
import { attributeOf, hasToken, metaName, type Element, type HtmlDocument } from '../document.ts';
import { decode } from '../../../pages/urls.ts';
import { leavesOf } from '../slots/plainSlotPlaces.ts';
import { mapCss } from '../../../styles/cssAddresses.ts';
import { mapRefresh, mapUrls, urlSyntax } from './urlAttributes.ts';
import { jsonLiteral } from '../escape.ts';

/** A copy of a template, and where it goes. */
export interface Copy {
  template: PageFile;
  target: PageFile;
  /** Every file of the site, to tell an address from another text where only that tells. */
  sitePaths: string[];
  /**
   * Whether a link to the template is the site's own (its navigation): then it goes on leading to
   * the template.
   */
  isSiteLink: (element: Element) => boolean;
}

/** A page whose addresses are being changed. */
interface Relocation {
  page: HtmlDocument;
  edit: MagicString;
  /** What each address becomes. */
  addresses: Addresses;
  files: Set<string>;
  isHome: boolean;
  isSiteLink: (element: Element) => boolean;
}

/**
 * Gives a copy of a template its own place in the site: relative addresses lead where they led,
 * links of the page to itself follow it, and canonical, `og:url`, its own `hreflang` and JSON-LD
 * ids name the new page as they named the template. The template's other `hreflang` alternates,
 * `prev`, `next` and `amphtml` links and its `noindex` go.
 */
export function relocateCopy(edit: MagicString, page: HtmlDocument, copy: Copy) {
  const { template, sitePaths, isSiteLink } = copy;
  const addresses = addressesOf(page, copy);
  const isHome = template.slug === '/';
  const relocation = { page, edit, addresses, files: new Set(sitePaths), isHome, isSiteLink };
  for (const element of page.numbers.keys())
    if (isForTemplateOnly(element, addresses)) removeElement(edit, element);
    else relocateElement(relocation, element);
}

/**
 * Lets a page follow a move. The moved page itself gets its own place as in `relocateCopy`, and
 * loses nothing; on any other page every address of the moved one is the new one.
 * @param elements those that follow: all by default
 */
export function followMove(
  edit: MagicString,
  page: HtmlDocument,
  file: PageFile,
  { from, to, sitePaths }: PageMove,
  elements: Iterable<Element> = page.numbers.keys(),
) {
  const isMoved = file.path === from.path;
  const addresses = addressesOf(page, { template: file, target: isMoved ? to : file });
  const follow = (url: string) => addresses.follow(url, from, to);
  const moving: Addresses = isMoved
    ? {
        ...addresses,
        own: (url) => (addresses.isSelf(url) ? addresses.own(url) : addresses.move(url, false)),
      }
    : { ...addresses, move: follow, own: follow, moveBase: (url) => url };
  const isHome = file.slug === '/';
  const relocation = {
    page,
    edit,
    addresses: moving,
    files: new Set(sitePaths),
    isHome,
    isSiteLink: () => false,
  };
  for (const element of elements) relocateElement(relocation, element);
}

/**
 * Lets the addresses of a part of a page lead where they led, from another page: also those of
 * places on its page that are not in the part.
 * @param part its elements and their ids
 */
export function moveAddresses(
  edit: MagicString,
  page: HtmlDocument,
  { template, target, sitePaths }: Omit<Copy, 'isSiteLink'>,
  part: { elements: Element[]; own: ReadonlySet<string> },
) {
  const addresses = addressesOf(page, { template, target });
  const elsewhere = (url: string) =>
    url.startsWith('#') && url !== '#' && !part.own.has(decode(url.slice(1)))
      ? addresses.to('', { path: template.path, slug: template.slug, query: '', fragment: url })
      : addresses.move(url, false);
  const moving: Addresses = { ...addresses, move: elsewhere };
  const isHome = template.slug === '/';
  const relocation = {
    page,
    edit,
    addresses: moving,
    files: new Set(sitePaths),
    isHome,
    isSiteLink: () => false,
  };
  for (const element of part.elements) relocateElement(relocation, element);
}

function relocateElement(relocation: Relocation, element: Element) {
  relocateAttributes(relocation, element);
  if (element.tagName === 'style') relocateStyles(relocation, element);
  if (element.tagName === 'script') relocateJson(relocation, element);
}

const robots = new Set(['robots', 'googlebot', 'bingbot', 'googlebot-news', 'slurp', 'yandex']);

/**
 * Whether an element speaks of the template alone: another page, or a search engine, would be
 * misled by it.
 */
function isForTemplateOnly(element: Element, addresses: Addresses): boolean {
  if (element.tagName === 'meta')
    return (
      robots.has((attributeOf(element, 'name') ?? '').toLowerCase()) &&
      /\b(noindex|none)\b/i.test(attributeOf(element, 'content') ?? '')
    );
  if (element.tagName !== 'link') return false;
  if (['prev', 'next', 'amphtml'].some((rel) => hasToken(element, 'rel', rel))) return true;
  const isAlternate =
    hasToken(element, 'rel', 'alternate') && attributeOf(element, 'hreflang') !== undefined;
  return isAlternate && !addresses.isSelf(attributeOf(element, 'href') ?? '');
}

function relocateAttributes(relocation: Relocation, element: Element) {
  const { page, edit } = relocation;
  for (const { name, prefix, value } of element.attrs) {
    const attribute = prefix ? `${prefix}:${name}` : name;
    const moved = movedValue(relocation, element, attribute, value);
    const found = moved === value ? undefined : findValue(page, element, attribute);
    if (found) writeValue(edit, found, moved);
  }
}

function movedValue(
  { addresses, files, isSiteLink }: Relocation,
  element: Element,
  name: string,
  value: string,
) {
  if (name === 'content' && element.tagName === 'meta')
    return movedContent(element, value, addresses);
  if (name === 'href' && element.tagName === 'base') return addresses.moveBase(value);
  if (name === 'href' && element.tagName === 'link' && hasToken(element, 'rel', 'canonical'))
    return addresses.own(value);
  const found = urlSyntax(element, name);
  if (!found) return value;
  const isLink = element.tagName === 'a' || element.tagName === 'area';
  const follow = !isLink || !addresses.isSelf(value) || !isSiteLink(element);
  return mapUrls(value, found.syntax, (url) =>
    found.sure || files.has(addresses.fileOf(url)) ? addresses.move(url, follow) : url,
  );
}

export const ownMeta = new Set(['og:url', 'twitter:url']);
export const imageMeta =
  /^(og|twitter):(image|video|audio)(:url|:secure_url|:src)?$|^msapplication-(tileimage|config|square\w+|wide\w+)$/;

function movedContent(meta: Element, value: string, addresses: Addresses): string {
  const name = metaName(meta);
  if (ownMeta.has(name)) return addresses.own(value);
  if (imageMeta.test(name)) return addresses.move(value, false);
  if ((attributeOf(meta, 'http-equiv') ?? '').toLowerCase() !== 'refresh') return value;
  return mapRefresh(value, (url) => addresses.move(url, true));
}

function relocateStyles({ page, edit, addresses }: Relocation, element: Element) {
  const range = element.childNodes[0]?.sourceCodeLocation;
  if (!range) return;
  const css = page.source.slice(range.startOffset, range.endOffset);
  const moved = mapCss(css, (url) => addresses.move(url, false));
  if (moved !== css) edit.overwrite(range.startOffset, range.endOffset, moved);
}

/** schema.org properties that hold one address, which may be relative. */
const addressKeys = /^(@id|url|item|mainEntityOfPage|image|logo|thumbnailUrl|contentUrl|embedUrl)$/;
/**
 * Types that are the page, not the site, on a home page: there the site's address is the page's
 * too.
 */
const pageTypes = /Page$|^(ListItem|Article|NewsArticle|BlogPosting|Product)$/;

function relocateJson({ page, edit, addresses, isHome }: Relocation, script: Element) {
  const leaves = leavesOf(page, script);
  const types = new Map(leaves.map(({ path, value }) => [JSON.stringify(path), String(value)]));
  for (const { path, value, start, end } of leaves) {
    const key = path.findLast((step) => typeof step === 'string');
    if (typeof value !== 'string' || key === undefined) continue;
    const isAbsolute = /^https?:/i.test(value);
    if (!isAbsolute && !addressKeys.test(key)) continue;
    const type = types.get(JSON.stringify([...path.slice(0, -1), '@type'])) ?? '';
    const follow = !isHome || pageTypes.test(type);
    const moved = addresses.move(value, follow);
    if (moved !== value) edit.overwrite(start, end, jsonLiteral(moved));
  }
}
