import MagicString from 'magic-string';
import { findValue, writeValue } from './attributes.ts';
import { attributeOf, type Element, type HtmlDocument, type Range } from './document.ts';

/** New ids by those of the block that a clone is made of. */
export type Renamed = ReadonlyMap<string, string>;

/** Attributes that hold ids, parted by spaces. */
const idLists = new Set(
  'for form headers list itemref anchor popovertarget commandfor contextmenu aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby aria-owns'.split(
    ' ',
  ),
);
/** Attributes with words for people, in which nothing refers to anything. */
const words = new Set('class alt title content value placeholder label aria-label summary'.split(' '));

const holdsId = ({ tagName }: Element, name: string) =>
  name === 'id' || (name === 'name' && (tagName === 'map' || tagName === 'a'));

const idsOf = (element: Element): string[] =>
  ['id', 'name'].flatMap((name) => (holdsId(element, name) ? (attributeOf(element, name) ?? []) : []));

/** Makes ids that the page has not yet, each once. */
export function createIds({ numbers }: HtmlDocument) {
  const taken = new Set([...numbers.keys()].flatMap(idsOf));
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
 * A stretch of a page's source for a clone: its ids, and what refers to them, have their new names.
 * @param elements those that begin in the stretch
 */
export function renamedSource(
  page: HtmlDocument,
  { start, end }: Range,
  elements: Element[],
  renamed: Renamed,
): string {
  const edit = new MagicString(page.source);
  for (const element of elements)
    for (const { name, prefix, value } of element.attrs) {
      const attribute = prefix ? `${prefix}:${name}` : name;
      const moved = renamedValue(element, attribute, value, renamed);
      const place = moved === value ? undefined : findValue(page, element, attribute);
      if (place) writeValue(edit, place, moved);
    }
  return start === end ? '' : edit.slice(start, end);
}

function renamedValue(element: Element, name: string, value: string, renamed: Renamed): string {
  const now = (id: string) => renamed.get(id) ?? id;
  if (words.has(name)) return value;
  if (holdsId(element, name)) return now(value);
  if (idLists.has(name)) return value.replace(/[^ \t\n\f\r]+/g, now);
  if (name.startsWith('on')) return value.replace(/(?<=(['"])#?)[^'"#\s]+(?=\1)/g, (id) => now(id));
  if (name.startsWith('data-')) return value.replace(/(?<=#)[\p{L}\p{N}_-]+/gu, now);
  return value
    .replace(/^([ \t\n\f\r]*#)([^ \t\n\f\r]+)(?=[ \t\n\f\r]*$)/, (_, hash: string, id: string) => hash + now(id))
    .replace(/(url\(\s*['"]?#)([^'")\s]+)/g, (_, head: string, id: string) => head + now(id));
}
