import {
  attributeOf,
  baseHref,
  childText,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { readJsonLd } from '../slots/plainSlotPlaces.ts';
import { readUrl } from '../../../pages/urls/urlHosts.ts';
import { allElements } from '../insideTemplates.ts';
import type { UrlResolver } from '../links/urlResolver.ts';
import { mapUrls } from '../links/urlAttributes.ts';
import { dataKind, mapStrings, mayBeCode } from '../values/dataValues.ts';
import { isTextAttribute, isRefresh } from './mentions.ts';
import { referencedOrigin } from '../../../checks/referencedOrigin.ts';
import { sourcePosition } from './sourcePosition.ts';
import type { SourcePosition } from '../../pageFindings.ts';

/**
 * Finds the code of a page: scripts, event handlers, `javascript:` URLs, content that is parsed
 * later (`srcdoc`), the same in `template` elements, server-side includes, and a `<base>` on
 * another host. The plain texts in a script's data are not code.
 * @param urlResolver resolves the page's URLs; a script's URL counts as its path from the site's
 *   root, which is the same on every page
 * @returns the position of each piece of code, by its content
 */
export function findCode(
  page: HtmlDocument,
  urlResolver: UrlResolver,
): Map<string, SourcePosition> {
  const nameUrl = (url: string) => urlResolver.pathOf(url) ?? url;
  const code = new Map<string, SourcePosition>();
  const addPlace = (key: unknown, spot: SourcePosition) => code.set(JSON.stringify(key), spot);
  const base = readUrl(baseHref(page) ?? '');
  const element = page.elements.find(({ tagName }) => tagName === 'base');
  if (element && referencedOrigin({ url: base, kind: 'base' }))
    addPlace(['base', base], sourcePosition(element, 'href'));
  const contentOf = (element: PageElement) => codeContent(element, urlResolver);
  for (const element of allElements(page))
    addElementCode(element, { nameOf: nameUrl, contentOf }, addPlace);
  addServerIncludes(page.source, addPlace);
  return code;
}

/** Matches a comment that a server with server-side includes carries out. */
const serverInclude = /<!--#[a-z].*?(?:-->|$)/gis;

function addServerIncludes(source: string, addPlace: (key: unknown, spot: SourcePosition) => void) {
  let line = 1;
  let lineEnd = 0;
  for (const { 0: include, index } of source.matchAll(serverInclude)) {
    line += source.slice(lineEnd, index).split('\n').length - 1;
    lineEnd = index;
    addPlace(['include', include], { line, element: '<!--#' });
  }
}

const sourceAttributes = ['src', 'href', 'xlink:href'];

function addElementCode(
  element: PageElement,
  {
    nameOf: nameUrl,
    contentOf,
  }: Record<'nameOf', (url: string) => string> &
    Record<'contentOf', (element: PageElement) => string>,
  addPlace: (key: unknown, spot: SourcePosition) => void,
) {
  const { tagName, namespaceURI } = element;
  if (tagName === 'script' ? !readJsonLd(element) : tagName === 'noscript') {
    const urls = sourceAttributes
      .map((name) => attributeOf(element, name))
      .map((url) => url && nameUrl(readUrl(url)));
    const kind = ['type', 'language'].map((name) => attributeOf(element, name));
    addPlace(
      [namespaceURI, tagName, ...kind, ...urls, contentOf(element)],
      sourcePosition(element),
    );
  }
  for (const { name, value } of element.attrs)
    if (isCodeAttribute(element, name, value))
      addPlace([name, value], sourcePosition(element, name));
}

/**
 * A script's content. In data, plain texts are left out, and URLs of the site are shortened to
 * their files, as they differ on pages in other folders.
 */
function codeContent(element: PageElement, { isSelf, inText }: UrlResolver): string {
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

function isCodeAttribute(element: PageElement, name: string, value: string): boolean {
  if (isAlwaysCode(name)) return true;
  if (name === 'attributeName') return /^\s*on/i.test(value);
  if (name === 'content' ? !isRefresh(element) : isTextAttribute(element, name)) return false;
  const valueParts =
    name === 'values' ? value.split(';') : name === 'content' ? value.split(/[;,='"]/) : [value];
  return valueParts.some((part) => /^(javascript|vbscript):/i.test(readUrl(part)));
}
