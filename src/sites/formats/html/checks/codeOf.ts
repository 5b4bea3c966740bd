import { attributeOf, baseHref, childText, type Element, type HtmlDocument } from '../document.ts';
import { jsonOf } from '../slots/plainSlotPlaces.ts';
import { readUrl } from '../../../pages/urlHosts.ts';
import { insideTemplates } from './insideTemplates.ts';
import { holdsWords, isRefresh } from './mentions.ts';
import { originOf } from '../../../checks/originOf.ts';
import { spotOf } from './spotOf.ts';
import type { Spot } from '../../faults.ts';

/**
 * Finds the code of a page: scripts, event handlers, `javascript:` addresses, content that is
 * parsed later (`srcdoc`, `noscript`), the same in `template` elements, and a `<base>` on another
 * host.
 * @param nameOf turns a script's address into its path from the site's root, which is the same on
 *   every page
 * @returns the place of each piece of code, by its content
 */
export function codeOf(page: HtmlDocument, nameOf: (url: string) => string): Map<string, Spot> {
  const code = new Map<string, Spot>();
  const add = (key: unknown, spot: Spot) => code.set(JSON.stringify(key), spot);
  const base = readUrl(baseHref(page) ?? '');
  const element = page.elements.find(({ tagName }) => tagName === 'base');
  if (element && originOf({ url: base, kind: 'base' }))
    add(['base', base], spotOf(element, 'href'));
  for (const element of page.elements) addCode(element, nameOf, add);
  for (const element of insideTemplates(page)) addCode(element, readUrl, add);
  return code;
}

const sources = ['src', 'href', 'xlink:href'];

function addCode(
  element: Element,
  nameOf: (url: string) => string,
  add: (key: unknown, spot: Spot) => void,
) {
  const { tagName, namespaceURI } = element;
  if (tagName === 'script' ? !jsonOf(element) : tagName === 'noscript') {
    const urls = sources
      .map((name) => attributeOf(element, name))
      .map((url) => url && nameOf(readUrl(url)));
    const kind = ['type', 'language'].map((name) => attributeOf(element, name));
    add([namespaceURI, tagName, ...kind, ...urls, childText(element)], spotOf(element));
  }
  for (const { name, value } of element.attrs)
    if (isCode(element, name, value)) add([name, value], spotOf(element, name));
}

/** Whether an attribute always holds code. */
export const isAlwaysCode = (name: string) => name.startsWith('on') || name === 'srcdoc';

function isCode(element: Element, name: string, value: string): boolean {
  if (isAlwaysCode(name)) return true;
  if (name === 'attributeName') return /^\s*on/i.test(value);
  if (name === 'content' ? !isRefresh(element) : holdsWords(element, name)) return false;
  const parts =
    name === 'values' ? value.split(';') : name === 'content' ? value.split(/[;,='"]/) : [value];
  return parts.some((part) => /^(javascript|vbscript):/i.test(readUrl(part)));
}
