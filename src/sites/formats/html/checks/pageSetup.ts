import { html } from 'parse5';
import { quoted } from '../../../../text/text.ts';
import { isBlank } from '../escape.ts';
import { languageOf } from '../language.ts';
import { attributeOf, childText, type Element, hasToken, type HtmlDocument } from '../document.ts';
import { readUrl } from '../../../pages/urlHosts.ts';
import { cssAddresses } from '../../../styles/cssAddresses.ts';
import type { SetupChange } from '../../faults.ts';

/** A script, style sheet or declaration that is in effect on a page. */
interface SetupPart {
  /** The same for the same part on two versions of the page. */
  key: string;
  /** The part in a sentence for people. */
  name: string;
  /** Conditions that can stop a file from loading. A new one may switch the part off. */
  condition: string;
}

/** What a page needs besides its texts: see `SetupChange`. */
export interface PageSetup {
  parts: SetupPart[];
  /** The `meta` names by which the page asks search engines not to list it. */
  unlisted: ReadonlySet<string>;
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
  const { elements } = page;
  const metas = elements.filter((element) => element.tagName === 'meta' && isHtml(element));
  const parts = [
    ...elements.flatMap((element) => scriptIn(element, nameOf)),
    ...styleSheets(elements, nameOf),
    ...viewportOf(metas),
    ...(page.bom !== '' || metas.some(isCharset)
      ? [partOf('charset', 'the character encoding (charset)')]
      : []),
    ...(isBlank(languageOf(page) ?? '') ? [] : [partOf('lang', "the page's language (lang)")]),
    ...elements.flatMap(searchParts),
  ];
  return { parts, unlisted: new Set(metas.flatMap(unlistedBy)) };
}

/**
 * Compares the setup of two versions of a page.
 * @param before null for a page without a former version
 */
export function setupChange(before: PageSetup | null, after: PageSetup): SetupChange {
  const groups = Map.groupBy(before?.parts ?? [], ({ key }) => key);
  const isGone = (parts: SetupPart[]) => {
    const conditions = new Set(['', ...parts.map(({ condition }) => condition)]);
    const inEffect = after.parts.filter(
      ({ key, condition }) => key === parts[0]!.key && conditions.has(condition),
    );
    return inEffect.length < parts.length;
  };
  const gone = [...groups.values()].filter(isGone).map((parts) => parts[0]!.name);
  const wasUnlisted = (name: string) =>
    before?.unlisted.has(name) || before?.unlisted.has('robots') || false;
  return {
    removed: [...new Set(gone)],
    isUnlisted: [...after.unlisted].some((name) => !wasUnlisted(name)),
  };
}

/** For a page without a change of its setup. */
export const sameSetup: SetupChange = { removed: [], isUnlisted: false };

const partOf = (key: string, name: string, condition = ''): SetupPart => ({ key, name, condition });

const isHtml = ({ namespaceURI }: Element) => namespaceURI === html.NS.HTML;

const wordOf = (element: Element, attribute: string) =>
  (attributeOf(element, attribute) ?? '').trim().toLowerCase();

/** A media type without its parameters. */
const typeOf = (element: Element) => wordOf(element, 'type').split(';', 1)[0]!.trim();

