import type { Section } from '../../page.ts';
import { defined } from '../../../../contract/defined.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { remembered } from '../../../remembered.ts';
import {
  childrenOf,
  closest,
  isElement,
  parentOf,
  spanOf,
  textOf,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { idOf, type Page } from '../openPage.ts';
import type { Edited } from '../../changes.ts';
import { landmarkOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { tidyLine } from '../escape.ts';
import { moved, withLead, without } from './recompose.ts';

/** A section or table, and where it is. */
export interface LocatedSection extends Section, Range {
  elements: Element[];
}

/** The level of a heading; 0 for another element. */
const levelOf = ({ tagName }: Element) => Number(/^h([1-6])$/.exec(tagName)?.[1] ?? 0);
const isHeading = (element: Element) => levelOf(element) > 0;
/** Elements that hold the whole page. */
const whole = new Set(['main', 'body', 'html']);

/** The sections and tables of a page's content, in document order. */
export function sectionsOf(page: HtmlDocument): Section[] {
  return locateSections(page).map(({ id, kind, name, above, level }) => ({
    id,
    kind,
    name,
    level,
    ...defined({ above }),
  }));
}

/** The sections and tables of a page's content with their elements, in document order. */
export function locateSections(page: HtmlDocument): LocatedSection[] {
  const around = { counts: headingCounts(page), after: siblingsAfter(page) };
  const idOfHeading = headingIds(page);
  const found: LocatedSection[] = [];
  let above = '';
  for (const element of page.elements) {
    const level = levelOf(element);
    if ((level === 0 && element.tagName !== 'table') || landmarkOf(element)) continue;
    if (level > 0) above = tidyLine(textOf(element));
    const elements = level > 0 ? sectionAt(element, level, around) : [tableAround(element)];
    const { start, end } = spanOf(elements);
    if (start === -1 || end === -1 || level === 1) continue;
    const caption = level === 0 && childrenOf(element).find(({ tagName }) => tagName === 'caption');
    const name = caption ? tidyLine(textOf(caption)) : above;
    const own = level > 0 ? { kind: 'section' as const } : { kind: 'table' as const, above };
    const id = idOfHeading.get(element) ?? idOf(page, element);
    found.push({ id, ...own, name, level, elements, start, end });
  }
  return found;
}

/** The ids of headings: those of their texts, which may stand in an element in the heading. */
function headingIds(page: HtmlDocument): Map<Element, string> {
  const ids = new Map<Element, string>();
  for (const { slot, element } of findSlotPlaces(page)) {
    const heading = slot.role === 'heading' && closest(element, isHeading);
    if (heading && !ids.has(heading)) ids.set(heading, slot.id);
  }
  return ids;
}

interface Around {
  counts: Map<Element, number[]>;
  after: Map<Element, Element>;
}

/** Maps each element to its next sibling element. */
function siblingsAfter({ elements }: HtmlDocument): Map<Element, Element> {
  const after = new Map<Element, Element>();
  const last = new Map<Element['parentNode'], Element>();
  for (const element of elements) {
    const before = last.get(element.parentNode);
    if (before) after.set(before, element);
    last.set(element.parentNode, element);
  }
  return after;
}

/** Counts, for each element, the headings in it of each level or a higher one. */
function headingCounts({ elements }: HtmlDocument): Map<Element, number[]> {
  const counts = new Map<Element, number[]>();
  const countsIn = (element: Element) => remembered(counts, element, () => [0, 0, 0, 0, 0, 0, 0]);
  for (const element of elements.toReversed()) {
    const own = countsIn(element);
    const level = levelOf(element);
    if (level > 0) for (let i = level; i <= 6; i++) own[i]!++;
    const parent = parentOf(element);
    if (!parent) continue;
    const around = countsIn(parent);
    for (let i = 1; i <= 6; i++) around[i]! += own[i]!;
  }
  return counts;
}

/**
 * The elements of a heading's section: the largest element that has no other heading of this level
 * or a higher one. Without such an element, the heading and its following siblings.
 */
function sectionAt(heading: Element, level: number, { counts, after }: Around): Element[] {
  const element = grown(heading, (parent) => counts.get(parent)![level]! === 1);
  if (element !== heading) return [element];
  const own = [heading];
  for (
    let next = after.get(heading);
    next && counts.get(next)![level] === 0;
    next = after.get(next)
  )
    own.push(next);
  return own;
}

/** Goes up from an element while `fits` accepts the parent. */
function grown(from: Element, fits: (parent: Element, inside: Element) => boolean): Element {
  const parent = parentOf(from);
  return parent && !whole.has(parent.tagName) && fits(parent, from) ? grown(parent, fits) : from;
}

/** A table, or the outermost element around it that holds nothing else. */
const tableAround = (table: Element): Element =>
  grown(
    table,
    (parent, inside) =>
      parent.tagName !== 'section' &&
      !parent.childNodes.some(
        (node) =>
          node !== inside && (isElement(node) || ('value' in node && /\S/.test(node.value))),
      ),
  );

/** A section or table by its id. Throws INVALID_INPUT for an unknown one. */
function sectionWith(page: HtmlDocument, id: string): LocatedSection {
  const found = locateSections(page).find((section) => section.id === id);
  if (!found) throw invalidInput(`The page has no section or table "${id.slice(0, 40)}"`);
  return found;
}

/** Removes a section or table. Throws INVALID_INPUT for an unknown one. */
export const removeSection = (page: Page, id: string): Edited =>
  without(page, [withLead(page, sectionWith(page, id))]);

/**
 * Moves a section. Throws INVALID_INPUT for an unknown section, or if it would leave its parent
 * element.
 */
export function moveSection(
  page: Page,
  { id, where, other }: { id: string; where: 'before' | 'after'; other: string },
): Edited {
  const [section, beside] = [sectionWith(page, id), sectionWith(page, other)];
  if (section.elements[0]!.parentNode !== beside.elements[0]!.parentNode)
    throw invalidInput(
      `"${section.name}" and "${beside.name}" stand in different parts of the page: one can't move beside the other`,
    );
  return moved(page, section, { other: beside, where });
}
