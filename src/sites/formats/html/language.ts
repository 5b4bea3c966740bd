import type { LanguagePair, EditedPageSource } from '../changes.ts';
import type MagicString from 'magic-string';
import { writeAttribute } from './writeAttributes.ts';
import { withoutRanges, includeSpace } from './changes/recompose.ts';
import {
  ancestors,
  attributeOf,
  hasToken,
  metaName,
  rangeOf,
  type PageElement,
  type HtmlDocument,
} from './document.ts';
import { createUrlResolver } from './links/urlResolver.ts';
import type { HtmlPage } from './openHtmlPage.ts';
import { readJsonLeaves } from './slots/plainSlotPlaces.ts';
import { escapeAttribute, jsonLiteral, spaceBefore } from '../escape.ts';

/**
 * The language of a page: `writeLanguage` changes it everywhere that the page states it,
 * `readPageLanguage` reads it, and `addAlternate` and `dropAlternates` add and remove the
 * `hreflang` links between a page and its translations.
 *
 *     writeLanguage: <html lang="en"> -> <html lang="de">, and `og:locale` en_US -> de_DE
 *     addAlternate:  adds <link rel="alternate" hreflang="de" href="/de/about">
 */

const LOCALE = 'og:locale';
/** The names of `meta` elements that state the language of the page. */
const languageMetaNames = new Set([LOCALE, 'language', 'dc.language', 'dcterms.language']);

/** Whether two tags have the same language, even with other regions: `en-GB` and `en_US`. */
const isSameLanguage = (tag: string, otherTag: string) =>
  tag.split(/[-_]/)[0]!.toLowerCase() === otherTag.split(/[-_]/)[0]!.toLowerCase();

/**
 * Changes a page's language everywhere that the page states it: `lang` (HTML standard),
 * `content-language`, `og:locale` (Open Graph protocol), `inLanguage` in structured data
 * (schema.org) and its own `hreflang`. What states another language than the page's former one
 * stays. Also writes the direction of the language (`dir`) where the page states one.
 * @param language BCP 47 tag, canonical
 */
export function writeLanguage(sourceEditor: MagicString, page: HtmlDocument, language: string) {
  const root = rootElement(page);
  const formerLanguage = root && attributeOf(root, 'lang');
  const hasFormerLanguage = (text: string) =>
    !formerLanguage || isSameLanguage(text, formerLanguage);
  writeDirection(sourceEditor, page, directionOf(language));
  for (const element of page.elements) {
    for (const name of languageAttributes(element))
      if (element === root || hasFormerLanguage(attributeOf(element, name) ?? ''))
        writeAttribute(sourceEditor, page, element, [
          name,
          metaName(element) === LOCALE ? localeOfLanguage(language) : language,
        ]);
    if (element.tagName !== 'script') continue;
    for (const { path, value, start, end } of readJsonLeaves(page, element)) {
      const isLanguage =
        path.at(-1) === 'inLanguage' || (path.at(-2) === 'inLanguage' && path.at(-1) === 0);
      if (isLanguage && hasFormerLanguage(String(value)))
        sourceEditor.overwrite(start, end, jsonLiteral(language));
    }
  }
}

