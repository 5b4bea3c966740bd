import { truncateText, quoteText } from '../../../../text/text.ts';
import { decodeUrlPart, parseReference, slugOfUrl } from '../../../pages/urls/urls.ts';
import type { StaleDetail } from '../../pageFindings.ts';
import { endingWords, foldedWords } from '../../foldedWords.ts';
import { namingWords } from '../subjectWords.ts';
import { declaredCharset } from '../charset.ts';
import { isMapPicture } from '../claims/findMaps.ts';
import {
  attributeOf,
  closest,
  descendants,
  hasToken,
  parentOf,
  textContentOf,
  type PageElement,
} from '../document.ts';
import { validHtmlLine } from '../../escape.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import { isLinkElement, linkName } from '../links/pageLinks.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { isUnlisting } from './pageSetup.ts';
import { referencesIn } from './references.ts';

/**
 * Traces of a page's subject besides its texts, such as files, translations and selected options.
 * They show what a changed or new page still has of the old subject.
 */
export interface SubjectTraces {
  path: string;
  /** The words of the title and the headline. */
  named: ReadonlySet<string>;
  /** The words in `named` that are also at the end of the page's slug. */
  subject: string[];
  /** Files that are not pages, by their names, with the text beside each. */
  files: ReadonlyMap<string, string>;
  /** Links to the page in other languages, by their slugs, with their texts. */
  translations: ReadonlyMap<string, string>;
  /** All slugs to which the page's links lead. */
  linked: ReadonlySet<string>;
  /** Selected options and checked boxes, with the name of their field. */
  choices: { field: string; text: string }[];
  /** Rules that keep the page out of search engines: `robots "noindex"`. */
  unlisting: string[];
  /** The declared encoding, if a host may send the page in another one than it is written in. */
  unfitCharset: string | undefined;
}

const LONGEST_TEXT = 90;
const MOST_NAMED = 8;
/** Words before the name of the person who made a picture. */
const CREDIT =
  /(?:©|\b(?:photo(?:graph|s|graphed)?|picture|image|foto|bild|photographie|fotografía)\b[^.]{0,20}(?:\b(?:by|credit|von|par|de|di|por)\b|:)|\bcredits?:)/iu;

