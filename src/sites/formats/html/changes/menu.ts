import type { NewEntry, EntryName, Edited } from '../../changes.ts';
import type { Marks, MenuEntry } from '../../page.ts';
import MagicString from 'magic-string';
import { defined } from '../../../../contract/defined.ts';
import { writeAttribute } from '../writeAttributes.ts';
import type { Range } from '../../../../text/range.ts';
import {
  ancestors,
  attributeOf,
  hasToken,
  isText,
  parentOf,
  rangeOf,
  textOf,
  tokensOf,
  within,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { idOf, openPage, type Page } from '../openPage.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { isLink, linksTo } from '../links/pageLinks.ts';
import { landmarkOf, roleOf } from '../roles.ts';
import { escapeText, isBlank, tidyLine } from '../escape.ts';
import { recompose, without, withSpace } from './recompose.ts';

interface Entry {
  link: Element;
  /** The link's list item, or the link itself. */
  block: Element;
  text: string;
}

export const isMenu = (landmark: Element | null) =>
  landmark !== null &&
  (landmark.tagName === 'nav' || attributeOf(landmark, 'role') === 'navigation');
/** Classes that mark the entry of the current page in many themes. */
export const markClasses = ['active', 'current', 'is-active', 'selected'];

const isEntry = (element: Element) => element.tagName === 'a' && isLink(element);

/** The entries of each navigation of the page, including breadcrumbs. */
function menusOf({ elements }: HtmlDocument): Entry[][] {
  const links = elements.filter((element) => isEntry(element) && isMenu(landmarkOf(element)));
  return [...Map.groupBy(links, landmarkOf).values()].map((own) =>
    own.map((link) => ({ link, block: blockOf(link), text: tidyLine(textOf(link)) })),
  );
}

/** The main navigations: no breadcrumbs, and those in footers only if there are no others. */
export function mainMenusOf(page: HtmlDocument): Entry[][] {
  const trails = trailsIn(page);
  const menus = menusOf(page).filter(([entry]) => !trails.has(landmarkOf(entry!.link)!));
  const main = menus.filter(([entry]) => !isInFooter(landmarkOf(entry!.link)!));
  return main.length > 0 ? main : menus;
}

function isInFooter(nav: Element): boolean {
  const parent = parentOf(nav);
  const around = parent ? landmarkOf(parent) : null;
  return around?.tagName === 'footer' || (around && attributeOf(around, 'role')) === 'contentinfo';
}

/** The entries of the main navigations. */
export const mainEntries = (page: HtmlDocument): Entry[] => mainMenusOf(page).flat();

/** Breadcrumbs: navigations with that name, or that end with the current page without a link. */
function trailsIn(page: HtmlDocument): Set<Element> {
  const elements = page.elements.filter((element) => isMenu(landmarkOf(element)));
  const links = elements.filter(isEntry);
  const found = new Set<Element>();
  const around = new Set<Element>();
  for (const link of links)
    for (const outer of ancestors(link))
      if (around.has(outer)) break;
      else around.add(outer);
  const isOfLink = (element: Element) =>
    around.has(element) || ['link', 'button'].includes(roleOf(element));
  const last = new Map(links.map((link) => [landmarkOf(link), link]));
  const passed = new Set<Element>();
  for (const element of elements) {
    const nav = landmarkOf(element)!;
    if (last.get(nav) === element) passed.add(nav);
    const isShown =
      passed.has(nav) && attributeOf(element, 'aria-current') !== undefined && !isOfLink(element);
    if (isShown || saysTrail(element)) found.add(nav);
  }
  return found;
}

const saysTrail = (element: Element) =>
  ['nav', 'ol', 'ul', 'div'].includes(element.tagName) &&
  ['class', 'id', 'aria-label', 'itemtype'].some((name) =>
    /breadcrumb/i.test(attributeOf(element, name) ?? ''),
  );

function blockOf(link: Element): Element {
  const parent = parentOf(link);
  return parent?.tagName === 'li' ? parent : link;
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The entries of all navigations of a page. */
export function menuEntries(page: Page): MenuEntry[] {
  const { slugOfLink } = addressesOf(page);
  const main = new Set(
    mainMenusOf(page).flatMap((menu) => withoutBrand(menu).map(({ link }) => link)),
  );
  return menusOf(page)
    .flat()
    .map(({ link, block, text }) => {
      const slug = slugOfLink(link);
      const marks = slug === page.file.slug ? marksOf(link, block) : undefined;
      const isMain = main.has(link) || undefined;
      return {
        text,
        link: `${idOf(page, link)}.href`,
        ...defined({ slug, marks, isMain }),
      };
    });
}

/** The entries of a navigation, except the site's name or logo. */
function withoutBrand(menu: Entry[]): Entry[] {
  const listed = menu.filter(({ link, block }) => block !== link);
  return (listed.length > 0 ? listed : menu).filter(({ link }) => !hasImage(link));
}

export function marksOf(link: Element, block: Element): Marks | undefined {
  const of = (element: Element) => markClasses.filter((name) => hasToken(element, 'class', name));
  const found = {
    link: of(link),
    block: block === link ? [] : of(block),
    ...defined({ current: attributeOf(link, 'aria-current') }),
  };
  return isMarked(link) || isMarked(block) ? found : undefined;
}

const linksIn = (block: Element) => within([block]).filter(({ tagName }) => tagName === 'a').length;
const hasImage = (link: Element) => within([link]).some(({ tagName }) => tagName === 'img');

/** The entries that can be copied. Submenu toggles, buttons and entries in a submenu cannot. */
function plainEntries(menu: Entry[]): Entry[] {
  const blocks = new Set(menu.map(({ block }) => block));
  const isInner = ({ block }: Entry) =>
    ancestors(block)
      .drop(1)
      .some((outer) => blocks.has(outer));
  return menu.filter((entry) => {
    const { link, block, text } = entry;
    const hasMore = linksIn(block) > 1;
    const isToggle =
      (attributeOf(link, 'href') ?? '').startsWith('#') && attributeOf(link, 'role') === 'button';
    const isBrand = link === block && hasImage(link);
    return (
      text !== '' &&
      !hasMore &&
      !isToggle &&
      !isBrand &&
      !isInner(entry) &&
      roleOf(link) !== 'button'
    );
  });
}

/**
 * Adds an entry to one main navigation of the page: the first one that is a list, if there is one.
 * Null if there is no place for it, or the navigation already has it.
 */
export function addEntry(page: Page, entry: NewEntry): Edited | null {
  const addresses = addressesOf(page);
  const menus = mainMenusOf(page);
  const menu =
    menus.find((menu) => plainEntries(menu).some(({ block, link }) => block !== link)) ??
    menus[0] ??
    [];
  const plain = plainEntries(menu);
  const isThere = ({ link, text }: Entry) =>
    isSame(text, entry.text) && addresses.slugOfLink(link) === entry.page.slug;
  if (menu.some(isThere)) return null;
  const after = menu.find(({ text }) => isSame(text, entry.after ?? ''));
  const list = plain.at(-1)?.block.parentNode;
  const siblings = plain.filter(({ block }) => block.parentNode === list);
  const behind = entry.after === undefined ? siblings.at(-1) : after;
  const model = siblings.findLast(({ link, block }) => !isMarked(link) && !isMarked(block));
  if (!behind || !model) return null;
  const [at, copied] = [rangeOf(behind.block).end, rangeOf(model.block)];
  const space = page.source.slice(withSpace(page, copied).start, copied.start);
  const href = addresses.to(attributeOf(model.link, 'href') ?? '/', {
    ...entry.page,
    query: '',
    fragment: '',
  });
  const marks = page.file.slug === entry.page.slug ? entry.marks : undefined;
  const write = space + cloneOf(page, model, { href, text: entry.text, marks });
  const end = page.source.length;
  return recompose(page, [
    { start: 0, end: at },
    { ...copied, write, isClone: true },
    { start: at, end },
  ]);
}

const isMarked = (element: Element) =>
  attributeOf(element, 'aria-current') !== undefined ||
  markClasses.some((name) => hasToken(element, 'class', name));

/**
 * A copy of an entry's markup with another text and address, and with the marks of the current page
 * if given.
 */
function cloneOf(
  page: HtmlDocument,
  { link, block }: Entry,
  { href, text, marks }: { href: string; text: string; marks: Marks | undefined },
): string {
  const edit = new MagicString(page.source);
  writeAttribute(edit, page, link, ['href', href]);
  const [first, ...others] = within([link])
    .flatMap(({ childNodes }) => childNodes.filter(isText))
    .filter(({ value }) => !isBlank(value));
  const place = first!.sourceCodeLocation!;
  edit.overwrite(place.startOffset, place.endOffset, escapeText(text));
  for (const { sourceCodeLocation: rest } of others)
    edit.remove(rest!.startOffset, rest!.endOffset);
  for (const element of new Set([link, block])) {
    const own = tokensOf(element, 'class');
    const classes = [
      ...own.filter((name) => !markClasses.includes(name)),
      ...((element === link ? marks?.link : marks?.block) ?? []),
    ];
    if (classes.join(' ') !== own.join(' '))
      writeAttribute(edit, page, element, ['class', classes.join(' ')]);
  }
  if (marks?.current !== undefined)
    writeAttribute(edit, page, link, ['aria-current', marks.current]);
  const { start, end } = rangeOf(block);
  return edit.slice(start, end);
}

/** Removes entries of the main navigations; null if none match. */
export const removeEntries = (page: Page, name: EntryName): Edited | null =>
  removeFrom(page, mainMenusOf(page), name);

function removeFrom(page: Page, menus: Entry[][], name: EntryName): Edited | null {
  const { slugOfLink } = addressesOf(page);
  const isMeant = ({ link, block, text }: Entry) =>
    'text' in name
      ? isSame(text, name.text)
      : slugOfLink(link) === name.slug && !hasImage(link) && linksIn(block) === 1;
  const found = menus.flat().filter(isMeant);
  const blocks = found.map(({ block }) => withSpace(page, rangeOf(block)));
  return blocks.length === 0 ? null : without(page, blocks);
}

/**
 * Turns the links to another page into plain text, and removes its navigation entries; null if
 * there are none.
 */
export function dropLinks(page: Page, slug: string): Edited | null {
  const cleared = removeFrom(page, menusOf(page), { slug });
  const rest = cleared ? openPage({ ...page.file, ...cleared }) : page;
  const tags = linksTo(rest, slug).flatMap(({ sourceCodeLocation: place }): Range[] =>
    place?.startTag
      ? [place.startTag, place.endTag]
          .filter((tag) => tag !== undefined)
          .map((tag) => ({ start: tag.startOffset, end: tag.endOffset }))
      : [],
  );
  return tags.length === 0 ? cleared : without(rest, tags);
}
