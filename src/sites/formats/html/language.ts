import type { LanguagePair, Edited } from '../changes.ts';
import type MagicString from 'magic-string';
import { writeAttribute } from './writeAttributes.ts';
import { without, withSpace } from './changes/recompose.ts';
import {
  ancestors,
  attributeOf,
  hasToken,
  metaName,
  rangeOf,
  type Element,
  type HtmlDocument,
} from './document.ts';
import { addressesOf } from './links/pageAddresses.ts';
import type { Page } from './openPage.ts';
import { leavesOf } from './slots/plainSlotPlaces.ts';
import { escapeAttribute, jsonLiteral, spaceBefore } from './escape.ts';

const LOCALE = 'og:locale';
/** The names of `meta` elements that state the language. */
const stating = new Set([LOCALE, 'language', 'dc.language', 'dcterms.language']);

const same = (a: string, b: string) =>
  a.split(/[-_]/)[0]!.toLowerCase() === b.split(/[-_]/)[0]!.toLowerCase();

/**
 * Changes a page's language everywhere that the page states it: `lang` (HTML standard),
 * `content-language`, `og:locale` (Open Graph protocol), `inLanguage` in structured data
 * (schema.org) and its own `hreflang`. The direction of its texts follows.
 * @param language BCP 47 tag, canonical
 */
export function writeLanguage(edit: MagicString, page: HtmlDocument, language: string) {
  const root = rootOf(page);
  const former = root && attributeOf(root, 'lang');
  const isFormer = (text: string) => !former || same(text, former);
  writeDirection(edit, page, directionOf(language));
  for (const element of page.elements) {
    for (const name of languageAttributes(element))
      if (element === root || isFormer(attributeOf(element, name) ?? ''))
        writeAttribute(edit, page, element, [
          name,
          metaName(element) === LOCALE ? localeOf(language) : language,
        ]);
    if (element.tagName !== 'script') continue;
    for (const { path, value, start, end } of leavesOf(page, element)) {
      const isLanguage =
        path.at(-1) === 'inLanguage' || (path.at(-2) === 'inLanguage' && path.at(-1) === 0);
      if (isLanguage && isFormer(String(value))) edit.overwrite(start, end, jsonLiteral(language));
    }
  }
}

function languageAttributes(element: Element): string[] {
  const { tagName } = element;
  if (tagName === 'html')
    return attributeOf(element, 'xml:lang') === undefined ? ['lang'] : ['lang', 'xml:lang'];
  if (tagName === 'meta') {
    const rule = attributeOf(element, 'http-equiv')?.trim().toLowerCase();
    return stating.has(metaName(element)) || rule === 'content-language' ? ['content'] : [];
  }
  const isAlternate = tagName === 'link' && hasToken(element, 'rel', 'alternate');
  return isAlternate && /^[a-z]{2,3}(?:-|$)/i.test(attributeOf(element, 'hreflang') ?? '')
    ? ['hreflang']
    : [];
}

type Direction = 'ltr' | 'rtl';

/** The direction in which a language is written. */
const directionOf = (tag: string): Direction =>
  // TypeScript does not know this method yet
  (new Intl.Locale(tag) as unknown as { getTextInfo(): { direction: Direction } }).getTextInfo()
    .direction;

/**
 * Writes the direction of a page's texts on `html`, `body` and the elements around the headline, if
 * one of them states another one. Without any, a page is written from left to right.
 */
function writeDirection(edit: MagicString, page: HtmlDocument, direction: Direction) {
  const root = rootOf(page);
  const headline = page.elements.find(({ tagName }) => tagName === 'h1');
  const body = page.elements.find(({ tagName }) => tagName === 'body');
  const around = new Set([
    ...(headline ? ancestors(headline) : []),
    ...[root, body].flatMap((e) => e ?? []),
  ]);
  const stated = [...around].filter((element) => attributeOf(element, 'dir') !== undefined);
  const places = stated.length === 0 && direction === 'rtl' && root ? [root] : stated;
  for (const element of places)
    if (attributeOf(element, 'dir')?.trim().toLowerCase() !== direction)
      writeAttribute(edit, page, element, ['dir', direction]);
}

/** A language tag in Open Graph's form, language and territory: `de` -> `de_DE`. */
function localeOf(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region ? `${language}_${region}` : language;
}

const rootOf = ({ elements }: HtmlDocument) => elements.find(({ tagName }) => tagName === 'html');

/** The page's `lang`; undefined if it has none. */
export function languageOf(page: HtmlDocument): string | undefined {
  const root = rootOf(page);
  return (root && attributeOf(root, 'lang')) || undefined;
}

/**
 * Adds missing `hreflang` links to the head: one to the page's translation and one to the page
 * itself. Search engines want both (HTML standard, "alternate"). Their addresses have the form of
 * the canonical one.
 */
export function addAlternate(edit: MagicString, page: Page, { other, lang }: LanguagePair) {
  const own = languageOf(page);
  const links = page.elements.filter(({ tagName }) => tagName === 'link');
  const alternates = links.filter(
    (link) => hasToken(link, 'rel', 'alternate') && attributeOf(link, 'hreflang'),
  );
  const named = new Set(alternates.map((link) => attributeOf(link, 'hreflang')!.toLowerCase()));
  const canonical = links.find((link) => hasToken(link, 'rel', 'canonical'));
  const style = attributeOf(canonical ?? alternates[0] ?? page.elements[0]!, 'href') ?? '';
  const addresses = addressesOf(page);
  const wanted = [...(own ? [{ tag: own, to: page.file }] : []), { tag: lang, to: other }].filter(
    ({ tag }) => !named.has(tag.toLowerCase()),
  );
  const place = placeInHead(page, alternates.at(-1) ?? canonical);
  if (!place) return;
  const lines = wanted.map(({ tag, to }) => {
    const href = addresses.to(style, { ...to, query: '', fragment: '' });
    return `<link rel="alternate" hreflang="${escapeAttribute(tag, '"')}" href="${escapeAttribute(href, '"')}">`;
  });
  edit.appendLeft(place.at, lines.map((line) => place.lead + line).join(''));
}

/**
 * Removes the `hreflang` links to a page; null if there are none.
 * @param change.isWhole also those to the page itself, where no others are left
 */
export function dropAlternates(
  page: Page,
  { slug, isWhole }: { slug: string; isWhole: boolean },
): Edited | null {
  const { slugOfLink } = addressesOf(page);
  const all = page.elements.filter(
    (element) =>
      element.tagName === 'link' &&
      hasToken(element, 'rel', 'alternate') &&
      attributeOf(element, 'hreflang') !== undefined,
  );
  const links = all.filter((link) => slugOfLink(link) === slug);
  const isPair = all.every((link) => [slug, page.file.slug].includes(slugOfLink(link) ?? ''));
  const gone = links.length > 0 && isWhole && isPair ? all : links;
  const ranges = gone.map((link) => withSpace(page, rangeOf(link)));
  return ranges.length === 0 ? null : without(page, ranges);
}

/**
 * The position after a given link in the head, else at the end of the head, and the white space to
 * put first.
 */
function placeInHead({ source, elements }: HtmlDocument, link: Element | undefined) {
  const range = link?.sourceCodeLocation;
  if (range) return { at: range.endOffset, lead: spaceBefore(source, range.startOffset) || '\n' };
  const end = elements.find(({ tagName }) => tagName === 'head')?.sourceCodeLocation?.endTag;
  return end && { at: end.startOffset - spaceBefore(source, end.startOffset).length, lead: '\n' };
}
