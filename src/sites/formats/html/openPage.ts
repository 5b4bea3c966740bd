import MagicString from 'magic-string';
import type { PageFile } from '../../../contract/site.ts';
import type { PageIds } from '../changes.ts';
import type { PageSource } from '../format.ts';
import { parseDocument, type Element, type HtmlDocument } from './document.ts';
import { htmlPaths } from './htmlPaths.ts';

/** A parsed page of a site. Its elements have the numbers by which the task knows them. */
export interface Page extends HtmlDocument {
  file: PageFile;
}

export function openPage({ path, source, ids }: PageSource): Page {
  const page = parseDocument(source);
  const file = { path, slug: htmlPaths.slugOf(path) };
  const numbered = page.elements.map((element, i) => [element, ids?.numbers[i] ?? `${i}`] as const);
  return { ...page, ...(ids && { numbers: new Map(numbered) }), file, ids };
}

/** Applies `write` to a page and returns its new source. */
export function edited(
  source: PageSource,
  write: (edit: MagicString, page: Page) => unknown,
): string {
  const page = openPage(source);
  const edit = new MagicString(page.source);
  write(edit, page);
  return page.bom + edit.toString();
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

/** The number of the element that a clone is made of. */
const originalOf = (number: string) => number.split('+', 1)[0]!;

/** Whether an element's text is a slot, even without a letter or a number. */
export function isKept({ ids, numbers }: HtmlDocument, element: Element): boolean {
  const kept = ids?.wordless ?? [];
  return kept.length > 0 && kept.includes(originalOf(numbers.get(element)!));
}

/**
 * The numbers of a page's elements after a change. Clones, whose number has a `+`, get new numbers.
 */
export function idsAfter(
  { elements, numbers }: Pick<HtmlDocument, 'elements' | 'numbers'>,
  before: PageIds | undefined,
): PageIds {
  let next = before?.next ?? 1;
  const wordless = new Set(before?.wordless);
  const after = elements.map((element) => {
    const number = numbers.get(element)!;
    if (!number.includes('+')) return number;
    const own = `n${next++}`;
    if (wordless.has(originalOf(number))) wordless.add(own);
    return own;
  });
  return { ...before, numbers: after, next, ...(wordless.size > 0 && { wordless: [...wordless] }) };
}
