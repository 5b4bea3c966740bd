import MagicString from 'magic-string';
import type { PageFile } from '../../../contract/site.ts';
import type { PageSource } from '../format.ts';
import { fitCharset } from './charset.ts';
import { parseDocument, type PageElement, type HtmlDocument } from './document.ts';
import { htmlPaths } from './htmlPaths.ts';

/** A parsed page of a site. Its elements have the numbers by which the task knows them. */
export interface HtmlPage extends HtmlDocument {
  file: PageFile;
}

/**
 * Parses a page of a site. Its elements get the given numbers; without any, they are numbered from
 * 0 in document order.
 * @throws LIMIT_EXCEEDED for a page that is too large or too deep
 */
export function openHtmlPage({ path, source, elementNumbers }: PageSource): HtmlPage {
  const page = parseDocument(source);
  const file = { path, slug: htmlPaths.slugOf(path) };
  if (!elementNumbers) return { ...page, file };
  const numberedElements = page.elements.map(
    (element, i) => [element, elementNumbers[i] ?? `${i}`] as const,
  );
  return { ...page, elementNumbers: new Map(numberedElements), file };
}

/** Opens a page, lets `write` edit its source, and returns the new source. */
export function editHtmlPage(
  source: PageSource,
  write: (sourceEditor: MagicString, page: HtmlPage) => unknown,
): string {
  const page = openHtmlPage(source);
  const sourceEditor = new MagicString(page.source);
  write(sourceEditor, page);
  return fitCharset(page, page.bom + sourceEditor.toString());
}

/** The slot id for an element's number: `s12`, or `n1` if the task added the element. */
export const slotId = (number: string) => (number.startsWith('n') ? number : `s${number}`);

/** The slot id of an element's text. The ids of its attributes start with it. */
export const elementSlotId = ({ elementNumbers }: HtmlDocument, element: PageElement) =>
  slotId(elementNumbers.get(element)!);

/** The element's number in a slot id; '' for none. */
export const numberInId = (id: string): string =>
  /^(?:s([\d+]+)|(n[\d+]+))/.exec(id)?.slice(1).find(Boolean) ?? '';

/** The element that the id of a text, link or image belongs to. */
export function findElement(
  { elements, elementNumbers }: HtmlDocument,
  id: string,
): PageElement | undefined {
  const number = numberInId(id);
  return elements.find((element) => elementNumbers.get(element) === number);
}

/**
 * The numbers of a page's elements after a change. A clone's number has a `+` and is replaced by a
 * new one: `12+1` becomes `n1`.
 */
export function renumberElements({
  elements,
  elementNumbers,
}: Pick<HtmlDocument, 'elements' | 'elementNumbers'>): string[] {
  let lastNumber = 0;
  for (const number of elementNumbers.values())
    if (/^n\d+$/.test(number)) lastNumber = Math.max(lastNumber, Number(number.slice(1)));
  return elements.map((element) => {
    const number = elementNumbers.get(element)!;
    return number.includes('+') ? `n${++lastNumber}` : number;
  });
}
