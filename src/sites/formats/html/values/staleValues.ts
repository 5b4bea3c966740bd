import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { decodeUrlPart } from '../../../pages/urls/urls.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import type { SiteFiles } from '../../../checks/siteFiles.ts';
import { collapseSpaces, digitsOf, quoteText } from '../../../../text/text.ts';
import { getOrCreate } from '../../../remembered.ts';
import type { StaleDetail } from '../../pageFindings.ts';
import { isHeadline, type TextSlot } from '../../pageParts.ts';
import {
  attributeName,
  attributeOf,
  childText,
  isText,
  textContentOf,
  type PageElement,
} from '../document.ts';
import { allElements, insideTemplates } from '../insideTemplates.ts';
import { isMapAddress } from '../claims/findMaps.ts';
import { createUrlResolver, type UrlResolver } from '../links/urlResolver.ts';
import { queryValuePattern, urlSyntax } from '../links/urlAttributes.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { textAttributesOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { isHumanText } from '../slots/jsonLd.ts';
import { readJsonLd, readJsonLeaves } from '../slots/plainSlotPlaces.ts';
import { valueTokens } from './changedTexts.ts';
import { dataKind, dataValues, stringsIn } from './dataValues.ts';
import { decodedTexts, decodeEscapes } from './decodedTexts.ts';

/** A value that scripts or forms use, and the element that has it; none for that of a comment. */
interface HiddenValue {
  text: string;
  element?: PageElement;
  isCode: boolean;
}

const MOST_NAMED = 8;
const LONGEST_ENTRY = 80;
/** The digits at the end of a telephone number that tell it from others. */
const LEAST_DIGITS = 7;

/** How the notes on values and scripts begin. */
export const staleValueNotes = {
  old: 'fields, data or scripts of the page still contain its old texts or its old URL',
  misled: 'scripts use relative URLs, which lead to other files from the new page',
};

/**
 * Finds values and scripts that stayed as they were while the page's texts or its path changed.
 * Returns up to two details: one for values that repeat old texts (`<input value="Austin">`) or the
 * page's old URL, and one for relative URLs in scripts.
 * @param site the files of the site before the change; absent: only URLs with dots count
 */
export function staleValues(before: HtmlPage, after: HtmlPage, site?: SiteFiles): StaleDetail[] {
  const isOld = oldValues(before, after);
  const isMisled = misledAddresses(before, after, site);
  if (!isOld && !isMisled) return [];
  const formerValues = new Set(hiddenValues(before).map(wordsWithoutPaths));
  const unchangedValues = hiddenValues(after).filter((value) =>
    formerValues.has(wordsWithoutPaths(value)),
  );
  const old = isOld
    ? unchangedValues.filter(isOld).map(({ text }) => collapseSpaces(text).trim())
    : [];
  const misled = isMisled ? unchangedValues.filter(({ isCode }) => isCode).flatMap(isMisled) : [];
  return [
    ...createStaleDetail(staleValueNotes.old, old),
    ...createStaleDetail(staleValueNotes.misled, misled),
  ];
}

/** A sentence with the first of some values, which are named once; none without a value. */
export function createStaleDetail(sentence: string, foundValues: string[]): StaleDetail[] {
  const values = [...new Set(foundValues)];
  if (values.length === 0) return [];
  const quotedValues = values.slice(0, MOST_NAMED).map((value) => quoteText(value));
  const unnamedCount = values.length - quotedValues.length;
  const more = unnamedCount > 0 ? ` and ${unnamedCount} more` : '';
  return [{ noteText: `${sentence}: ${quotedValues.join(', ')}${more}`, values }];
}

