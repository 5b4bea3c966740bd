import { attributeOf, baseHref, childText, type Element, type HtmlDocument } from '../document.ts';
import { jsonOf } from '../slots/plainSlotPlaces.ts';
import { readUrl } from '../../../pages/urlHosts.ts';
import { allElements } from '../insideTemplates.ts';
import type { Addresses } from '../links/pageAddresses.ts';
import { mapUrls } from '../links/urlAttributes.ts';
import { dataKind, mapStrings, mayBeCode } from '../values/dataValues.ts';
import { holdsWords, isRefresh } from './mentions.ts';
import { originOf } from '../../../checks/originOf.ts';
import { spotOf } from './spotOf.ts';
import type { Spot } from '../../faults.ts';

/**
 * Finds the code of a page: scripts, event handlers, `javascript:` addresses, content that is
 * parsed later (`srcdoc`), the same in `template` elements, and a `<base>` on another host. The
 * plain texts in a script's data are no code.
 * @param addresses the page's: a script's address counts as its path from the site's root, which is
 *   the same on every page
 * @returns the place of each piece of code, by its content
 */
export function codeOf(page: HtmlDocument, addresses: Addresses): Map<string, Spot> {
  const nameOf = (url: string) => addresses.pathOf(url) ?? url;
  const code = new Map<string, Spot>();
  const add = (key: unknown, spot: Spot) => code.set(JSON.stringify(key), spot);
  const base = readUrl(baseHref(page) ?? '');
  const element = page.elements.find(({ tagName }) => tagName === 'base');
  if (element && originOf({ url: base, kind: 'base' }))
    add(['base', base], spotOf(element, 'href'));
  const contentOf = (element: Element) => codeContent(element, addresses);
  for (const element of allElements(page)) addCode(element, { nameOf, contentOf }, add);
  return code;
}

const sources = ['src', 'href', 'xlink:href'];

function addCode(
  element: Element,
  {
    nameOf,
    contentOf,
  }: Record<'nameOf', (url: string) => string> & Record<'contentOf', (element: Element) => string>,
  add: (key: unknown, spot: Spot) => void,
) {
  const { tagName, namespaceURI } = element;
  if (tagName === 'script' ? !jsonOf(element) : tagName === 'noscript') {
    const urls = sources
      .map((name) => attributeOf(element, name))
      .map((url) => url && nameOf(readUrl(url)));
    const kind = ['type', 'language'].map((name) => attributeOf(element, name));
    add([namespaceURI, tagName, ...kind, ...urls, contentOf(element)], spotOf(element));
  }
  for (const { name, value } of element.attrs)
    if (isCode(element, name, value)) add([name, value], spotOf(element, name));
}

/**
 * A script's content. In data, plain texts are left out, and addresses of the site are shortened to
 * their files, as they differ on pages in other folders.
 */
function codeContent(element: Element, { isSelf, inText }: Addresses): string {
  const text = childText(element);
  const kind = dataKind(element);
  if (kind === undefined) return text;
  const fileOf = (url: string) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\/|[\s<>"']/i.test(url)) return url;
    return /[./]/.test(url) && isSelf(url) ? '.' : url.slice(url.lastIndexOf('/') + 1);
  };
  return mapStrings(text, (value) =>
    kind === 'data' && !mayBeCode(value)
      ? ''
      : inText(mapUrls(value, 'words', fileOf), (url) => (isSelf(url) ? '' : url)),
  );
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