/** Reads the traces of a page's subject. */
export function subjectTraces(page: HtmlPage): SubjectTraces {
  const urlResolver = createUrlResolver(page);
  const named = namingWords(page);
  const ending = endingWords(page.file.slug);
  const alternates = page.elements.filter(
    (element) => element.tagName === 'link' && hasToken(element, 'rel', 'alternate'),
  );
  const others = new Set(
    alternates.flatMap((link) =>
      attributeOf(link, 'hreflang') ? urlResolver.slugOfLink(link) : [],
    ),
  );
  const isTranslation = (link: PageElement, slug: string) =>
    slug !== page.file.slug &&
    (others.has(slug) ||
      withoutLanguage(slug) === withoutLanguage(page.file.slug) ||
      (['hreflang', 'lang'].some((name) => attributeOf(link, name)) &&
        endingWords(slug).some((word) => ending.includes(word))));
  const leading = page.elements.flatMap((link) => {
    const slug = urlResolver.slugOf(urlIn(link) ?? '');
    return slug === undefined ? [] : [{ link, slug }];
  });
  return {
    path: page.file.path,
    named,
    subject: ending.filter((word) => word.length > 2 && named.has(word)),
    files: new Map(page.elements.filter(mayShowFile).flatMap(filesBeside)),
    translations: new Map(
      leading
        .filter(({ link, slug }) => isTranslation(link, slug))
        .map(({ link, slug }) => [
          slug,
          linkName(link) || (attributeOf(link, 'title') ?? 'a link'),
        ]),
    ),
    linked: new Set(leading.map(({ slug }) => slug)),
    choices: page.elements.flatMap(choiceOf),
    unlisting: page.elements
      .filter(isUnlisting)
      .map((meta) => `${ruleOf(meta)} "${(attributeOf(meta, 'content') ?? '').trim()}"`),
    unfitCharset: /[^\0-\x7f]/.test(page.source) ? declaredCharset(page) : undefined,
  };
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** A slug without the languages in it, which is the same for all translations of a page. */
const withoutLanguage = (slug: string) =>
  slug.replace(/[/.](([a-z]{2})(?:[-_][a-z]{2,4})?)(?=[/.]|$)/gi, (whole, _, language: string) =>
    languageNames.of(language) === undefined ? whole : '',
  );

/** The URL of a link, or of another element that a script follows. */
function urlIn(element: PageElement): string | undefined {
  if (isLinkElement(element)) return attributeOf(element, 'href');
  const names = element.tagName === 'option' ? ['value'] : ['data-href', 'data-url'];
  const [value] = names.flatMap((name) => attributeOf(element, name) ?? []);
  return value !== undefined && /^(?:https?:|\.{0,2}\/)/i.test(value) ? value : undefined;
}

const ruleOf = (meta: PageElement) =>
  ['name', 'property', 'http-equiv'].flatMap((name) => attributeOf(meta, name) ?? [])[0] ?? '';

const showing = new Set('img source video audio a area meta input image'.split(' '));
const mayShowFile = (element: PageElement) =>
  (showing.has(element.tagName) || attributeOf(element, 'style')?.includes('url(')) &&
  !isMapPicture(element);

/** The files that an element shows or leads to, with its caption or text. */
function filesBeside(element: PageElement): [string, string][] {
  const loadedReferences = referencesIn(element).filter(
    ({ kind }) => kind === 'load' || kind === 'link',
  );
  const names = loadedReferences.flatMap(({ url }) => {
    const { scheme, path } = parseReference(url);
    const name = decodeUrlPart(path.split('/').at(-1));
    const isFile =
      /\.[a-z]\w{1,5}$/i.test(name) && slugOfUrl(path) === (decodeUrlPart(path) || '/');
    return isFile && /^(?:https?:)?$/i.test(scheme) ? [name] : [];
  });
  return names.map((name) => [name, validHtmlLine(textBeside(element))]);
}

function textBeside(element: PageElement): string {
  const figure = closest(element, ({ tagName }) => tagName === 'figure');
  const caption = figure && descendants(figure).find(({ tagName }) => tagName === 'figcaption');
  return caption ? textContentOf(caption) : (attributeOf(element, 'alt') ?? textContentOf(element));
}

function choiceOf(element: PageElement): SubjectTraces['choices'] {
  const isChosen = ['selected', 'checked'].some((name) => attributeOf(element, name) !== undefined);
  if (!isChosen) return [];
  const owner = closest(element, ({ tagName }) => tagName === 'select') ?? element;
  const label = element.tagName === 'option' ? element : (parentOf(element) ?? element);
  const text = validHtmlLine(textContentOf(label)) || (attributeOf(element, 'value') ?? '');
  return [
    { field: attributeOf(owner, 'name') ?? owner.tagName, text: truncateText(text, LONGEST_TEXT) },
  ];
}

/** The words of the subject that the title and the headline no longer name. */
export const goneSubject = (before: SubjectTraces, after: SubjectTraces): string[] =>
  before.subject.filter((word) => !after.named.has(word));

/**
 * What a person should check after a change: files, choices and translations for a subject that the
 * title and headline no longer name, rules for search engines that a new page lost, and an encoding
 * that does not fit.
 */
export function keptTraces(before: SubjectTraces, after: SubjectTraces): StaleDetail[] {
  const removedSubjectWords = goneSubject(before, after);
  const isOld = (text: string) => {
    const words = foldedWords(text);
    return (
      removedSubjectWords.length > 0 && removedSubjectWords.every((word) => words.includes(word))
    );
  };
  const files = [...after.files].filter(([name, beside]) => {
    const former = before.files.get(name);
    const isNewText = former !== beside && CREDIT.test(beside);
    return former !== undefined && (isOld(name) || isNewText);
  });
  const choices = after.choices.filter(({ text }) => isOld(text));
  const translations = [...before.translations].filter(
    ([slug]) => removedSubjectWords.length > 0 && after.linked.has(slug),
  );
  const unlisting = before.path === after.path ? [] : before.unlisting;
  const removed = unlisting.filter((rule) => !after.unlisting.includes(rule));
  const isUnfit = after.unfitCharset !== undefined && before.unfitCharset === undefined;
  return [
    ...(files.length > 0 ? [staleFiles(files)] : []),
    ...choices.map(staleChoice),
    ...translations.map(([slug, text]) => staleTranslation(slug, text)),
    ...removed.map(lostRule),
    ...(isUnfit ? [unfitCharset(after.unfitCharset!)] : []),
  ];
}

export const staleChoice = ({ field, text }: { field: string; text: string }): StaleDetail => ({
  noteText: `${quoteText(text)} is still selected in the field ${quoteText(field)}`,
  values: [text],
});

export const staleTranslation = (slug: string, text: string): StaleDetail => ({
  noteText: `${quoteText(text)} leads to ${slug}, the translation of the former page`,
  values: [slug],
});

export const lostRule = (rule: string): StaleDetail => ({
  noteText: `search engines may list the page: ${rule} was removed`,
  values: [rule],
});

export const unfitCharset = (charset: string): StaleDetail => ({
  noteText: `the page declares the encoding ${quoteText(charset)}, but now contains characters in UTF-8`,
  values: [charset],
});

export function staleFiles(files: [name: string, beside: string][]): StaleDetail {
  const quotedFiles = files
    .slice(0, MOST_NAMED)
    .map(([name, beside]) =>
      beside === ''
        ? quoteText(name)
        : `${quoteText(name)} next to ${quoteText(beside, LONGEST_TEXT)}`,
    );
  const unnamedCount = files.length - MOST_NAMED;
  const values = files.map(([name]) => name);
  return {
    noteText: `the page still uses files about the former text: ${quotedFiles.join(', ')}${unnamedCount > 0 ? ` and ${unnamedCount} more` : ''}`,
    values,
  };
}