/** The names of an element's attributes that state the language of the page or of a translation. */
function languageAttributes(element: PageElement): string[] {
  const { tagName } = element;
  if (tagName === 'html')
    return attributeOf(element, 'xml:lang') === undefined ? ['lang'] : ['lang', 'xml:lang'];
  if (tagName === 'meta') {
    const rule = attributeOf(element, 'http-equiv')?.trim().toLowerCase();
    return languageMetaNames.has(metaName(element)) || rule === 'content-language'
      ? ['content']
      : [];
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
 * Writes the direction of a page's texts on those of `html`, `body` and the elements around the
 * headline that state another one. If none states one, `html` gets it for a language from right to
 * left.
 */
function writeDirection(sourceEditor: MagicString, page: HtmlDocument, direction: Direction) {
  const root = rootElement(page);
  const headline = page.elements.find(({ tagName }) => tagName === 'h1');
  const body = page.elements.find(({ tagName }) => tagName === 'body');
  const directionCandidates = new Set([
    ...(headline ? ancestors(headline) : []),
    ...[root, body].flatMap((e) => e ?? []),
  ]);
  const elementsWithDirection = [...directionCandidates].filter(
    (element) => attributeOf(element, 'dir') !== undefined,
  );
  const elementsToWrite =
    elementsWithDirection.length === 0 && direction === 'rtl' && root
      ? [root]
      : elementsWithDirection;
  for (const element of elementsToWrite)
    if (attributeOf(element, 'dir')?.trim().toLowerCase() !== direction)
      writeAttribute(sourceEditor, page, element, ['dir', direction]);
}

/** A language tag in Open Graph's form, language and territory: `de` -> `de_DE`. */
function localeOfLanguage(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region ? `${language}_${region}` : language;
}

const rootElement = ({ elements }: HtmlDocument) =>
  elements.find(({ tagName }) => tagName === 'html');

/** The page's `lang`; undefined if it has none. */
export function readPageLanguage(page: HtmlDocument): string | undefined {
  const root = rootElement(page);
  return (root && attributeOf(root, 'lang')) || undefined;
}

/**
 * Adds missing `hreflang` links to the head: one to the page's translation and one to the
 * page itself. Search engines want both (HTML standard,
 * "alternate"). Their URLs are absolute or relative like the canonical one.
 */
export function addAlternate(
  sourceEditor: MagicString,
  page: HtmlPage,
  { translation, lang }: LanguagePair,
) {
  const ownLanguage = readPageLanguage(page);
  const links = page.elements.filter(({ tagName }) => tagName === 'link');
  const alternates = links.filter(
    (link) => hasToken(link, 'rel', 'alternate') && attributeOf(link, 'hreflang'),
  );
  const linkedLanguages = new Set(
    alternates.map((link) => attributeOf(link, 'hreflang')!.toLowerCase()),
  );
  const canonical = links.find((link) => hasToken(link, 'rel', 'canonical'));
  const hrefStyle = attributeOf(canonical ?? alternates[0] ?? page.elements[0]!, 'href') ?? '';
  const urlResolver = createUrlResolver(page);
  const missingLinks = [
    ...(ownLanguage ? [{ tag: ownLanguage, linkedPage: page.file }] : []),
    { tag: lang, linkedPage: translation },
  ].filter(({ tag }) => !linkedLanguages.has(tag.toLowerCase()));
  const insertion = findInsertionInHead(page, alternates.at(-1) ?? canonical);
  if (!insertion) return;
  const lines = missingLinks.map(({ tag, linkedPage }) => {
    const href = urlResolver.urlTo(hrefStyle, { ...linkedPage, query: '', fragment: '' });
    return `<link rel="alternate" hreflang="${escapeAttribute(tag, '"')}" href="${escapeAttribute(href, '"')}">`;
  });
  sourceEditor.appendLeft(insertion.at, lines.map((line) => insertion.whiteSpace + line).join(''));
}

/**
 * Removes the `hreflang` links to a page.
 * @param change.slug the page that the links lead to
 * @param change.removesOwnLinks whether to remove the links to the page itself too, if no links to
 *   a third page are left
 * @returns the new source; null if there are no links to remove
 */
export function dropAlternates(
  page: HtmlPage,
  { slug, removesOwnLinks }: { slug: string; removesOwnLinks: boolean },
): EditedPageSource | null {
  const { slugOfLink } = createUrlResolver(page);
  const allAlternates = page.elements.filter(
    (element) =>
      element.tagName === 'link' &&
      hasToken(element, 'rel', 'alternate') &&
      attributeOf(element, 'hreflang') !== undefined,
  );
  const links = allAlternates.filter((link) => slugOfLink(link) === slug);
  const isPair = allAlternates.every((link) =>
    [slug, page.file.slug].includes(slugOfLink(link) ?? ''),
  );
  const removedLinks = links.length > 0 && removesOwnLinks && isPair ? allAlternates : links;
  const ranges = removedLinks.map((link) => includeSpace(page, rangeOf(link)));
  return ranges.length === 0 ? null : withoutRanges(page, ranges);
}

/**
 * Where to insert a link: after the given one, or else at the end of the head. `whiteSpace` is what
 * to write before it. undefined if there is neither a link nor an end tag of the head.
 */
function findInsertionInHead({ source, elements }: HtmlDocument, link: PageElement | undefined) {
  const range = link?.sourceCodeLocation;
  if (range)
    return { at: range.endOffset, whiteSpace: spaceBefore(source, range.startOffset) || '\n' };
  const end = elements.find(({ tagName }) => tagName === 'head')?.sourceCodeLocation?.endTag;
  return (
    end && { at: end.startOffset - spaceBefore(source, end.startOffset).length, whiteSpace: '\n' }
  );
}
