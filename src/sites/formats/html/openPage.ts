import type { PageIds } from '../changes.ts';
import { isElement, parseDocument, type Element, type HtmlDocument } from './document.ts';

/** The id of an element's text: `s12`, and `n1` for one that came later. */
export const slotId = (number: string) => (number.startsWith('n') ? number : `s${number}`);

/** The element's number in the id of a slot. */
export const numberIn = (id: string): string =>
  /^(?:s([\d+]+)|(n[\d+]+))/.exec(id)?.slice(1).find(Boolean) ?? '';

/** A page whose elements have the numbers that a task knows them by. */
export function openPage({ source, ids }: { source: string; ids?: PageIds }): HtmlDocument {
  const page = parseDocument(source);
  if (!ids) return page;
  const elements = [...page.numbers.keys()];
  return {
    ...page,
    numbers: new Map(elements.map((element, i) => [element, ids.numbers[i] ?? `${i}`])),
  };
}

/** The page's numbers from now on: those with `+` are of clones, and get new ones. */
export function idsAfter({ numbers }: HtmlDocument, before: PageIds | undefined): PageIds {
  let next = before?.next ?? 1;
  const after = [...numbers.values()].map((number) =>
    number.includes('+') ? `n${next++}` : number,
  );
  return { numbers: after, next, ...(before?.groups && { groups: before.groups }) };
}

/** Elements inside another one, itself among them. */
export const within = (element: Element): Element[] => [
  element,
  ...element.childNodes.filter(isElement).flatMap(within),
];