/** A value without the URLs in it, which follow the page to another place. */
const wordsWithoutPaths = ({ text }: HiddenValue) =>
  text.replace(/[^\s"'`,;=&()<>]+/g, (word) => (/\/|%2F/i.test(word) ? '/' : word));

/** Cache by page, since a task makes several pages from one template. */
const hiddenValuesByPage = new WeakMap<HtmlPage, HiddenValue[]>();

/** Every value that scripts or forms use. */
const hiddenValues = (page: HtmlPage): HiddenValue[] =>
  getOrCreate(hiddenValuesByPage, page, () => findHiddenValues(page));

function findHiddenValues(page: HtmlPage): HiddenValue[] {
  const { pathOf } = createUrlResolver(page);
  const inert = new Set(insideTemplates(page));
  const inComments = commentsOf(page).flatMap(({ data }) =>
    DIRECTIVE.test(data) ? data.split(STRING_END).map((text) => ({ text, isCode: false })) : [],
  );
  const inElements = allElements(page).flatMap((element) => {
    const values = dataValues(page, element).flatMap(({ text }) => stringsIn(text));
    const codes = readJsonLeaves(page, element)
      .filter((leaf) => !isHumanText(leaf))
      .map(({ value }) => String(value));
    const urls = element.attrs
      .filter((attribute) => urlSyntax(element, attributeName(attribute))?.isCertain)
      .map(({ value }) => value)
      .filter((url) => !isMapAddress(url));
    const isFile = element.tagName === 'link' || element.tagName === 'script';
    const led = (isFile ? [] : urls).filter((url) =>
      /^(?:https?:)?\/\/|^(?:mailto|tel|sms):/i.test(url),
    );
    const schemed = urls.filter((url) => OTHER_SCHEME.test(url) && url.length <= LONGEST_URL);
    const queryValues = urls.flatMap((url) =>
      [...url.matchAll(queryValuePattern)].map(([, , one]) => one!),
    );
    const inside = inert.has(element) ? textsInside(element) : [];
    const texts = [
      ...values,
      ...codes,
      ...inside,
      ...led.filter((url) => pathOf(url) === undefined).map(withoutQuery),
      ...queryValues.map((value) => decodeUrlPart(value.replaceAll('+', ' '))),
      ...schemed.flatMap((url) => decodeUrlPart(url).split(STRING_END)),
      ...[...values, ...urls].flatMap(decodedTexts).flatMap(stringsIn),
      ...rulesIn(element),
    ];
    const valueOf = (isCode: boolean) => (text: string) => ({ text, element, isCode });
    return [...texts.map(valueOf(false)), ...codeIn(element).map(valueOf(true))];
  });
  return [...inElements, ...inComments];
}

/** Comments that a server or a generator reads: `<!--#include …`, `<!-- wp:shop {…}`. */
const DIRECTIVE = /^(?:#|\s*(?:wp:|ko\s|Instance|Template))/;
/** What ends a string or a value in code of any kind. */
const STRING_END = /["'`;\n\r<>]/;
/** A URL that has more than an address in it. */
const OTHER_SCHEME = /^(?:javascript|intent|data(?!:image)):/i;
const LONGEST_URL = 20_000;

const commentsOf = ({ root }: HtmlPage): Tree.CommentNode[] => {
  const found: Tree.CommentNode[] = [];
  const waiting: Tree.ChildNode[] = root.childNodes.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('data' in node) found.push(node);
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed());
  }
  return found;
};

const withoutQuery = (url: string) => url.split(/[?#]/, 1)[0]!;

/** The texts of an element in a template, which a script adds to the page. */
const textsInside = (element: PageElement): string[] =>
  element.tagName === 'script' || element.tagName === 'style'
    ? []
    : [
        ...element.childNodes.filter(isText).map(({ value }) => value),
        ...textAttributesOf(element).map(([name]) => attributeOf(element, name) ?? ''),
      ];

/** The strings in style rules. URLs in them have followed the page. */
function rulesIn(element: PageElement): string[] {
  const isStyle = element.tagName === 'style';
  const rules = isStyle ? childText(element) : (attributeOf(element, 'style') ?? '');
  return rules.match(/(?<=")[^"\n]+(?=")|(?<=')[^'\n]+(?=')/g) ?? [];
}

/** The strings in scripts and event handlers, and other pieces of scripts. */
function codeIn(element: PageElement): string[] {
  const { tagName, attrs } = element;
  const isScript = tagName === 'script' && !readJsonLd(element) && !dataKind(element);
  const code = attrs.filter(({ name }) => /^on|^srcdoc$/.test(name)).map(({ value }) => value);
  if (isScript) code.push(childText(element));
  return code.flatMap((text) =>
    text.split(/["'`\n\r<>]/).flatMap((piece) => [decodeEscapes(piece), ...decodedTexts(piece)]),
  );
}

/**
 * Makes a test for values that repeat what the page had and no longer has; undefined if it has
 * everything and did not move.
 */
function oldValues(
  before: HtmlPage,
  after: HtmlPage,
): ((value: HiddenValue) => boolean) | undefined {
  const urlResolver = createUrlResolver(before);
  const hasMoved = before.file.slug !== after.file.slug && before.file.slug !== '/';
  const removedTexts = createRemovedTextTest(before, after);
  if (!hasMoved && removedTexts === undefined) return undefined;
  return ({ text, element }) => {
    const value = collapseSpaces(text).trim();
    if (value === '') return false;
    const isStale = hasMoved && namesPage(urlResolver, value);
    const isUrl = element !== undefined && isReference(urlResolver, value);
    if (!isStale && (isUrl || removedTexts?.(value) !== true)) return false;
    // an entry in a list of towns is about the old one, as its value is
    return !(
      element &&
      removedTexts &&
      after.elementNumbers.has(element) &&
      removedTexts(entryText(element))
    );
  };
}

/** Whether a value has the page's own URL, in any spelling. */
function namesPage({ isSelf, inText }: UrlResolver, value: string): boolean {
  const marked = inText(value, (url) => (isSelf(url) ? `${url}-` : url));
  return marked !== value || (value.startsWith('/') && isSelf(value));
}

const FILE =
  /^[\w./%-]+\.(?:avif|css|csv|gif|html?|ico|jpe?g|js|json|mjs|mp4|pdf|png|svg|webm|webp|xml)$/i;

/** Whether a value is a URL of the site, a selector, or the name of a file. */
const isReference = ({ pathOf }: UrlResolver, value: string) =>
  /^[.#][\w-]/.test(value) ||
  FILE.test(value) ||
  (/^(?:https?:)?\/\/|^\.{0,2}\//i.test(value) && pathOf(value) !== undefined);

const entries = new Set(['a', 'area', 'button', 'label', 'li', 'option', 'td', 'th']);

/** The short text of an entry of a list; '' for other elements. */
function entryText(element: PageElement): string {
  if (!entries.has(element.tagName)) return '';
  const text = collapseSpaces(textContentOf(element)).trim();
  return text.length <= LONGEST_ENTRY ? text : '';
}

/** Makes a test for what a page's texts had; undefined if its texts are the same. */
function createRemovedTextTest(
  before: HtmlPage,
  after: HtmlPage,
): ((value: string) => boolean) | undefined {
  const [old, now] = [before, after].map((page) =>
    findSlotPlaces(page).map(({ slot }) => ({ slot, text: plainLine(slot.text) })),
  );
  const currentTexts = new Set(now!.map(({ text }) => text));
  const removedTexts = old!.map(({ text }) => text).filter((text) => !currentTexts.has(text));
  if (removedTexts.length === 0) return undefined;
  const texts = new Set(removedTexts.map((text) => text.toLowerCase()));
  const words = findRemovedWords(old!, now!);
  const numbers = removedTexts.flatMap(valueTokens).map(digitsOf).filter(isLong);
  const keptNumbers = new Set([...currentTexts].flatMap(valueTokens).map(digitsOf).filter(isLong));
  const goneNumbers = new Set(numbers.filter((number) => !keptNumbers.has(number)).map(lastDigits));
  return (value) =>
    (texts.has(value.toLowerCase()) && value.length > 2 && !/^[\p{Nd}.,%]*$/u.test(value)) ||
    valueTokens(value).some((token) => goneNumbers.has(lastDigits(digitsOf(token)))) ||
    [...valueTokens(value), ...wordsOf(value)].some((word) => words.has(word.toLowerCase()));
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

const isLong = (digits: string) => digits.length >= LEAST_DIGITS;
const lastDigits = (digits: string) => (isLong(digits) ? digits.slice(-LEAST_DIGITS) : '-');

interface ShownText {
  slot: TextSlot;
  text: string;
}

/**
 * The names, e-mail addresses and the like of changed texts, in lower case. A name that other texts
 * still have counts if it was in the headline: one that is only in the title may be the site's.
 */
function findRemovedWords(old: ShownText[], now: ShownText[]): Set<string> {
  const keyOf = ({ slot }: ShownText) => `${slot.role} ${slot.level ?? ''}`;
  const groups = Map.groupBy(now, keyOf);
  const remaining = new Set(now.flatMap(({ text }) => valueTokens(text)));
  const headlineWords = new Set(
    old.filter(({ slot }) => isHeadline(slot)).flatMap(({ text }) => valueTokens(text)),
  );
  const isNaming = (slot: TextSlot, word: string) =>
    isHeadline(slot) || (slot.role === 'title' && headlineWords.has(word));
  const weights = new Map<string, number>();
  for (const [key, same] of Map.groupBy(old, keyOf)) {
    const others = groups.get(key) ?? [];
    const all = new Set(others.flatMap(({ text }) => valueTokens(text)));
    for (const [i, { slot, text }] of same.entries()) {
      const counterpart = others.length === same.length ? others[i]!.text : undefined;
      if (counterpart === text) continue;
      const words = counterpart === undefined ? all : new Set(valueTokens(counterpart));
      for (const [k, word] of valueTokens(text).entries())
        if (isName(word) && !words.has(word) && (isNaming(slot, word) || !remaining.has(word)))
          weights.set(word.toLowerCase(), (weights.get(word.toLowerCase()) ?? 0) + (k > 0 ? 2 : 1));
    }
  }
  // a word at the start of only one text is in upper case anyway
  return new Set([...weights].filter(([, weight]) => weight > 1).map(([word]) => word));
}

/** Whether a word may be a name: in upper case or of a script without letter case. */
const isName = (word: string) => /@|^\p{Lu}[\p{L}\p{M}]{2}|^[\p{Lo}\p{M}]{2}/u.test(word);

/** Makes a search for URLs in code that lead elsewhere; undefined if the page did not move. */
function misledAddresses(before: HtmlPage, after: HtmlPage, site: SiteFiles | undefined) {
  const [was, is] = [createUrlResolver(before), createUrlResolver(after)];
  if (was.pathOf('./x') === is.pathOf('./x')) return undefined;
  return ({ text }: HiddenValue): string[] => {
    const path = FILE.test(text) ? was.pathOf(text) : undefined;
    const isFile = path !== undefined && site?.holds(path) === true;
    const dotted = text.match(/(?<![\w./\\-])\.{1,2}\/[^\s,;()[\]|]*/g) ?? [];
    return isFile ? [text] : dotted;
  };
}
