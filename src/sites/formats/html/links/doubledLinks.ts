import type { Doubled } from '../../faults.ts';
import { countsOf } from '../../../countsOf.ts';
import { remembered } from '../../../remembered.ts';
import { ancestors, attributeOf, childrenOf, isText, parentOf, type Element } from '../document.ts';
import type { Page } from '../openPage.ts';
import { isMenu } from '../changes/menu.ts';
import { landmarkOf } from '../roles.ts';
import { isBlank } from '../escape.ts';
import { parseReference } from '../../../pages/urls.ts';
import { languageTag } from '../../../../text/languageTag.ts';
import { addressesOf, type Addresses } from './pageAddresses.ts';
import { isLink, nameOf } from './pageLinks.ts';

/** `excess` is the number of surplus entries in all menus of the page. */
interface Counted extends Doubled {
  excess: number;
}
export type DoubledLinks = ReadonlyMap<string, Counted>;

interface Entry {
  /** The navigation or list; `block` is the item that the link is in. */
  menu: Element;
  block: Element;
  where: Doubled['where'];
}

interface Leading extends Entry {
  link: Element;
  target: string;
  text: string;
}

/** Finds entries of navigations and lists that lead to the same place as another entry there. */
export function doubledLinks(page: Page): DoubledLinks {
  const addresses = addressesOf(page);
  const lists = listsOf();
  const entries = page.elements.filter(isLink).flatMap((link): Leading[] => {
    const target = targetOf(addresses, attributeOf(link, 'href') ?? '');
    const entry = target === undefined ? null : (inNavigation(link) ?? lists.entryOf(link));
    return entry && target !== undefined ? [{ ...entry, link, target, text: nameOf(link) }] : [];
  });
  const found = new Map<string, Counted>();
  for (const own of Map.groupBy(entries, ({ menu }) => menu).values())
    for (const { excess, ...doubled } of doubledIn(own)) {
      const key = `${doubled.where} ${doubled.target}`;
      found.set(key, { ...doubled, excess: excess + (found.get(key)?.excess ?? 0) });
    }
  return found;
}

/**
 * The links that an edit doubled. Lists that already led to one place several times don't count:
 * their cards may all have the same button.
 */
export const gainedDoubles = (before: DoubledLinks, after: DoubledLinks): Doubled[] =>
  [...after].flatMap(([key, { excess, ...doubled }]) => {
    const known = before.get(key)?.excess ?? 0;
    return excess > known && (doubled.where === 'navigation' || known === 0) ? [doubled] : [];
  });

function doubledIn(entries: Leading[]): Counted[] {
  const blocks = Map.groupBy(entries, ({ block }) => block);
  const isList = entries[0]!.where === 'list';
  const single = [...blocks.values()].filter(
    (links) => new Set(links.map(({ target }) => target)).size === 1,
  );
  if (isList && single.length * 2 < blocks.size) return [];
  const leading = isList ? single : [...blocks.values()];
  const byTarget = Map.groupBy(
    leading.flatMap((links) => [...new Map(links.map((link) => [link.target, link])).values()]),
    ({ target }) => target,
  );
  if (isList && byTarget.size === 1) return [];
  return [...byTarget]
    .filter(([, links]) => links.length > 1 && links.filter(isNoLanguage).length > 1)
    .map(([target, links]) => ({
      where: links[0]!.where,
      target,
      texts: links.map(({ text }) => text),
      excess: links.length - 1,
    }));
}

/** Whether a link is no link of a language (`DE`, `Deutsch (DE)`), which may repeat an entry. */
function isNoLanguage({ link, text }: Leading): boolean {
  if (['hreflang', 'lang'].some((name) => attributeOf(link, name) !== undefined)) return false;
  const words = text.split(/[^\p{L}\p{M}-]+/u).filter((word) => word !== '');
  return words.length === 0 || words.length > LONGEST_NAME || !words.every(languageTag);
}

const LONGEST_NAME = 3;

/** The target of an entry; undefined for a link that opens a menu, writes an e-mail or dials. */
function targetOf(addresses: Addresses, href: string): string | undefined {
  const { scheme, authority, path, fragment } = parseReference(href);
  const isPlaceholder = fragment === '#' || fragment === '#!';
  if (isPlaceholder || (path === '' && fragment === '' && authority === '')) return undefined;
  const slug = addresses.slugOf(href);
  if (slug !== undefined) return slug + fragment;
  if (scheme === '' && authority === '') return fragment || undefined;
  return authority === '' ? undefined : scheme + authority + path + fragment;
}

/**
 * The navigation that a link is in. Each list in it counts as a navigation of its own, since there
 * may be one for phones and one for wide windows.
 */
function inNavigation(link: Element): Entry | null {
  const landmark = landmarkOf(link);
  if (!landmark || !isMenu(landmark)) return null;
  let [menu, block] = [landmark, link];
  for (const around of ancestors(link)) {
    if (around === landmark) break;
    if (around.tagName === 'li' && block === link) block = around;
    if (around.tagName === 'ul' || around.tagName === 'ol') menu = around;
  }
  return { menu, block, where: 'navigation' };
}

const members = new Set('li tr div article figure a dt'.split(' '));

/**
 * Makes a function that finds the list item of a link: the innermost of several siblings with one
 * element name.
 */
function listsOf() {
  const counts = new Map<Element, Map<string, number>>();
  const known = new Map<Element, Entry | null>();
  const countsIn = (parent: Element) => remembered(counts, parent, () => countChildren(parent));
  const look = (element: Element): Entry | null => {
    const parent = parentOf(element);
    if (!parent || element.tagName === 'body') return null;
    const isMember =
      members.has(element.tagName) && (countsIn(parent).get(element.tagName) ?? 0) > 1;
    return isMember ? { menu: parent, block: element, where: 'list' } : entryOf(parent);
  };
  const entryOf = (element: Element): Entry | null =>
    remembered(known, element, () => look(element));
  return { entryOf };
}

/** Counts an element's children by name. Returns none if there is text between them. */
function countChildren(parent: Element): Map<string, number> {
  const hasText = parent.childNodes.some((node) => isText(node) && !isBlank(node.value));
  return countsOf(hasText ? [] : childrenOf(parent).map(({ tagName }) => tagName));
}
