import type MagicString from 'magic-string';
import { parseReference } from '../../../pages/urls.ts';
import type { NewEntry, Edited } from '../../changes.ts';
import type { PageFile } from '../../../../contract/site.ts';
import { attributeOf, tokensOf, within, type Element } from '../document.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { isLink } from '../links/pageLinks.ts';
import { edited, type Page } from '../openPage.ts';
import { removeAttribute, writeAttribute } from '../writeAttributes.ts';
import { mainEntries, mainMenusOf, markClasses, marksOf } from './menu.ts';

const isBelow = (slug: string, parent: string) => parent !== '/' && slug.startsWith(`${parent}/`);

/** Makes a test for entries of main navigations that lead to their own page as a whole. */
export function ownEntries(page: Page): (link: Element) => boolean {
  const { slugOfLink } = addressesOf(page);
  const own = mainEntries(page)
    .map(({ link }) => link)
    .filter((link) => slugOfLink(link) === page.file.slug && leadsToTop(link));
  const all = new Set(own);
  return (link) => all.has(link);
}

function leadsToTop(link: Element): boolean {
  const { path, fragment } = parseReference((attributeOf(link, 'href') ?? '').trim());
  return fragment === '' && path !== '';
}

/**
 * Marks the right entries as current in a copy of a page: the copy's own one, else those of pages
 * above it. All other entries lose their marks.
 * @param slugOf the slug that a link of the copy leads to
 */
export function markCurrent(
  edit: MagicString,
  page: Page,
  { slug, slugOf }: { slug: string; slugOf: (link: Element) => string | undefined },
) {
  const entries = mainEntries(page);
  const marks = entries.flatMap(({ link, block }) =>
    slugOf(link) === page.file.slug ? (marksOf(link, block) ?? []) : [],
  )[0];
  for (const { link, block } of entries) {
    const leads = slugOf(link);
    if (leads === undefined) continue;
    const own = marksOf(link, block);
    if (leads === slug) {
      if (own || !marks) continue;
      addClasses(edit, page, link, marks.link);
      addClasses(edit, page, block, marks.block);
      if (marks.current !== undefined)
        writeAttribute(edit, page, link, ['aria-current', marks.current]);
    } else if (!own) continue;
    else if (!isBelow(slug, leads))
      for (const element of new Set([link, block])) unmark(edit, page, element);
    else if (own.current === 'page') writeAttribute(edit, page, link, ['aria-current', 'true']);
  }
  const known = new Set(entries.map(({ link }) => link));
  const others = page.elements.filter(
    (element) =>
      isLink(element) && !known.has(element) && attributeOf(element, 'aria-current') === 'page',
  );
  for (const link of others)
    if (slugOf(link) !== undefined && slugOf(link) !== slug)
      removeAttribute(edit, link, 'aria-current');
}

/**
 * A page that got an entry of its own: the other entries of that navigation lose their marks, but
 * for those of menus that hold it.
 */
export function withOneMark(
  { path }: PageFile,
  { page: { slug }, marks: given }: NewEntry,
  made: Edited | null,
): Edited | null {
  if (!made) return null;
  const source = edited({ path, source: made.source }, (edit, page) => {
    if (page.file.slug !== slug) return;
    const { slugOfLink } = addressesOf(page);
    for (const menu of mainMenusOf(page)) {
      const marked = menu.filter(({ link, block }) => marksOf(link, block));
      const isOwn = ({ link }: { link: Element }) => slugOfLink(link) === slug;
      const own = new Set(marked.filter(isOwn).map(({ link }) => link));
      for (const { link, block } of own.size > 0 ? marked : []) {
        const isLike = marksOf(link, block)?.current === given?.current;
        if (within([block]).some((inner) => own.has(inner)) || !isLike) continue;
        for (const element of new Set([link, block])) unmark(edit, page, element);
      }
    }
  });
  return { ...made, source };
}

/** Removes the marks of a current entry from an element. */
export function unmark(edit: MagicString, page: Page, element: Element) {
  removeAttribute(edit, element, 'aria-current');
  const own = tokensOf(element, 'class');
  const left = own.filter((name) => !markClasses.includes(name));
  if (left.length === own.length) return;
  if (left.length === 0) removeAttribute(edit, element, 'class');
  else writeAttribute(edit, page, element, ['class', left.join(' ')]);
}

function addClasses(edit: MagicString, page: Page, element: Element, names: string[]) {
  const all = new Set([...tokensOf(element, 'class'), ...names]);
  if (names.length > 0) writeAttribute(edit, page, element, ['class', [...all].join(' ')]);
}
