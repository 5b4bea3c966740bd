import { html } from 'parse5';
import { quoted } from '../../../../text/text.ts';
import { isBlank } from '../escape.ts';
import { languageOf } from '../language.ts';
import {
  attributeOf,
  childText,
  closest,
  type Element,
  hasToken,
  type HtmlDocument,
} from '../document.ts';
import { dataKind } from '../values/dataValues.ts';
import { readUrl } from '../../../pages/urlHosts.ts';
import type { SetupChange } from '../../faults.ts';

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
 * @param nameOf turns an address into its path from the site's root, which is the same on every
 *   page
 */
export function setupOf(page: HtmlDocument, nameOf: (url: string) => string): PageSetup {
  const elements = page.elements.filter(
    (element) =>
      element.namespaceURI === html.NS.HTML &&
      !closest(element, ({ tagName }) => tagName === 'noscript'),
  );
  const metas = elements.filter(({ tagName }) => tagName === 'meta');
  const parts: SetupPart[] = [
    ...elements.flatMap((element) => scriptIn(element, nameOf)),
    ...elements.flatMap((element) => styleIn(element, nameOf)),
    ...viewportOf(metas),
    ...(page.bom !== '' || metas.some(isCharset)
      ? [['charset', 'the character encoding (charset)'] as const]
      : []),
    ...(isBlank(languageOf(page) ?? '') ? [] : [['lang', "the page's language (lang)"] as const]),
    ...elements.flatMap(searchParts),
  ];
  return { parts, isUnlisted: metas.some(isUnlisting) };
}

/**
 * Compares the setup of two versions of a page.
 * @param before null for a page without a former version
 */
export function setupChange(before: PageSetup | null, after: PageSetup): SetupChange {
  const inEffect = new Set(after.parts.map(([key]) => key));
  const gone = (before?.parts ?? []).filter(([key]) => !inEffect.has(key));
  return {
    removed: [...new Set(gone.map(([, name]) => name))],
    isUnlisted: after.isUnlisted && !before?.isUnlisted,
  };
}

/** For a page without a change of its setup. */
export const sameSetup: SetupChange = { removed: [], isUnlisted: false };

const wordOf = (element: Element, attribute: string) =>
  (attributeOf(element, attribute) ?? '').trim().toLowerCase();

/** A media type without its parameters. */
const typeOf = (element: Element) => wordOf(element, 'type').split(';', 1)[0]!.trim();

/** An address without its query, which may hold a secret or a version. */
const quoteFile = (url: string) => quoted(url.replace(/(?<=.)[?#].*/s, ''), 120);

const scriptTypes = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/jscript)?$/;
const longestCode = 40;

function scriptIn(element: Element, nameOf: (url: string) => string): SetupPart[] {
  const type = typeOf(element);
  if (element.tagName !== 'script' || type === 'application/ld+json') return [];
  const kind = scriptTypes.test(type) ? '' : type;
  const src = attributeOf(element, 'src');
  const code = childText(element);
  if (src) {
    const file = nameOf(readUrl(src));
    return [[`script ${kind} ${file}`, `the script ${quoteFile(file)}`]];
  }
  if (isBlank(code)) return [];
  // its texts follow those of the page
  if (dataKind(element) === 'data') return [[`data ${kind}`, 'the data of a script']];
  const shown = quoted(code.trim().replace(/\s+/g, ' '), longestCode);
  return [[`code ${kind} ${code}`, `the inline script ${shown}`]];
}

/** The style sheet or rules of an element, if browsers apply them. */
function styleIn(element: Element, nameOf: (url: string) => string): SetupPart[] {
  if (!['', 'text/css'].includes(typeOf(element))) return [];
  const media = wordOf(element, 'media').replace(/^all$/, '').replace(/\s+/g, ' ');
  if (element.tagName === 'style')
    return isBlank(childText(element).replace(/\/\*.*?(?:\*\/|$)/gs, ''))
      ? []
      : [[`style ${media}`, 'style rules in the page (a style element)']];
  const href = attributeOf(element, 'href') ?? '';
  if (element.tagName !== 'link' || isBlank(href)) return [];
  // a script of the link's own makes it a style sheet once it is loaded
  const isLater =
    hasToken(element, 'rel', 'preload') &&
    wordOf(element, 'as') === 'style' &&
    attributeOf(element, 'onload') !== undefined;
  const isSheet =
    hasToken(element, 'rel', 'stylesheet') &&
    !hasToken(element, 'rel', 'alternate') &&
    attributeOf(element, 'disabled') === undefined;
  if (!isSheet && !isLater) return [];
  const file = nameOf(readUrl(href));
  return [[`sheet ${media} ${file}`, `the style sheet ${quoteFile(file)}`]];
}

/** What only search engines read: the canonical address, other languages and the description. */
function searchParts(element: Element): SetupPart[] {
  const isMeta = element.tagName === 'meta' && wordOf(element, 'name') === 'description';
  if (isMeta && !isBlank(wordOf(element, 'content')))
    return [['description', 'the description for search engines']];
  if (element.tagName !== 'link' || isBlank(wordOf(element, 'href'))) return [];
  if (hasToken(element, 'rel', 'canonical')) return [['canonical', 'the canonical address']];
  const language = hasToken(element, 'rel', 'alternate') ? wordOf(element, 'hreflang') : '';
  if (language === '') return [];
  const name = `the link to the page's version in another language (hreflang ${quoted(language)})`;
  return [[`hreflang ${language}`, name]];
}

/** The last viewport counts. One that has only an initial scale fits the device's width too. */
function viewportOf(metas: Element[]): SetupPart[] {
  const last = metas.findLast((meta) => wordOf(meta, 'name') === 'viewport');
  const words = last ? wordOf(last, 'content') : '';
  const fits = /device-width/.test(words) || (!/width/.test(words) && /initial-scale/.test(words));
  return fits ? [['viewport', 'the viewport that fits the page to phones']] : [];
}

function isCharset(meta: Element): boolean {
  if (wordOf(meta, 'charset') !== '') return true;
  const isType = wordOf(meta, 'http-equiv') === 'content-type';
  return isType && /charset\s*=\s*["']?[^\s"';]/.test(wordOf(meta, 'content'));
}

/** Matches the names of programs that read pages for search engines, and `robots` for all. */
const crawler = /robot|bot\b|spider|crawl|slurp|yandex|baidu|teoma/;

/** Whether a `meta` asks search engines, or one of them, not to list the page. */
export function isUnlisting(meta: Element): boolean {
  if (meta.tagName !== 'meta') return false;
  const names = ['name', 'property', 'http-equiv'].map((name) => wordOf(meta, name));
  const rules = wordOf(meta, 'content').split(/[\s,;:]+/);
  return (
    names.some((name) => crawler.test(name)) &&
    ['noindex', 'none', 'unavailable_after'].some((rule) => rules.includes(rule))
  );
}
