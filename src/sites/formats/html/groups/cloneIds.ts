import MagicString from 'magic-string';
import { getOrCreate } from '../../../remembered.ts';
import { findValue, writeValue } from '../writeAttributes.ts';
import {
  attributeName,
  attributeOf,
  rangeOf,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import type { TextRange } from '../../../../text/textRange.ts';

/** Maps the ids of a cloned block to the clone's ids. */
export type RenamedIds = ReadonlyMap<string, string>;

/** Attributes that hold ids, separated by spaces. */
const idLists = new Set(
  'for form headers list itemref anchor popovertarget commandfor contextmenu aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby aria-owns'.split(
    ' ',
  ),
);
/** Attributes with words for people, which refer to nothing. */
const textAttributes = new Set(
  'class alt title content value placeholder label aria-label summary'.split(' '),
);

const holdsId = ({ tagName }: PageElement, name: string) =>
  name === 'id' || (name === 'name' && (tagName === 'map' || tagName === 'a'));

/** Ids of an element, including names that only links use (`<a name>`). */
export const elementIds = (element: PageElement): string[] =>
  ['id', 'name'].flatMap((name) =>
    holdsId(element, name) ? (attributeOf(element, name) ?? []) : [],
  );

/**
 * Makes a function that gives the elements of a block ids that are new to a page: `faq-2` for
 * `faq`, `tab4` for `tab3`.
 * @param reserved ids that count as taken too
 */
export function createIdGenerator({ elements }: HtmlDocument, reserved: string[] = []) {
  const takenIds = new Set([...elements.flatMap(elementIds), ...reserved]);
  const nextNumbers = new Map<string, number>();
  const createFreshId = (id: string): string => {
    const [, stem = id, digits = ''] = /^(.*?)(\d{0,6})$/s.exec(id) ?? [];
    const prefix = digits === '' ? `${stem}-` : stem;
    for (let n = nextNumbers.get(prefix) ?? (digits === '' ? 2 : Number(digits) + 1); ; n++) {
      const newId = prefix + String(n).padStart(digits.length, '0');
      if (takenIds.has(newId)) continue;
      takenIds.add(newId);
      nextNumbers.set(prefix, n + 1);
      return newId;
    }
  };
  /** New ids for the ids of a block. */
  return (elements: PageElement[]): RenamedIds =>
    new Map(
      elements
        .flatMap(elementIds)
        .filter((id) => id !== '')
        .map((id) => [id, createFreshId(id)]),
    );
}

/**
 * A range of a page's source for a clone, with its ids and references to them renamed.
 * @param elements the elements that start in the range
 */
export function renameIdsInSource(
  page: HtmlDocument,
  { start, end }: TextRange,
  elements: PageElement[],
  renamedIds: RenamedIds,
): string {
  const sourceEditor = new MagicString(page.source);
  for (const element of elements)
    for (const attribute of element.attrs) {
      const name = attributeName(attribute);
      const newValue = renameIdsInValue(element, [name, attribute.value], renamedIds);
      const place = newValue === attribute.value ? undefined : findValue(page, element, name);
      if (place) writeValue(sourceEditor, place, newValue);
    }
  return start === end ? '' : sourceEditor.slice(start, end);
}

function renameIdsInValue(
  element: PageElement,
  [name, value]: [name: string, value: string],
  renamedIds: RenamedIds,
): string {
  const newIdOf = (id: string) => renamedIds.get(id) ?? id;
  if (textAttributes.has(name)) return value;
  if (holdsId(element, name)) return newIdOf(value);
  if (idLists.has(name)) return value.replace(/[^ \t\n\f\r]+/g, newIdOf);
  if (name.startsWith('on'))
    return value.replace(/(?<=(['"])#?)[^'"#\s]+(?=\1)/g, (id) => newIdOf(id));
  return mapFragments(name, value, newIdOf).replace(/(?<=url\(\s*['"]?#)[^'")\s]+/g, (id) =>
    newIdOf(id),
  );
}

/** Replaces the ids in a link within the page (`#id`), also in `data-` attributes. */
function mapFragments(name: string, value: string, replaceId: (id: string) => string): string {
  const links = name.startsWith('data-')
    ? /(?<=#)[\p{L}\p{N}_-]+/gu
    : /(?<=^[ \t\n\f\r]*#)[^ \t\n\f\r]+(?=[ \t\n\f\r]*$)/;
  return value.replace(links, (id) => replaceId(id));
}

/** The source positions of the links to each id (`href="#id"`, `data-bs-target="#id"`). */
export function linksToIds({ elements }: HtmlDocument): Map<string, number[]> {
  const links = new Map<string, number[]>();
  for (const element of elements)
    for (const { name, value } of element.attrs)
      if (value.includes('#'))
        mapFragments(name, value, (id) => {
          getOrCreate(links, id, () => []).push(rangeOf(element).start);
          return id;
        });
  return links;
}
