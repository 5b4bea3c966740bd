import type MagicString from 'magic-string';
import { parseReference } from '../../../pages/urls/urls.ts';
import type { NewEntry, EditedPageSource } from '../../changes.ts';
import type { PageFile } from '../../../../contract/site.ts';
import { attributeOf, tokensOf, within, type PageElement } from '../document.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import { isLinkElement } from '../links/pageLinks.ts';
import { editHtmlPage, type HtmlPage } from '../openHtmlPage.ts';
import { removeAttribute, writeAttribute } from '../writeAttributes.ts';
import { mainEntries, mainMenusOf, markClasses, readEntryMarks } from './navigation.ts';

/**
 * The entry of the current page in a navigation, which sites mark by a class such as `active` or by
 * `aria-current`. When a page is copied or gets an entry, these functions move the marks to the
 * right entry.
 */

const isSlugBelow = (slug: string, parent: string) =>
  parent !== '/' && slug.startsWith(`${parent}/`);

/**
 * Makes a test for entries of main navigations that lead to the page they are on, and not to a
 * place in it (`#team`).
 */
export function ownEntries(page: HtmlPage): (link: PageElement) => boolean {
  const { slugOfLink } = createUrlResolver(page);
  const ownLinks = mainEntries(page)
    .map(({ link }) => link)
    .filter((link) => slugOfLink(link) === page.file.slug && leadsToTop(link));
  const ownLinkSet = new Set(ownLinks);
  return (link) => ownLinkSet.has(link);
}

function leadsToTop(link: PageElement): boolean {
  const { path, fragment } = parseReference((attributeOf(link, 'href') ?? '').trim());
  return fragment === '' && path !== '';
}

/**
 * Marks the right entries as current in a copy of a page: the copy's own one, else those of pages
 * above it. All other entries lose their marks.
 * @param slugOf the slug that a link of the copy leads to
 */
export function markCurrent(
  sourceEditor: MagicString,
  page: HtmlPage,
  { slug, slugOf }: { slug: string; slugOf: (link: PageElement) => string | undefined },
) {
  const entries = mainEntries(page);
  const marks = entries.flatMap(({ link, block }) =>
    slugOf(link) === page.file.slug ? (readEntryMarks(link, block) ?? []) : [],
  )[0];
  for (const { link, block } of entries) {
    const targetSlug = slugOf(link);
    if (targetSlug === undefined) continue;
    const ownMarks = readEntryMarks(link, block);
    if (targetSlug === slug) {
      if (ownMarks || !marks) continue;
      addClasses(sourceEditor, page, link, marks.link);
      addClasses(sourceEditor, page, block, marks.block);
      if (marks.current !== undefined)
        writeAttribute(sourceEditor, page, link, ['aria-current', marks.current]);
    } else if (!ownMarks) continue;
    else if (!isSlugBelow(slug, targetSlug))
      for (const element of new Set([link, block])) removeMarks(sourceEditor, page, element);
    else if (ownMarks.current === 'page')
      writeAttribute(sourceEditor, page, link, ['aria-current', 'true']);
  }
  const entryLinks = new Set(entries.map(({ link }) => link));
  const otherLinks = page.elements.filter(
    (element) =>
      isLinkElement(element) &&
      !entryLinks.has(element) &&
      attributeOf(element, 'aria-current') === 'page',
  );
  for (const link of otherLinks)
    if (slugOf(link) !== undefined && slugOf(link) !== slug)
      removeAttribute(sourceEditor, link, 'aria-current');
}

/**
 * After an entry was added to the navigations of its own page, removes the marks of the other
 * entries. An entry whose submenu holds the new one keeps its mark. Navigations of other pages stay
 * as they are.
 * @param editedPage the page with the new entry; null if none was added
 */
export function keepOneMark(
  { path }: PageFile,
  { page: { slug }, marks: entryMarks }: NewEntry,
  editedPage: EditedPageSource | null,
): EditedPageSource | null {
  if (!editedPage) return null;
  const source = editHtmlPage({ path, source: editedPage.source }, (sourceEditor, page) => {
    if (page.file.slug !== slug) return;
    const { slugOfLink } = createUrlResolver(page);
    for (const menu of mainMenusOf(page)) {
      const markedEntries = menu.filter(({ link, block }) => readEntryMarks(link, block));
      const isOwnEntry = ({ link }: { link: PageElement }) => slugOfLink(link) === slug;
      const ownLinks = new Set(markedEntries.filter(isOwnEntry).map(({ link }) => link));
      for (const { link, block } of ownLinks.size > 0 ? markedEntries : []) {
        const hasSameMark = readEntryMarks(link, block)?.current === entryMarks?.current;
        if (within([block]).some((descendant) => ownLinks.has(descendant)) || !hasSameMark)
          continue;
        for (const element of new Set([link, block])) removeMarks(sourceEditor, page, element);
      }
    }
  });
  return { ...editedPage, source };
}

/** Removes the marks of a current entry from an element. */
export function removeMarks(sourceEditor: MagicString, page: HtmlPage, element: PageElement) {
  removeAttribute(sourceEditor, element, 'aria-current');
  const classNames = tokensOf(element, 'class');
  const keptNames = classNames.filter((name) => !markClasses.includes(name));
  if (keptNames.length === classNames.length) return;
  if (keptNames.length === 0) removeAttribute(sourceEditor, element, 'class');
  else writeAttribute(sourceEditor, page, element, ['class', keptNames.join(' ')]);
}

function addClasses(
  sourceEditor: MagicString,
  page: HtmlPage,
  element: PageElement,
  names: string[],
) {
  const allNames = new Set([...tokensOf(element, 'class'), ...names]);
  if (names.length > 0)
    writeAttribute(sourceEditor, page, element, ['class', [...allNames].join(' ')]);
}
