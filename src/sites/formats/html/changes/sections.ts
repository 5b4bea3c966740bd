import type { PageSection } from '../../pageParts.ts';
import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { getOrCreate } from '../../../remembered.ts';
import {
  childrenOf,
  closest,
  isElement,
  parentOf,
  spanOf,
  textContentOf,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import type { TextRange } from '../../../../text/textRange.ts';
import { elementSlotId, type HtmlPage } from '../openHtmlPage.ts';
import type { EditedPageSource } from '../../changes.ts';
import { unknownSectionError } from '../../partErrors.ts';
import { landmarkOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { validHtmlLine } from '../../escape.ts';
import { moveRange, includeLead, withoutRanges } from './recompose.ts';

/** A section or table with its elements and its range in the source. */
export interface LocatedSection extends PageSection, TextRange {
  elements: PageElement[];
}

/** The level of a heading; 0 for another element. */
const headingTagLevel = ({ tagName }: PageElement) => Number(/^h([1-6])$/.exec(tagName)?.[1] ?? 0);
const isHeading = (element: PageElement) => headingTagLevel(element) > 0;
/** Elements that hold the whole page. */
const wholePageTags = new Set(['main', 'body', 'html']);

/** The sections and tables of a page's content, in document order. */
export function listSections(page: HtmlDocument): PageSection[] {
  return locateSections(page).map(({ id, kind, name, above, level }) => ({
    id,
    kind,
    name,
    level,
    ...withoutUndefined({ above }),
  }));
}

/** The sections and tables of a page's content with their elements, in document order. */
export function locateSections(page: HtmlDocument): LocatedSection[] {
  const headingIndex = { counts: headingCounts(page), after: siblingsAfter(page) };
  const idOfHeading = headingIds(page);
  const sections: LocatedSection[] = [];
  let above = '';
  for (const element of page.elements) {
    const level = headingTagLevel(element);
    if ((level === 0 && element.tagName !== 'table') || landmarkOf(element)) continue;
    if (level > 0) above = validHtmlLine(textContentOf(element));
    const elements =
      level > 0 ? sectionElements(element, level, headingIndex) : [tableAround(element)];
    const { start, end } = spanOf(elements);
    if (start === -1 || end === -1 || level === 1) continue;
    const caption = level === 0 && childrenOf(element).find(({ tagName }) => tagName === 'caption');
    const name = caption ? validHtmlLine(textContentOf(caption)) : above;
    const kindFields = level > 0 ? { kind: 'section' as const } : { kind: 'table' as const, above };
    const id = idOfHeading.get(element) ?? elementSlotId(page, element);
    sections.push({ id, ...kindFields, name, level, elements, start, end });
  }
  return sections;
}

/** The ids of headings: those of their slots, whose text may stand in an element in the heading. */
function headingIds(page: HtmlDocument): Map<PageElement, string> {
  const ids = new Map<PageElement, string>();
  for (const { slot, element } of findSlotPlaces(page)) {
    const heading = slot.role === 'heading' && closest(element, isHeading);
    if (heading && !ids.has(heading)) ids.set(heading, slot.id);
  }
  return ids;
}

interface HeadingIndex {
  counts: Map<PageElement, number[]>;
  after: Map<PageElement, PageElement>;
}

/** Maps each element to its next sibling element. */
function siblingsAfter({ elements }: HtmlDocument): Map<PageElement, PageElement> {
  const nextSiblings = new Map<PageElement, PageElement>();
  const lastSiblings = new Map<PageElement['parentNode'], PageElement>();
  for (const element of elements) {
    const previous = lastSiblings.get(element.parentNode);
    if (previous) nextSiblings.set(previous, element);
    lastSiblings.set(element.parentNode, element);
  }
  return nextSiblings;
}

/** Counts, for each element, the headings in it of each level or a higher one. */
function headingCounts({ elements }: HtmlDocument): Map<PageElement, number[]> {
  const counts = new Map<PageElement, number[]>();
  const countsIn = (element: PageElement) =>
    getOrCreate(counts, element, () => [0, 0, 0, 0, 0, 0, 0]);
  for (const element of elements.toReversed()) {
    const ownCounts = countsIn(element);
    const level = headingTagLevel(element);
    if (level > 0) for (let i = level; i <= 6; i++) ownCounts[i]!++;
    const parent = parentOf(element);
    if (!parent) continue;
    const parentCounts = countsIn(parent);
    for (let i = 1; i <= 6; i++) parentCounts[i]! += ownCounts[i]!;
  }
  return counts;
}

/**
 * The elements of a heading's section: the largest element that has no other heading of this level
 * or a higher one. Without such an element, the heading and its following siblings.
 */
function sectionElements(
  heading: PageElement,
  level: number,
  { counts, after }: HeadingIndex,
): PageElement[] {
  const element = growElement(heading, (parent) => counts.get(parent)![level]! === 1);
  if (element !== heading) return [element];
  const elements = [heading];
  for (
    let next = after.get(heading);
    next && counts.get(next)![level] === 0;
    next = after.get(next)
  )
    elements.push(next);
  return elements;
}

/** Goes up from an element while `fits` accepts the parent. */
function growElement(
  element: PageElement,
  fits: (parent: PageElement, inside: PageElement) => boolean,
): PageElement {
  const parent = parentOf(element);
  return parent && !wholePageTags.has(parent.tagName) && fits(parent, element)
    ? growElement(parent, fits)
    : element;
}

/** A table, or the outermost element around it that holds nothing else. */
const tableAround = (table: PageElement): PageElement =>
  growElement(
    table,
    (parent, inside) =>
      parent.tagName !== 'section' &&
      !parent.childNodes.some(
        (node) =>
          node !== inside && (isElement(node) || ('value' in node && /\S/.test(node.value))),
      ),
  );

/** A section or table by its id. Throws INVALID_INPUT for an unknown one. */
function findSection(page: HtmlDocument, id: string): LocatedSection {
  const section = locateSections(page).find((section) => section.id === id);
  if (!section) throw unknownSectionError(id);
  return section;
}

/** Removes a section or table. Throws INVALID_INPUT for an unknown one. */
export const removePageSection = (page: HtmlPage, id: string): EditedPageSource =>
  withoutRanges(page, [includeLead(page, findSection(page, id))]);

/**
 * Moves a section. Throws INVALID_INPUT for an unknown section, or if it would leave its parent
 * element.
 */
export function movePageSection(
  page: HtmlPage,
  { id, where, other }: { id: string; where: 'before' | 'after'; other: string },
): EditedPageSource {
  const [section, otherSection] = [findSection(page, id), findSection(page, other)];
  if (section.elements[0]!.parentNode !== otherSection.elements[0]!.parentNode)
    throw invalidInput(
      `"${section.name}" and "${otherSection.name}" are in different parts of the page, so one cannot be moved next to the other`,
    );
  return moveRange(page, section, { other: otherSection, where });
}
