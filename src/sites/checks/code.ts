import { attributeOf, textOf, type Element, type HtmlDocument } from '../html/document.ts';
import { jsonOf } from '../html/slots/plainSlotPlaces.ts';
import { insideTemplates } from './elements.ts';
import { readUrl } from './references.ts';
import { spotOf, type Spot } from './spot.ts';

/**
 * What a page runs: scripts, event handlers, `javascript:` addresses, and what is parsed only later (`srcdoc`,
 * `noscript`), also in the contents of `template`.
 * @param nameOf the name under which the address of a script is the same on another page
 * @returns by what tells one piece of code from another
 */
export function codeOf(page: HtmlDocument, nameOf: (url: string) => string): Map<string, Spot> {
  const code = new Map<string, Spot>();
  const add = (key: unknown, spot: Spot) => code.set(JSON.stringify(key), spot);
  for (const element of page.numbers.keys()) addCode(element, nameOf, add);
  for (const element of insideTemplates(page)) addCode(element, readUrl, add);
  return code;
}

function addCode(element: Element, nameOf: (url: string) => string, add: (key: unknown, spot: Spot) => void) {
  const { tagName } = element;
  if (tagName === 'script' ? !jsonOf(element) : tagName === 'noscript') {
    const source = ['src', 'href', 'xlink:href'].map((name) => attributeOf(element, name)).find(Boolean);
    const type = attributeOf(element, 'type');
    add([tagName, type, source === undefined ? undefined : nameOf(readUrl(source)), textOf(element)], spotOf(element));
  }
  for (const { name, value } of element.attrs) {
    const isCode = name.startsWith('on') || name === 'srcdoc' || /^(javascript|vbscript):/i.test(readUrl(value));
    if (isCode) add([name, value], spotOf(element, name));
  }
}
