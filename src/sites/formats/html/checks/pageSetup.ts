import { html } from 'parse5';
import { quoteText } from '../../../../text/text.ts';
import { isBlank } from '../escape.ts';
import { readPageLanguage } from '../language.ts';
import {
  attributeOf,
  childText,
  closest,
  type PageElement,
  hasToken,
  type HtmlDocument,
} from '../document.ts';
import { dataKind } from '../values/dataValues.ts';
import { readUrl } from '../../../pages/urls/urlHosts.ts';
import type { SetupChange } from '../../pageFindings.ts';

/**
 * A script, style sheet or declaration that is in effect on a page: a key that is the same for the
 * same part on two versions of the page, and the part in a sentence for people.
 */
type SetupPart = readonly [key: string, name: string];

/** What a page needs besides its texts: see `SetupChange`. */
export interface PageSetup {
  parts: SetupPart[];
  /** Whether the page asks search engines not to list it. */
  isUnlisted: boolean;
}

/**
 * Finds the scripts, style sheets, viewport, `charset` and `lang` that are in effect on a page,
 * what search engines read in its head, and what asks them not to list it. What stands in a
 * comment, a `template` or a `noscript` element is not in effect. Structured data is left out: it
 * goes with what it describes.
 * @param resolveUrl turns a URL into its path from the site's root, which is the same on every page
 */
export function readPageSetup(page: HtmlDocument, resolveUrl: (url: string) => string): PageSetup {
  const elements = page.elements.filter(
    (element) =>
      element.namespaceURI === html.NS.HTML &&
      !closest(element, ({ tagName }) => tagName === 'noscript'),
  );
  const metas = elements.filter(({ tagName }) => tagName === 'meta');
  const parts: SetupPart[] = [
    ...elements.flatMap((element) => scriptPart(element, resolveUrl)),
    ...elements.flatMap((element) => stylePart(element, resolveUrl)),
    ...viewportPart(metas),
    ...(page.bom !== '' || metas.some(isCharset)
      ? [['charset', 'the character encoding (charset)'] as const]
      : []),
    ...(isBlank(readPageLanguage(page) ?? '')
      ? []
      : [['lang', "the page's language (lang)"] as const]),
    ...elements.flatMap(searchParts),
  ];
  return { parts, isUnlisted: metas.some(isUnlisting) };
}

/**
 * Compares the setup of two versions of a page.
 * @param oldSetup null for a page without a former version
 */
export function compareSetups(oldSetup: PageSetup | null, newSetup: PageSetup): SetupChange {
  const keysInEffect = new Set(newSetup.parts.map(([key]) => key));
  const lostParts = (oldSetup?.parts ?? []).filter(([key]) => !keysInEffect.has(key));
  return {
    removed: [...new Set(lostParts.map(([, name]) => name))],
    isUnlisted: newSetup.isUnlisted && !oldSetup?.isUnlisted,
  };
}

/** For a page without a change of its setup. */
export const sameSetup: SetupChange = { removed: [], isUnlisted: false };

const attributeWord = (element: PageElement, attribute: string) =>
  (attributeOf(element, attribute) ?? '').trim().toLowerCase();

/** A media type without its parameters: `text/css`. */
const mediaType = (element: PageElement) => attributeWord(element, 'type').split(';', 1)[0]!.trim();

