import MagicString from 'magic-string';
import { remembered } from '../../../remembered.ts';
import { findValue, writeValue } from '../writeAttributes.ts';
import {
  attributeName,
  attributeOf,
  rangeOf,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import type { Range } from '../../../../text/range.ts';

/** Maps the ids of a cloned block to the clone's ids. */
export type Renamed = ReadonlyMap<string, string>;

/** Attributes that hold ids, separated by spaces. */
const idLists = new Set(
  'for form headers list itemref anchor popovertarget commandfor contextmenu aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby aria-owns'.split(
    ' ',
  ),
);
/** Attributes with words for people, which refer to nothing. */
const words = new Set(
  'class alt title content value placeholder label aria-label summary'.split(' '),
);

const holdsId = ({ tagName }: Element, name: string) =>
  name === 'id' || (name === 'name' && (tagName === 'map' || tagName === 'a'));

/** Ids of an element, including names that only links use (`<a name>`). */
export const idsOf = (element: Element): string[] =>
  ['id', 'name'].flatMap((name) =>
    holdsId(element, name) ? (attributeOf(element, name) ?? []) : [],
  );

/**
 * Makes a function that gives a block ids that are new to a page.
 * @param reserved ids that count as taken too
 */
export function createIds({ elements }: HtmlDocument, reserved: string[] = []) {
  const taken = new Set([...elements.flatMap(idsOf), ...reserved]);
  const next = new Map<string, number>();
  const fresh = (id: string): string => {
    const [, stem = id, digits = ''] = /^(.*?)(\d{0,6})$/s.exec(id) ?? [];
    const head = digits === '' ? `${stem}-` : stem;
    for (let n = next.get(head) ?? (digits === '' ? 2 : Number(digits) + 1); ; n++) {
      const made = head + String(n).padStart(digits.length, '0');
      if (taken.has(made)) continue;
      taken.add(made);
      next.set(head, n + 1);
      return made;
    }
  };
  /** New ids for the ids of a block. */
  return (elements: Element[]): Renamed =>
    new Map(
      elements
        .flatMap(idsOf)
        .filter((id) => id !== '')
        .map((id) => [id, fresh(id)]),
    );
}

/**
 * A range of a page's source for a clone, with its ids and references to them renamed.
 * @param elements the elements that start in the range
 */
export function renamedSource(
  page: HtmlDocument,
  { start, end }: Range,
  elements: Element[],
  renamed: Renamed,
): string {
  const edit = new MagicString(page.source);
  for (const element of elements)
    for (const attribute of element.attrs) {
      const name = attributeName(attribute);
      const moved = renamedValue(element, [name, attribute.value], renamed);
      const place = moved === attribute.value ? undefined : findValue(page, element, name);
      if (place) writeValue(edit, place, moved);
    }
  return start === end ? '' : edit.slice(start, end);
}

function renamedValue(
  element: Element,
  [name, value]: [name: string, value: string],
  renamed: Renamed,
): string {
  const now = (id: string) => renamed.get(id) ?? id;
  if (words.has(name)) return value;
  if (holdsId(element, name)) return now(value);
  if (idLists.has(name)) return value.replace(/[^ \t\n\f\r]+/g, now);
  if (name.startsWith('on')) return value.replace(/(?<=(['"])#?)[^'"#\s]+(?=\1)/g, (id) => now(id));
  return mapFragments(name, value, now).replace(/(?<=url\(\s*['"]?#)[^'")\s]+/g, (id) => now(id));
}

/**
 * Replaces the ids in a link within the page (`#id`), and in such links in an attribute that
 * scripts read.
 */
function mapFragments(name: string, value: string, now: (id: string) => string): string {
  const links = name.startsWith('data-')
    ? /(?<=#)[\p{L}\p{N}_-]+/gu
    : /(?<=^[ \t\n\f\r]*#)[^ \t\n\f\r]+(?=[ \t\n\f\r]*$)/;
  return value.replace(links, (id) => now(id));
}

/** The source positions of the links to each id (`href="#id"`, `data-bs-target="#id"`). */
export function linksToIds({ elements }: HtmlDocument): Map<string, number[]> {
  const links = new Map<string, number[]>();
  for (const element of elements)
    for (const { name, value } of element.attrs)
      if (value.includes('#'))
        mapFragments(name, value, (id) => {
          remembered(links, id, () => []).push(rangeOf(element).start);
          return id;
        });
  return links;
}
