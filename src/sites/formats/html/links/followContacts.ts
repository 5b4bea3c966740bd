import MagicString from 'magic-string';
import { getOrCreate } from '../../../remembered.ts';
import { findValue, writeValue } from '../writeAttributes.ts';
import {
  attributeOf,
  childText,
  parseDocument,
  textContentOf,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { landmarkOf } from '../roles.ts';
import { isContactUrl, newContactTargets, type TextReplacement } from '../../contactLinks.ts';
import { validHtmlLine } from '../../escape.ts';
import type { ContactLinkTargets } from '../../../../contract/task.ts';

const contactLinks = ({ elements }: HtmlDocument) =>
  elements.filter(
    ({ tagName, attrs }) =>
      tagName === 'a' && attrs.some(({ name, value }) => name === 'href' && isContactUrl(value)),
  );

const shownText = (link: PageElement) => validHtmlLine(textContentOf(link));
const hrefOf = (link: PageElement) => attributeOf(link, 'href') ?? '';

/**
 * Updates `tel:` and `mailto:` links after a change of texts: see `newContactTargets`.
 * @param oldPage the page before its texts changed
 * @param newSource the source with the new texts
 * @param options.countryOf ISO 3166-1 code of the country of a link's new number, if it has no
 *   country code; unknown: the country of the old number
 * @param options.contacts given for a new page
 */
export function followContacts(
  oldPage: HtmlDocument,
  newSource: string,
  {
    countryOf = () => undefined,
    contacts,
  }: { countryOf?: CountryResolver; contacts?: ContactLinkTargets } = {},
): string {
  const oldLinks = contactLinks(oldPage);
  if (oldLinks.length === 0) return newSource;
  const page = parseDocument(newSource);
  const sourceEditor = new MagicString(page.source);
  const links = contactLinks(page).flatMap((element, i) => {
    const [oldLink, href] = [oldLinks[i], hrefOf(element)];
    if (!oldLink || !findValue(page, element, 'href') || hrefOf(oldLink) !== href) return [];
    const [before, after] = [shownText(oldLink), shownText(element)];
    const isOwn = !landmarkOf(element);
    return [{ element, href, before, after, country: countryOf(oldLink), isOwn }];
  });
  const changes = contacts && { changes: changedTexts(oldPage, page), contacts };
  for (const [i, newTarget] of newContactTargets(links, changes).entries())
    if (newTarget !== undefined)
      writeValue(sourceEditor, findValue(page, links[i]!.element, 'href')!, newTarget);
  return page.bom + sourceEditor.toString();
}

type CountryResolver = (link: PageElement) => string | undefined;

/** Pairs of the old and the new text, where they differ. */
function changedTexts(oldPage: HtmlDocument, newPage: HtmlDocument): TextReplacement[] {
  const oldTexts = getOrCreate(cachedTexts, oldPage.elements, () => elementTexts(oldPage));
  const newTexts = elementTexts(newPage);
  if (oldTexts.length !== newTexts.length) return [];
  return oldTexts.flatMap((text, i): TextReplacement[] =>
    text === newTexts[i] ? [] : [[text, newTexts[i]!]],
  );
}

/** Cache of templates' texts, since a task makes several pages from one template. */
const cachedTexts = new WeakMap<HtmlDocument['elements'], string[]>();

/** The text directly in each element, without nested elements. */
const elementTexts = ({ elements }: HtmlDocument) => elements.map(childText);