/** A URL without its query, which may hold a secret or a version. */
const quoteFile = (url: string) => quoteText(url.replace(/(?<=.)[?#].*/s, ''), 120);

const scriptTypes = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/jscript)?$/;
const maxCodeLength = 40;

function scriptPart(element: PageElement, resolveUrl: (url: string) => string): SetupPart[] {
  const type = mediaType(element);
  if (element.tagName !== 'script' || type === 'application/ld+json') return [];
  const kind = scriptTypes.test(type) ? '' : type;
  const src = attributeOf(element, 'src');
  const code = childText(element);
  if (src) {
    const file = resolveUrl(readUrl(src));
    return [[`script ${kind} ${file}`, `the script ${quoteFile(file)}`]];
  }
  if (isBlank(code)) return [];
  // its texts and URLs follow the page
  if (dataKind(element)) return [[`data ${kind}`, 'the data of a script']];
  const quotedCode = quoteText(code.trim().replace(/\s+/g, ' '), maxCodeLength);
  return [[`code ${kind} ${code}`, `the inline script ${quotedCode}`]];
}

/** The style sheet or rules of an element, if browsers apply them. */
function stylePart(element: PageElement, resolveUrl: (url: string) => string): SetupPart[] {
  if (!['', 'text/css'].includes(mediaType(element))) return [];
  const media = attributeWord(element, 'media').replace(/^all$/, '').replace(/\s+/g, ' ');
  if (element.tagName === 'style')
    return isBlank(childText(element).replace(/\/\*.*?(?:\*\/|$)/gs, ''))
      ? []
      : [[`style ${media}`, 'style rules in the page (a style element)']];
  const href = attributeOf(element, 'href') ?? '';
  if (element.tagName !== 'link' || isBlank(href)) return [];
  // a script of the link's own makes it a style sheet once it is loaded
  const isDeferredSheet =
    hasToken(element, 'rel', 'preload') &&
    attributeWord(element, 'as') === 'style' &&
    attributeOf(element, 'onload') !== undefined;
  const isSheet =
    hasToken(element, 'rel', 'stylesheet') &&
    !hasToken(element, 'rel', 'alternate') &&
    attributeOf(element, 'disabled') === undefined;
  if (!isSheet && !isDeferredSheet) return [];
  const file = resolveUrl(readUrl(href));
  return [[`sheet ${media} ${file}`, `the style sheet ${quoteFile(file)}`]];
}

/** What only search engines read: the canonical URL, other languages and the description. */
function searchParts(element: PageElement): SetupPart[] {
  const isMeta = element.tagName === 'meta' && attributeWord(element, 'name') === 'description';
  if (isMeta && !isBlank(attributeWord(element, 'content')))
    return [['description', 'the description for search engines']];
  if (element.tagName !== 'link' || isBlank(attributeWord(element, 'href'))) return [];
  if (hasToken(element, 'rel', 'canonical')) return [['canonical', 'the canonical URL']];
  const language = hasToken(element, 'rel', 'alternate') ? attributeWord(element, 'hreflang') : '';
  if (language === '') return [];
  const name = `the link to the page's version in another language (hreflang ${quoteText(language)})`;
  return [[`hreflang ${language}`, name]];
}

/** The last viewport counts. One that has only an initial scale fits the device's width too. */
function viewportPart(metas: PageElement[]): SetupPart[] {
  const lastViewport = metas.findLast((meta) => attributeWord(meta, 'name') === 'viewport');
  const content = lastViewport ? attributeWord(lastViewport, 'content') : '';
  const fits =
    /device-width/.test(content) || (!/width/.test(content) && /initial-scale/.test(content));
  return fits ? [['viewport', 'the viewport that fits the page to phones']] : [];
}

function isCharset(meta: PageElement): boolean {
  if (attributeWord(meta, 'charset') !== '') return true;
  const isType = attributeWord(meta, 'http-equiv') === 'content-type';
  return isType && /charset\s*=\s*["']?[^\s"';]/.test(attributeWord(meta, 'content'));
}

/** Matches the names of programs that read pages for search engines, and `robots` for all. */
const crawler = /robot|bot\b|spider|crawl|slurp|yandex|baidu|teoma/;

/** Whether a `meta` asks search engines, or one of them, not to list the page. */
export function isUnlisting(meta: PageElement): boolean {
  if (meta.tagName !== 'meta') return false;
  const names = ['name', 'property', 'http-equiv'].map((name) => attributeWord(meta, name));
  const rules = attributeWord(meta, 'content').split(/[\s,;:]+/);
  return (
    names.some((name) => crawler.test(name)) &&
    ['noindex', 'none', 'unavailable_after'].some((rule) => rules.includes(rule))
  );
}