/** An address without its query, which may hold a secret or a version. */
const quoteFile = (url: string) => quoted(url.replace(/(?<=.)[?#].*/s, ''), 120);

/** Conditions on which browsers load a file. */
const conditionOf = (element: Element) =>
  ['integrity', 'crossorigin']
    .map((name) => attributeOf(element, name))
    .filter((value) => value !== undefined)
    .join(' ');

const scriptTypes = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/jscript)?$/;
const longestCode = 40;

function scriptIn(element: Element, nameOf: (url: string) => string): SetupPart[] {
  const isRun = isHtml(element) || element.namespaceURI === html.NS.SVG;
  if (element.tagName !== 'script' || !isRun) return [];
  const type = typeOf(element);
  if (type === 'application/ld+json') return [];
  const kind = scriptTypes.test(type) ? '' : type;
  const src = ['src', 'href', 'xlink:href'].map((name) => attributeOf(element, name)).find(Boolean);
  const code = childText(element);
  if (src !== undefined) {
    const file = nameOf(readUrl(src));
    return [
      partOf(`script ${kind} ${file}`, `the script ${quoteFile(file)}`, conditionOf(element)),
    ];
  }
  if (isBlank(code)) return [];
  const shown = quoted(code.trim().replace(/\s+/g, ' '), longestCode);
  return [partOf(`code ${kind} ${code}`, `the inline script ${shown}`)];
}

/**
 * The style sheets that browsers apply. Of titled ones, they apply those with the first title
 * (HTML standard, "preferred style sheet set").
 */
function styleSheets(elements: readonly Element[], nameOf: (url: string) => string): SetupPart[] {
  const sheets = elements.filter(isApplied);
  const titleOf = (sheet: Element) => attributeOf(sheet, 'title') ?? '';
  const preferred = sheets.map(titleOf).find((title) => title !== '');
  return sheets
    .filter((sheet) => ['', preferred].includes(titleOf(sheet)))
    .flatMap((sheet) => sheetParts(sheet, nameOf));
}

function isApplied(element: Element): boolean {
  const { tagName } = element;
  const isStyle = ['', 'text/css'].includes(typeOf(element));
  if (tagName === 'style') return isStyle && !isBlank(withoutComments(childText(element)));
  if (tagName !== 'link' || !isHtml(element) || isBlank(attributeOf(element, 'href') ?? ''))
    return false;
  // a script of the link's own makes it a style sheet once it is loaded
  const isLater =
    hasToken(element, 'rel', 'preload') &&
    wordOf(element, 'as') === 'style' &&
    attributeOf(element, 'onload') !== undefined;
  const isSheet =
    hasToken(element, 'rel', 'stylesheet') &&
    !hasToken(element, 'rel', 'alternate') &&
    attributeOf(element, 'disabled') === undefined;
  return isStyle && (isSheet || isLater);
}

const withoutComments = (css: string) => css.replace(/\/\*.*?(?:\*\/|$)/gs, '');

function sheetParts(sheet: Element, nameOf: (url: string) => string): SetupPart[] {
  const media = wordOf(sheet, 'media').replace(/^all$/, '').replace(/\s+/g, ' ');
  const part = (url: string) => {
    const file = nameOf(readUrl(url));
    return partOf(
      `sheet ${media} ${file}`,
      `the style sheet ${quoteFile(file)}`,
      conditionOf(sheet),
    );
  };
  if (sheet.tagName === 'link') return [part(attributeOf(sheet, 'href')!)];
  const imported = cssAddresses(childText(sheet)).filter(({ kind }) => kind === 'style sheet');
  const rules = partOf(`style ${media}`, 'style rules in the page (a style element)');
  return [rules, ...imported.map(({ url }) => part(url))];
}

/** What only search engines read: the canonical address, other languages and the description. */
function searchParts(element: Element): SetupPart[] {
  const isMeta = element.tagName === 'meta' && wordOf(element, 'name') === 'description';
  if (isMeta && !isBlank(wordOf(element, 'content')))
    return [partOf('description', 'the description for search engines')];
  if (element.tagName !== 'link' || isBlank(wordOf(element, 'href'))) return [];
  if (hasToken(element, 'rel', 'canonical')) return [partOf('canonical', 'the canonical address')];
  const language = hasToken(element, 'rel', 'alternate') ? wordOf(element, 'hreflang') : '';
  if (language === '') return [];
  const name = `the link to the page's version in another language (hreflang ${quoted(language)})`;
  return [partOf(`hreflang ${language}`, name)];
}

/** The last viewport counts. One that has only an initial scale fits the device's width too. */
function viewportOf(metas: Element[]): SetupPart[] {
  const last = metas.findLast((meta) => wordOf(meta, 'name') === 'viewport');
  const words = (last ? wordOf(last, 'content') : '').split(/[\s,;=]+/);
  const valueOf = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : '');
  const width = valueOf('width');
  if (!width && !valueOf('initial-scale')) return [];
  if (width && width !== 'device-width') return [partOf('viewport', 'the viewport')];
  const name = 'the viewport that fits the page to phones';
  return [partOf('viewport', name), partOf('viewport of the device', name)];
}

function isCharset(meta: Element): boolean {
  if (wordOf(meta, 'charset') !== '') return true;
  const isType = wordOf(meta, 'http-equiv') === 'content-type';
  return isType && /charset\s*=\s*["']?[^\s"';]/.test(wordOf(meta, 'content'));
}

const unlisting = ['noindex', 'none', 'unavailable_after'];
/** Matches the names of programs that read pages for search engines, and `robots` for all. */
const crawler = /robot|bot\b|spider|crawl|slurp|yandex|baidu|teoma/;

/** The names by which a `meta` asks search engines not to list the page. */
function unlistedBy(meta: Element): string[] {
  const names = ['name', 'property', 'http-equiv'].map((name) => wordOf(meta, name));
  const rules = wordOf(meta, 'content').split(/[\s,;:]+/);
  if (!rules.some((rule) => unlisting.includes(rule))) return [];
  return names.filter((name) => crawler.test(name));
}
