import type { NewEntry, EntryName } from '../../changes.ts';
import type { Marks, MenuEntry } from '../../page.ts';
import MagicString from 'magic-string';
import type { PageFile } from '../../../../contract/site.ts';
import { defined } from '../../../../contract/defined.ts';
import { writeAttribute } from '../writeAttributes.ts';
import {
  attributeOf,
  hasToken,
  isElement,
  isText,
  textOf,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { openPage, slotId, within } from '../openPage.ts';
import type { PageIds, Rebuilt } from '../../changes.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { positionOf } from '../likeness.ts';
import { landmarkOf, roleOf } from '../roles.ts';
import { escapeText, isBlank, tidyLine } from '../escape.ts';
import { recompose, without, withSpace } from './recompose.ts';

interface Entry {
  link: Element;
  /** What goes with the link: its list item, or itself. */
  block: Element;
  text: string;
}

export const isMenu = (landmark: Element | null) =>
  landmark !== null &&
  (landmark.tagName === 'nav' || attributeOf(landmark, 'role') === 'navigation');
/** The classes by which themes mark the entry of the page that is shown. */
const markClasses = ['active', 'current', 'is-active', 'selected'];

const isEntry = (element: Element) =>
  element.tagName === 'a' && attributeOf(element, 'href') !== undefined;

/** Entries of the page's navigations, also breadcrumbs: those of each stand together. */
function menusOf({ numbers }: HtmlDocument): Entry[][] {
  const links = [...numbers.keys()].filter(
    (element) => isEntry(element) && isMenu(landmarkOf(element)),
  );
  return [...Map.groupBy(links, landmarkOf).values()].map((own) =>
    own.map((link) => ({ link, block: blockOf(link), text: tidyLine(textOf(link)) })),
  );
}

/**
 * What people call the navigation: without breadcrumbs, and without navigations of a footer where
 * there are others.
 */
function mainMenusOf(page: HtmlDocument): Entry[][] {
  const trails = trailsIn(page);
  const menus = menusOf(page).filter(([entry]) => !trails.has(landmarkOf(entry!.link)!));
  const main = menus.filter(([entry]) => !isInFooter(landmarkOf(entry!.link)!));
  return main.length > 0 ? main : menus;
}

function isInFooter({ parentNode }: Element): boolean {
  const around = parentNode && isElement(parentNode) ? landmarkOf(parentNode) : null;
  return (
    around !== null &&
    (around.tagName === 'footer' || attributeOf(around, 'role') === 'contentinfo')
  );
}

/**
 * Navigations that are breadcrumbs: they say so, or end with the name of the page that is shown,
 * which is no link.
 */
function trailsIn({ numbers }: HtmlDocument): Set<Element> {
  const elements = [...numbers.keys()].filter((element) => isMenu(landmarkOf(element)));
  const links = elements.filter(isEntry);
  const found = new Set<Element>();
  const around = new Set<Element>();
  for (const link of links)
    for (
      let node: Element['parentNode'] = link;
      node && isElement(node) && !around.has(node);
      node = node.parentNode
    )
      around.add(node);
  const isLink = (element: Element) =>
    around.has(element) || ['link', 'button'].includes(roleOf(element));
  const last = new Map(links.map((link) => [landmarkOf(link), link]));
  const passed = new Set<Element>();
  for (const element of elements) {
    const nav = landmarkOf(element)!;
    if (last.get(nav) === element) passed.add(nav);
    const isShown =
      passed.has(nav) && attributeOf(element, 'aria-current') !== undefined && !isLink(element);
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
  const parent = link.parentNode;
  return parent && isElement(parent) && parent.tagName === 'li' ? parent : link;
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether a page's navigation has an entry with this text, or one that leads to a page. */
export function menuEntries(page: HtmlDocument, file: PageFile): MenuEntry[] {
  const addresses = addressesOf(page, { template: file, target: file });
  const main = new Set(
    mainMenusOf(page).flatMap((menu) => withoutBrand(menu).map(({ link }) => link)),
  );
  return menusOf(page)
    .flat()
    .map(({ link, block, text }) => {
      const slug = addresses.slugOf(attributeOf(link, 'href') ?? '');
      const marks = slug === file.slug ? marksOf(link, block) : undefined;
      const isMain = main.has(link) || undefined;
      return {
        text,
        link: `${slotId(page.numbers.get(link)!)}.href`,
        ...defined({ slug, marks, isMain }),
      };
    });
}

/** A site's name may stand in its navigation, beside the list of the entries. */
function withoutBrand(menu: Entry[]): Entry[] {
  const listed = menu.filter(({ link, block }) => block !== link);
  return (listed.length > 0 ? listed : menu).filter(({ link }) => !hasImage(link));
}

function marksOf(link: Element, block: Element): Marks | undefined {
  const of = (element: Element) => markClasses.filter((name) => hasToken(element, 'class', name));
  const found = {
    link: of(link),
    block: block === link ? [] : of(block),
    ...defined({ current: attributeOf(link, 'aria-current') }),
  };
  return isMarked(link) || isMarked(block) ? found : undefined;
}

const linksIn = (block: Element) => within(block).filter(({ tagName }) => tagName === 'a').length;
const hasImage = (link: Element) => within(link).some(({ tagName }) => tagName === 'img');

/**
 * An entry that can be copied: no toggle of a menu below it, no button, in no menu below another
 * entry.
 */
function plainEntries(menu: Entry[]): Entry[] {
  const blocks = new Set(menu.map(({ block }) => block));
  const isInner = ({ block }: Entry) => {
    for (let node = block.parentNode; node && isElement(node); node = node.parentNode)
      if (blocks.has(node)) return true;
    return false;
  };
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
 * The page with a new entry in its first navigation, or its own bytes where it has none, or has the
 * entry.
 * @returns null where nothing changes
 */
export function addEntry(
  page: HtmlDocument,
  file: PageFile,
  entry: NewEntry,
  ids: PageIds | undefined,
): Rebuilt | null {
  const addresses = addressesOf(page, { template: file, target: file });
  const isAfter = ({ link, text }: Entry) =>
    isSame(text, entry.after ?? '') && (entry.at === undefined || positionOf(link) === entry.at);
  const menus =
    entry.at === undefined ? mainMenusOf(page) : menusOf(page).filter((menu) => menu.some(isAfter));
  const menu =
    menus.find((menu) => plainEntries(menu).some(({ block, link }) => block !== link)) ??
    menus[0] ??
    [];
  const plain = plainEntries(menu);
  if (
    menu.some(
      ({ link, text }) =>
        isSame(text, entry.text) &&
        addresses.slugOf(attributeOf(link, 'href') ?? '') === entry.page.slug,
    )
  )
    return null;
  const after = menu.find(isAfter);
  const list = (entry.at === undefined ? plain.at(-1) : after)?.block.parentNode;
  const siblings = plain.filter(({ block }) => block.parentNode === list);
  const behind = entry.after === undefined ? siblings.at(-1) : after;
  const model = siblings.findLast(({ link, block }) => !isMarked(link) && !isMarked(block));
  if (!behind || !model) return null;
  const [at, copied] = [behind.block.sourceCodeLocation!.endOffset, rangeOf(model.block)];
  const space = page.source.slice(withSpace(page, copied).start, copied.start);
  const href = addresses.to(attributeOf(model.link, 'href') ?? '/', {
    ...entry.page,
    query: '',
    fragment: '',
  });
  const marks = file.slug === entry.page.slug ? entry.marks : undefined;
  const write = space + cloneOf(page, model, { href, text: entry.text, marks });
  const end = page.source.length;
  return recompose(
    page,
    [
      { start: 0, end: at },
      { ...copied, write, isClone: true },
      { start: at, end },
    ],
    ids,
  );
}

const isMarked = (element: Element) =>
  attributeOf(element, 'aria-current') !== undefined ||
  markClasses.some((name) => hasToken(element, 'class', name));

const rangeOf = ({ sourceCodeLocation }: Element) => ({
  start: sourceCodeLocation!.startOffset,
  end: sourceCodeLocation!.endOffset,
});

/**
 * The markup of an entry with another text and address, marked as the current page where it is
 * that.
 */
function cloneOf(
  page: HtmlDocument,
  { link, block }: Entry,
  { href, text, marks }: { href: string; text: string; marks: Marks | undefined },
): string {
  const edit = new MagicString(page.source);
  writeAttribute(edit, page, link, 'href', href);
  const [first, ...others] = within(link)
    .flatMap(({ childNodes }) => childNodes.filter(isText))
    .filter(({ value }) => !isBlank(value));
  const place = first!.sourceCodeLocation!;
  edit.overwrite(place.startOffset, place.endOffset, escapeText(text));
  for (const { sourceCodeLocation: rest } of others)
    edit.remove(rest!.startOffset, rest!.endOffset);
  for (const element of new Set([link, block])) {
    const own = (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
    const classes = [
      ...own.filter((name) => !markClasses.includes(name)),
      ...((element === link ? marks?.link : marks?.block) ?? []),
    ];
    if (classes.join(' ') !== own.join(' '))
      writeAttribute(edit, page, element, 'class', classes.join(' '));
  }
  if (marks?.current !== undefined) writeAttribute(edit, page, link, 'aria-current', marks.current);
  const { start, end } = rangeOf(block);
  return edit.slice(start, end);
}

/** The page without entries of its navigations; null where it has none of them. */
export const removeEntries = (
  page: HtmlDocument,
  file: PageFile,
  name: EntryName,
  ids: PageIds | undefined,
): Rebuilt | null => removeFrom(mainMenusOf(page).flat(), { page, file }, name, ids);

function removeFrom(
  entries: Entry[],
  { page, file }: { page: HtmlDocument; file: PageFile },
  name: EntryName,
  ids: PageIds | undefined,
): Rebuilt | null {
  const addresses = addressesOf(page, { template: file, target: file });
  const found = entries
    .filter(({ link, text }) =>
      'text' in name
        ? isSame(text, name.text)
        : addresses.slugOf(attributeOf(link, 'href') ?? '') === name.slug,
    )
    .filter(({ link, block }) => 'text' in name || (!hasImage(link) && linksIn(block) === 1));
  const blocks = found.map(({ block }) => withSpace(page, rangeOf(block)));
  return blocks.length === 0 ? null : without(page, blocks, ids);
}

/**
 * The page with the links to another one as plain text; null where it has none. Entries of
 * navigations go whole.
 */
export function dropLinks(
  page: HtmlDocument,
  file: PageFile,
  slug: string,
  ids: PageIds | undefined,
): Rebuilt | null {
  const cleared = removeFrom(menusOf(page).flat(), { page, file }, { slug }, ids);
  const rest = cleared ? openPage(cleared) : page;
  const addresses = addressesOf(rest, { template: file, target: file });
  const isLink = (element: Element) =>
    (element.tagName === 'a' || element.tagName === 'area') &&
    addresses.slugOf(attributeOf(element, 'href') ?? '') === slug;
  const tags = [...rest.numbers.keys()].filter(isLink).flatMap(({ sourceCodeLocation: place }) => {
    if (!place?.startTag) return [];
    const open = { start: place.startTag.startOffset, end: place.startTag.endOffset };
    return place.endTag
      ? [open, { start: place.endTag.startOffset, end: place.endTag.endOffset }]
      : [open];
  });
  return tags.length === 0 ? cleared : without(rest, tags, cleared?.ids ?? ids);
}
