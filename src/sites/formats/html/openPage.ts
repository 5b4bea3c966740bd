import MagicString from 'magic-string';
import type { PageFile } from '../../../contract/site.ts';
import type { PageSource } from '../format.ts';
import { fitCharset } from './charset.ts';
import { parseDocument, type Element, type HtmlDocument } from './document.ts';
import { htmlPaths } from './htmlPaths.ts';

/** A parsed page of a site. Its elements have the numbers by which the task knows them. */
export interface Page extends HtmlDocument {
  file: PageFile;
}

export function openPage({ path, source, numbers }: PageSource): Page {
  const page = parseDocument(source);
  const file = { path, slug: htmlPaths.slugOf(path) };
  if (!numbers) return { ...page, file };
  const numbered = page.elements.map((element, i) => [element, numbers[i] ?? `${i}`] as const);
  return { ...page, numbers: new Map(numbered), file };
}

/** Applies `write` to a page and returns its new source. */
export function edited(
  source: PageSource,
  write: (edit: MagicString, page: Page) => unknown,
): string {
  const page = openPage(source);
  const edit = new MagicString(page.source);
  write(edit, page);
  return fitCharset(page, page.bom + edit.toString());
}

/** The slot id for an element's number: `s12`, or `n1` if the task added the element. */
export const slotId = (number: string) => (number.startsWith('n') ? number : `s${number}`);

/** The slot id of an element's text. The ids of its attributes start with it. */
export const idOf = ({ numbers }: HtmlDocument, element: Element) => slotId(numbers.get(element)!);

/** The element's number in a slot id; '' for none. */
export const numberIn = (id: string): string =>
  /^(?:s([\d+]+)|(n[\d+]+))/.exec(id)?.slice(1).find(Boolean) ?? '';

/** The element that the id of a text, link or image belongs to. */
export function elementOf({ elements, numbers }: HtmlDocument, id: string): Element | undefined {
  const number = numberIn(id);
  return elements.find((element) => numbers.get(element) === number);
}

/**
 * The numbers of a page's elements after a change. Clones, whose number has a `+`, get new numbers.
 */
export function numbersAfter({
  elements,
  numbers,
}: Pick<HtmlDocument, 'elements' | 'numbers'>): string[] {
  let last = 0;
  for (const number of numbers.values())
    if (/^n\d+$/.test(number)) last = Math.max(last, Number(number.slice(1)));
  return elements.map((element) => {
    const number = numbers.get(element)!;
    return number.includes('+') ? `n${++last}` : number;
  });
}
