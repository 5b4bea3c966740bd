import type { DuplicateLink } from '../../pageFindings.ts';
import { countItems } from '../../../countItems.ts';
import { getOrCreate } from '../../../remembered.ts';
import {
  ancestors,
  attributeOf,
  childrenOf,
  isText,
  parentOf,
  type PageElement,
} from '../document.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { isMenu } from '../changes/navigation.ts';
import { landmarkOf } from '../roles.ts';
import { isBlank } from '../../escape.ts';
import { parseReference } from '../../../pages/urls/urls.ts';
import { languageTag } from '../../../../text/languageTag.ts';
import { createUrlResolver, type UrlResolver } from './urlResolver.ts';
import { isLinkElement, linkName } from './pageLinks.ts';

/** A duplicate link. `excess` is the number of surplus entries in all menus of the page. */
interface CountedDuplicate extends DuplicateLink {
  excess: number;
}
export type DuplicateLinks = ReadonlyMap<string, CountedDuplicate>;

interface LinkEntry {
  /** The navigation or list; `block` is the item that the link is in. */
  menu: PageElement;
  block: PageElement;
  where: DuplicateLink['where'];
}

interface TargetedEntry extends LinkEntry {
  link: PageElement;
  target: string;
  text: string;
}

/** Finds entries of navigations and lists that lead to the same place as another entry there. */
export function findDuplicateLinks(page: HtmlPage): DuplicateLinks {
  const urlResolver = createUrlResolver(page);
  const listFinder = createListFinder();
  const entries = page.elements.filter(isLinkElement).flatMap((link): TargetedEntry[] => {
    const target = entryTarget(urlResolver, attributeOf(link, 'href') ?? '');
    const entry = target === undefined ? null : (navigationEntry(link) ?? listFinder.entryOf(link));
    return entry && target !== undefined ? [{ ...entry, link, target, text: linkName(link) }] : [];
  });
  const duplicates = new Map<string, CountedDuplicate>();
  for (const menuEntries of Map.groupBy(entries, ({ menu }) => menu).values())
    for (const { excess, ...duplicate } of duplicatesIn(menuEntries)) {
      const key = `${duplicate.where} ${duplicate.target}`;
      duplicates.set(key, { ...duplicate, excess: excess + (duplicates.get(key)?.excess ?? 0) });
    }
  return duplicates;
}

/**
 * The links that a change duplicated. Lists that already led to one place several times don't
 * count: their cards may all have the same button.
 */
export const addedDuplicates = (
  oldDuplicates: DuplicateLinks,
  newDuplicates: DuplicateLinks,
): DuplicateLink[] =>
  [...newDuplicates].flatMap(([key, { excess, ...duplicate }]) => {
    const knownExcess = oldDuplicates.get(key)?.excess ?? 0;
    return excess > knownExcess && (duplicate.where === 'navigation' || knownExcess === 0)
      ? [duplicate]
      : [];
  });

function duplicatesIn(entries: TargetedEntry[]): CountedDuplicate[] {
  const blocks = Map.groupBy(entries, ({ block }) => block);
  const isList = entries[0]!.where === 'list';
  const singleTargetBlocks = [...blocks.values()].filter(
    (links) => new Set(links.map(({ target }) => target)).size === 1,
  );
  if (isList && singleTargetBlocks.length * 2 < blocks.size) return [];
  const countedBlocks = isList ? singleTargetBlocks : [...blocks.values()];
  const linksByTarget = Map.groupBy(
    countedBlocks.flatMap((links) => [
      ...new Map(links.map((link) => [link.target, link])).values(),
    ]),
    ({ target }) => target,
  );
  if (isList && linksByTarget.size === 1) return [];
  return [...linksByTarget]
    .filter(([, links]) => links.length > 1 && links.filter(isNoLanguageLink).length > 1)
    .map(([target, links]) => ({
      where: links[0]!.where,
      target,
      texts: links.map(({ text }) => text),
      excess: links.length - 1,
    }));
}

/**
 * Whether a link is not one that selects a language (`DE`, `Deutsch (DE)`). Such a link may repeat
 * an entry.
 */
function isNoLanguageLink({ link, text }: TargetedEntry): boolean {
  if (['hreflang', 'lang'].some((name) => attributeOf(link, name) !== undefined)) return false;
  const words = text.split(/[^\p{L}\p{M}-]+/u).filter((word) => word !== '');
  return words.length === 0 || words.length > MAX_LANGUAGE_WORDS || !words.every(languageTag);
}

const MAX_LANGUAGE_WORDS = 3;

/** The target of an entry; undefined for a link that opens a menu, writes an e-mail or dials. */
function entryTarget(urlResolver: UrlResolver, href: string): string | undefined {
  const { scheme, authority, path, fragment } = parseReference(href);
  const isPlaceholder = fragment === '#' || fragment === '#!';
  if (isPlaceholder || (path === '' && fragment === '' && authority === '')) return undefined;
  const slug = urlResolver.slugOf(href);
  if (slug !== undefined) return slug + fragment;
  if (scheme === '' && authority === '') return fragment || undefined;
  return authority === '' ? undefined : scheme + authority + path + fragment;
}

/**
 * The navigation that a link is in. Each list in it counts as a navigation of its own, since there
 * may be one for phones and one for wide windows.
 */
function navigationEntry(link: PageElement): LinkEntry | null {
  const landmark = landmarkOf(link);
  if (!landmark || !isMenu(landmark)) return null;
  let [menu, block] = [landmark, link];
  for (const ancestor of ancestors(link)) {
    if (ancestor === landmark) break;
    if (ancestor.tagName === 'li' && block === link) block = ancestor;
    if (ancestor.tagName === 'ul' || ancestor.tagName === 'ol') menu = ancestor;
  }
  return { menu, block, where: 'navigation' };
}

const memberTags = new Set('li tr div article figure a dt'.split(' '));

/**
 * Makes a function that finds the list item of a link: the innermost of several siblings with one
 * element name.
 */
function createListFinder() {
  const counts = new Map<PageElement, Map<string, number>>();
  const cachedEntries = new Map<PageElement, LinkEntry | null>();
  const countsIn = (parent: PageElement) =>
    getOrCreate(counts, parent, () => countChildren(parent));
  const findEntry = (element: PageElement): LinkEntry | null => {
    const parent = parentOf(element);
    if (!parent || element.tagName === 'body') return null;
    const isMember =
      memberTags.has(element.tagName) && (countsIn(parent).get(element.tagName) ?? 0) > 1;
    return isMember ? { menu: parent, block: element, where: 'list' } : entryOf(parent);
  };
  const entryOf = (element: PageElement): LinkEntry | null =>
    getOrCreate(cachedEntries, element, () => findEntry(element));
  return { entryOf };
}

/** Counts an element's children by name. Returns none if there is text between them. */
function countChildren(parent: PageElement): Map<string, number> {
  const hasText = parent.childNodes.some((node) => isText(node) && !isBlank(node.value));
  return countItems(hasText ? [] : childrenOf(parent).map(({ tagName }) => tagName));
}
