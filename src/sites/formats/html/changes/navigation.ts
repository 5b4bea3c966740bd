import type { NewEntry, EntryName, EditedPageSource } from '../../changes.ts';
import type { EntryMarks, MenuEntry } from '../../pageParts.ts';
import MagicString from 'magic-string';
import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import { writeAttribute } from '../writeAttributes.ts';
import type { TextRange } from '../../../../text/textRange.ts';
import {
  ancestors,
  attributeOf,
  hasToken,
  isText,
  parentOf,
  rangeOf,
  textContentOf,
  tokensOf,
  within,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { elementSlotId, openHtmlPage, type HtmlPage } from '../openHtmlPage.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import { isLinkElement, linksTo } from '../links/pageLinks.ts';
import { landmarkOf, roleOf } from '../roles.ts';
import { escapeText, isBlank, validHtmlLine } from '../../escape.ts';
import { recompose, withoutRanges, includeSpace } from './recompose.ts';

/**
 * Reads and changes the navigations of a page (`nav` elements and the like). An entry is a link of
 * a navigation together with its list item. Its marks are the classes and the `aria-current` by
 * which a site shows the entry of the current page.
 */

interface NavigationEntry {
  link: PageElement;
  /** The link's list item, or the link itself. */
  block: PageElement;
  text: string;
}

/** Whether a landmark (a region such as the navigation or the footer) is a navigation. */
export const isMenu = (landmark: PageElement | null) =>
  landmark !== null &&
  (landmark.tagName === 'nav' || attributeOf(landmark, 'role') === 'navigation');
/** Classes that mark the entry of the current page in many themes. */
export const markClasses = ['active', 'current', 'is-active', 'selected'];

const isEntry = (element: PageElement) => element.tagName === 'a' && isLinkElement(element);

/** The entries of each navigation of the page, including breadcrumbs. */
function menusOf({ elements }: HtmlDocument): NavigationEntry[][] {
  const links = elements.filter((element) => isEntry(element) && isMenu(landmarkOf(element)));
  return [...Map.groupBy(links, landmarkOf).values()].map((navLinks) =>
    navLinks.map((link) => ({
      link,
      block: entryBlock(link),
      text: validHtmlLine(textContentOf(link)),
    })),
  );
}

/** The main navigations: no breadcrumbs, and those in footers only if there are no others. */
export function mainMenusOf(page: HtmlDocument): NavigationEntry[][] {
  const breadcrumbs = findBreadcrumbs(page);
  const menus = menusOf(page).filter(([entry]) => !breadcrumbs.has(landmarkOf(entry!.link)!));
  const mainMenus = menus.filter(([entry]) => !isInFooter(landmarkOf(entry!.link)!));
  return mainMenus.length > 0 ? mainMenus : menus;
}

function isInFooter(nav: PageElement): boolean {
  const parent = parentOf(nav);
  const landmark = parent ? landmarkOf(parent) : null;
  return (
    landmark?.tagName === 'footer' || (landmark && attributeOf(landmark, 'role')) === 'contentinfo'
  );
}

/** The entries of the main navigations. */
export const mainEntries = (page: HtmlDocument): NavigationEntry[] => mainMenusOf(page).flat();

/** Breadcrumbs: navigations with that name, or that end with the current page without a link. */
function findBreadcrumbs(page: HtmlDocument): Set<PageElement> {
  const elements = page.elements.filter((element) => isMenu(landmarkOf(element)));
  const links = elements.filter(isEntry);
  const breadcrumbs = new Set<PageElement>();
  const linkAncestors = new Set<PageElement>();
  for (const link of links)
    for (const ancestor of ancestors(link))
      if (linkAncestors.has(ancestor)) break;
      else linkAncestors.add(ancestor);
  const isOfLink = (element: PageElement) =>
    linkAncestors.has(element) || ['link', 'button'].includes(roleOf(element));
  const lastLinks = new Map(links.map((link) => [landmarkOf(link), link]));
  const passedNavs = new Set<PageElement>();
  for (const element of elements) {
    const nav = landmarkOf(element)!;
    if (lastLinks.get(nav) === element) passedNavs.add(nav);
    const isCurrentText =
      passedNavs.has(nav) &&
      attributeOf(element, 'aria-current') !== undefined &&
      !isOfLink(element);
    if (isCurrentText || isNamedBreadcrumb(element)) breadcrumbs.add(nav);
  }
  return breadcrumbs;
}

const isNamedBreadcrumb = (element: PageElement) =>
  ['nav', 'ol', 'ul', 'div'].includes(element.tagName) &&
  ['class', 'id', 'aria-label', 'itemtype'].some((name) =>
    /breadcrumb/i.test(attributeOf(element, name) ?? ''),
  );

function entryBlock(link: PageElement): PageElement {
  const parent = parentOf(link);
  return parent?.tagName === 'li' ? parent : link;
}

const isSameText = (text: string, otherText: string) =>
  text.toLowerCase() === otherText.toLowerCase();

/** The entries of all navigations of a page. */
export function listMenuEntries(page: HtmlPage): MenuEntry[] {
  const { slugOfLink } = createUrlResolver(page);
  const mainLinks = new Set(
    mainMenusOf(page).flatMap((menu) => entriesWithoutBrand(menu).map(({ link }) => link)),
  );
  return menusOf(page)
    .flat()
    .map(({ link, block, text }) => {
      const slug = slugOfLink(link);
      const marks = slug === page.file.slug ? readEntryMarks(link, block) : undefined;
      const isMain = mainLinks.has(link) || undefined;
      return {
        text,
        link: `${elementSlotId(page, link)}.href`,
        ...withoutUndefined({ slug, marks, isMain }),
      };
    });
}

/** The entries of a navigation, except the site's name or logo. */
function entriesWithoutBrand(menu: NavigationEntry[]): NavigationEntry[] {
  const listItems = menu.filter(({ link, block }) => block !== link);
  return (listItems.length > 0 ? listItems : menu).filter(({ link }) => !hasImage(link));
}

/** The marks of an entry; undefined if it has none. */
export function readEntryMarks(link: PageElement, block: PageElement): EntryMarks | undefined {
  const marksIn = (element: PageElement) =>
    markClasses.filter((name) => hasToken(element, 'class', name));
  const entryMarks = {
    link: marksIn(link),
    block: block === link ? [] : marksIn(block),
    ...withoutUndefined({ current: attributeOf(link, 'aria-current') }),
  };
  return isMarked(link) || isMarked(block) ? entryMarks : undefined;
}

const countLinks = (block: PageElement) =>
  within([block]).filter(({ tagName }) => tagName === 'a').length;
const hasImage = (link: PageElement) => within([link]).some(({ tagName }) => tagName === 'img');

/** The entries that can be copied. Submenu toggles, buttons and entries in a submenu cannot. */
function plainEntries(menu: NavigationEntry[]): NavigationEntry[] {
  const blocks = new Set(menu.map(({ block }) => block));
  const isSubmenuEntry = ({ block }: NavigationEntry) =>
    ancestors(block)
      .drop(1)
      .some((ancestor) => blocks.has(ancestor));
  return menu.filter((entry) => {
    const { link, block, text } = entry;
    const hasSubmenu = countLinks(block) > 1;
    const isToggle =
      (attributeOf(link, 'href') ?? '').startsWith('#') && attributeOf(link, 'role') === 'button';
    const isBrand = link === block && hasImage(link);
    return (
      text !== '' &&
      !hasSubmenu &&
      !isToggle &&
      !isBrand &&
      !isSubmenuEntry(entry) &&
      roleOf(link) !== 'button'
    );
  });
}

/**
 * Adds an entry to one main navigation of the page: the first one that is a list, if there is one.
 * Null if no entry can be copied, if there is none to put it after, or if the navigation already
 * has it.
 */
export function addEntry(page: HtmlPage, entry: NewEntry): EditedPageSource | null {
  const urlResolver = createUrlResolver(page);
  const menus = mainMenusOf(page);
  const menu =
    menus.find((menu) => plainEntries(menu).some(({ block, link }) => block !== link)) ??
    menus[0] ??
    [];
  const copyableEntries = plainEntries(menu);
  const isSameEntry = ({ link, text }: NavigationEntry) =>
    isSameText(text, entry.text) && urlResolver.slugOfLink(link) === entry.page.slug;
  if (menu.some(isSameEntry)) return null;
  const previous = menu.find(({ text }) => isSameText(text, entry.after ?? ''));
  const list = copyableEntries.at(-1)?.block.parentNode;
  const siblings = copyableEntries.filter(({ block }) => block.parentNode === list);
  const insertAfter = entry.after === undefined ? siblings.at(-1) : previous;
  const model = siblings.findLast(({ link, block }) => !isMarked(link) && !isMarked(block));
  if (!insertAfter || !model) return null;
  const [position, modelRange] = [rangeOf(insertAfter.block).end, rangeOf(model.block)];
  const space = page.source.slice(includeSpace(page, modelRange).start, modelRange.start);
  const href = urlResolver.urlTo(attributeOf(model.link, 'href') ?? '/', {
    ...entry.page,
    query: '',
    fragment: '',
  });
  const marks = page.file.slug === entry.page.slug ? entry.marks : undefined;
  const write = space + cloneEntry(page, model, { href, text: entry.text, marks });
  const end = page.source.length;
  return recompose(page, [
    { start: 0, end: position },
    { ...modelRange, write, isClone: true },
    { start: position, end },
  ]);
}

const isMarked = (element: PageElement) =>
  attributeOf(element, 'aria-current') !== undefined ||
  markClasses.some((name) => hasToken(element, 'class', name));

/**
 * A copy of an entry's markup with another text and URL. It has the given marks, and none of the
 * copied entry's classes for the current page.
 */
function cloneEntry(
  page: HtmlDocument,
  { link, block }: NavigationEntry,
  { href, text, marks }: { href: string; text: string; marks: EntryMarks | undefined },
): string {
  const sourceEditor = new MagicString(page.source);
  writeAttribute(sourceEditor, page, link, ['href', href]);
  const [firstText, ...otherTexts] = within([link])
    .flatMap(({ childNodes }) => childNodes.filter(isText))
    .filter(({ value }) => !isBlank(value));
  const location = firstText!.sourceCodeLocation!;
  sourceEditor.overwrite(location.startOffset, location.endOffset, escapeText(text));
  for (const { sourceCodeLocation: location } of otherTexts)
    sourceEditor.remove(location!.startOffset, location!.endOffset);
  for (const element of new Set([link, block])) {
    const classNames = tokensOf(element, 'class');
    const classes = [
      ...classNames.filter((name) => !markClasses.includes(name)),
      ...((element === link ? marks?.link : marks?.block) ?? []),
    ];
    if (classes.join(' ') !== classNames.join(' '))
      writeAttribute(sourceEditor, page, element, ['class', classes.join(' ')]);
  }
  if (marks?.current !== undefined)
    writeAttribute(sourceEditor, page, link, ['aria-current', marks.current]);
  const { start, end } = rangeOf(block);
  return sourceEditor.slice(start, end);
}

/** Removes entries of the main navigations; null if none match. */
export const removeEntries = (page: HtmlPage, name: EntryName): EditedPageSource | null =>
  removeMatchingEntries(page, mainMenusOf(page), name);

function removeMatchingEntries(
  page: HtmlPage,
  menus: NavigationEntry[][],
  name: EntryName,
): EditedPageSource | null {
  const { slugOfLink } = createUrlResolver(page);
  const matchesName = ({ link, block, text }: NavigationEntry) =>
    'text' in name
      ? isSameText(text, name.text)
      : slugOfLink(link) === name.slug && !hasImage(link) && countLinks(block) === 1;
  const matchingEntries = menus.flat().filter(matchesName);
  const blocks = matchingEntries.map(({ block }) => includeSpace(page, rangeOf(block)));
  return blocks.length === 0 ? null : withoutRanges(page, blocks);
}

/** Turns links to a page into text, and removes its navigation entries; null if there are none. */
export function dropLinks(page: HtmlPage, slug: string): EditedPageSource | null {
  const clearedPage = removeMatchingEntries(page, menusOf(page), { slug });
  const remainingPage = clearedPage ? openHtmlPage({ ...page.file, ...clearedPage }) : page;
  const tags = linksTo(remainingPage, slug).flatMap(
    ({ sourceCodeLocation: location }): TextRange[] =>
      location?.startTag
        ? [location.startTag, location.endTag]
            .filter((tag) => tag !== undefined)
            .map((tag) => ({ start: tag.startOffset, end: tag.endOffset }))
        : [],
  );
  return tags.length === 0 ? clearedPage : withoutRanges(remainingPage, tags);
}
