import type MagicString from 'magic-string';
import { writeAttribute } from './attributes.ts';
import { attributeOf, hasToken, type Element, type HtmlDocument } from './document.ts';
import { leavesOf } from './slots/plainSlotPlaces.ts';
import { jsonLiteral } from './text.ts';

const same = (a: string, b: string) => a.split(/[-_]/)[0]!.toLowerCase() === b.split(/[-_]/)[0]!.toLowerCase();

/**
 * Says a page's language where the page says the former one: in `lang` (HTML standard), `og:locale` (Open Graph
 * protocol), `inLanguage` of structured data (schema.org) and its own `hreflang`.
 * @param language BCP 47 tag, canonical
 */
export function writeLanguage(edit: MagicString, page: HtmlDocument, language: string) {
  const root = [...page.numbers.keys()].find(({ tagName }) => tagName === 'html');
  const former = root && attributeOf(root, 'lang');
  const isFormer = (text: string) => !former || same(text, former);
  for (const element of page.numbers.keys()) {
    for (const name of languageAttributes(element))
      if (element === root || isFormer(attributeOf(element, name) ?? ''))
        writeAttribute(edit, page, element, name, name === 'content' ? localeOf(language) : language);
    if (element.tagName !== 'script') continue;
    for (const { path, value, start, end } of leavesOf(page, element)) {
      const isLanguage = path.at(-1) === 'inLanguage' || (path.at(-2) === 'inLanguage' && path.at(-1) === 0);
      if (isLanguage && isFormer(String(value))) edit.overwrite(start, end, jsonLiteral(language));
    }
  }
}

function languageAttributes(element: Element): string[] {
  const { tagName } = element;
  if (tagName === 'html') return attributeOf(element, 'xml:lang') === undefined ? ['lang'] : ['lang', 'xml:lang'];
  if (tagName === 'meta' && attributeOf(element, 'property')?.toLowerCase() === 'og:locale') return ['content'];
  const isAlternate = tagName === 'link' && hasToken(element, 'rel', 'alternate');
  return isAlternate && /^[a-z]{2,3}(?:-|$)/i.test(attributeOf(element, 'hreflang') ?? '') ? ['hreflang'] : [];
}

/** `de` -> `de_DE`: Open Graph has a language and a territory. */
function localeOf(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region ? `${language}_${region}` : language;
}
