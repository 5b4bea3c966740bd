import type { Section } from '../../page.ts';
import { defined } from '../../../../contract/defined.ts';
import { DomainError } from '../../../../errors.ts';
import { isElement, textOf, type Element, type HtmlDocument } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { slotId } from '../openPage.ts';
import type { PageIds, Rebuilt } from '../../changes.ts';
import { landmarkOf } from '../roles.ts';
import { tidyLine } from '../escape.ts';
import { quoted } from '../../../../text/text.ts';
import { moved, without, withLead } from './recompose.ts';

/** Where the sections and tables of a page stand in its source. */
export const sectionRanges = (page: HtmlDocument): Range[] =>
  find(page).map(({ start, end }) => ({ start, end }));

interface Found extends Section, Range {
  elements: Element[];
}

const levelOf = ({ tagName }: Element) => Number(/^h([1-6])$/.exec(tagName)?.[1] ?? 0);
const whole = new Set(['main', 'body', 'html']);

/** Sections and tables of a page's content in document order. */
export function sectionsOf(page: HtmlDocument): Section[] {
  return find(page).map(({ id, kind, name, above, level }) => ({
    id,
    kind,
    name,
    level,
    ...defined({ above }),
  }));
}

function find(page: HtmlDocument): Found[] {
  const around = aroundOf(page);
  const found: Found[] = [];
  let above = '';
  for (const [element, number] of page.numbers) {
    const level = levelOf(element);
    if ((level === 0 && element.tagName !== 'table') || landmarkOf(element)) continue;
    if (level > 0) above = tidyLine(textOf(element));
    const elements = level > 0 ? sectionAt(element, level, around) : [tableAround(element)];
    const [first, last] = [elements[0]!.sourceCodeLocation, elements.at(-1)!.sourceCodeLocation];
    if (!first || !last || level === 1) continue;
    const [caption] =
      level > 0
        ? []
        : element.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'caption');
    const name = caption ? tidyLine(textOf(caption)) : above;
    const range = { start: first.startOffset, end: last.endOffset };
    const own = level > 0 ? { kind: 'section' as const } : { kind: 'table' as const, above };
    found.push({ id: slotId(number), ...own, name, level, elements, ...range });
  }
  return found;
}

const aroundOf = (page: HtmlDocument): Around => ({
  counts: headingCounts(page),
  after: siblingsAfter(page),
});

interface Around {
  counts: Map<Element, number[]>;
  after: Map<Element, Element>;
}

/** For each element the next one beside it. */
function siblingsAfter({ numbers }: HtmlDocument): Map<Element, Element> {
  const after = new Map<Element, Element>();
  const last = new Map<Element['parentNode'], Element>();
  for (const element of numbers.keys()) {
    const before = last.get(element.parentNode);
    if (before) after.set(before, element);
    last.set(element.parentNode, element);
  }
  return after;
}

/** How many headings of each level or above are in each element. */
function headingCounts({ numbers }: HtmlDocument): Map<Element, number[]> {
  const counts = new Map<Element, number[]>();
  for (const element of [...numbers.keys()].reverse()) {
    const own = counts.get(element) ?? [0, 0, 0, 0, 0, 0, 0];
    const level = levelOf(element);
    if (level > 0) for (let i = level; i <= 6; i++) own[i]!++;
    counts.set(element, own);
    const parent = element.parentNode;
    if (!parent || !isElement(parent)) continue;
    const around = counts.get(parent) ?? [0, 0, 0, 0, 0, 0, 0];
    counts.set(parent, around);
    for (let i = 1; i <= 6; i++) around[i]! += own[i]!;
  }
  return counts;
}

/**
 * The largest element in which no other heading is as high; where there is none, the heading and
 * what follows it.
 */
function sectionAt(heading: Element, level: number, { counts, after }: Around): Element[] {
  let element = heading;
  for (
    let parent = element.parentNode;
    parent && isElement(parent) && !whole.has(parent.tagName);
  ) {
    if (counts.get(parent)![level]! > 1) break;
    element = parent;
    parent = parent.parentNode;
  }
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

/** A table with the boxes that hold nothing else. */
function tableAround(table: Element): Element {
  let element = table;
  for (
    let parent = element.parentNode;
    parent && isElement(parent) && !whole.has(parent.tagName);
  ) {
    const holdsMore = parent.childNodes.some(
      (node) => node !== element && (isElement(node) || ('value' in node && /\S/.test(node.value))),
    );
    if (holdsMore || parent.tagName === 'section') break;
    element = parent;
    parent = parent.parentNode;
  }
  return element;
}

function sectionWith(page: HtmlDocument, id: string): Found {
  const all = find(page);
  const found = all.find((section) => section.id === id);
  if (found) return found;
  const there = all.slice(0, NAMED).map(({ id, name }) => `${id} ${quoted(name, LONGEST_NAME)}`);
  const rest = all.length - there.length;
  const list =
    there.length === 0
      ? 'it has none'
      : `there are ${there.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  throw new DomainError(
    'INVALID_INPUT',
    `The page has no section or table "${id.slice(0, 40)}"; ${list}`,
  );
}

const NAMED = 20;
const LONGEST_NAME = 40;

/** The elements of a section or table. Throws INVALID_INPUT. */
export const sectionElements = (page: HtmlDocument, id: string): Element[] =>
  sectionWith(page, id).elements;

/**
 * The elements after which a section can come: those of a section, or of the part with the page's
 * headline.
 */
export function elementsBefore(page: HtmlDocument, id: string): Element[] {
  const headline = [...page.numbers].find(
    ([{ tagName }, number]) => tagName === 'h1' && slotId(number) === id,
  )?.[0];
  return headline ? sectionAt(headline, 2, aroundOf(page)) : sectionElements(page, id);
}

/**
 * The page without the sections that are not named. One that holds a named one, or lies in one,
 * stays too. Throws INVALID_INPUT for one that the page does not have.
 */
export function keepSections(
  page: HtmlDocument,
  kept: string[],
  ids: PageIds | undefined,
): Rebuilt | null {
  const named = kept.map((id) => sectionWith(page, id));
  const overlaps = (a: Range, b: Range) => a.start < b.end && b.start < a.end;
  const gone = find(page).filter((section) => !named.some((other) => overlaps(section, other)));
  if (gone.length === 0) return null;
  return without(
    page,
    gone.map((section) => withLead(page, section)),
    ids,
  );
}

/** The page without a section or table. Throws INVALID_INPUT. */
export function removeSection(page: HtmlDocument, id: string, ids: PageIds | undefined): Rebuilt {
  return without(page, [withLead(page, sectionWith(page, id))], ids);
}

/**
 * The page with a section before or after another one. Throws INVALID_INPUT, also where the section
 * would leave the box that lays it out.
 */
export function moveSection(
  page: HtmlDocument,
  { id, where, other }: { id: string; where: 'before' | 'after'; other: string },
  ids: PageIds | undefined,
): Rebuilt {
  const [section, beside] = [sectionWith(page, id), sectionWith(page, other)];
  if (section.elements[0]!.parentNode !== beside.elements[0]!.parentNode)
    throw new DomainError(
      'INVALID_INPUT',
      `"${section.name}" and "${beside.name}" stand in different parts of the page: one can't move beside the other`,
    );
  return moved(page, section, beside, { where, ids });
}
