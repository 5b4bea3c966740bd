import { liesIn } from '../../../../text/range.ts';
import {
  blockAround,
  headingAt,
  headlinePart,
  levelOf,
  locateSections,
  sectionWith,
  type LocatedSection,
} from '../changes/sections.ts';
import { childrenOf, closest, parentOf, rangeOf, spanOf, type Element } from '../document.ts';
import { elementOf, type Page } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';
import type { Fragment } from './readFragment.ts';
import { hasPartOf, holdersOf, isTextual, type Tag, wrapperOf } from './wrapper.ts';

/** Where new markup comes. */
interface InsertionPlace {
  /** The siblings that it comes behind. */
  beside: Element[];
  /** What its neighbours have around their content. */
  wrapper: Tag[];
}

/**
 * The place for new markup behind a section, a heading or a text. A section comes behind the
 * section, with the wrapper of its neighbours. What has no heading, such as a paragraph, comes
 * right behind the heading or text. What has only a lower heading, without a wrapper, comes to the
 * end of the section.
 * @throws DomainError INVALID_INPUT for an id of no section, heading or text of the page's content
 */
export function insertionPlace(
  page: Page,
  after: string,
  elements: Fragment['elements'],
): InsertionPlace {
  const element = headingAt(page, after) ?? elementOf(page, after);
  if (!element || !isContent(element)) return unwrapped(sectionWith(page, after).elements);
  const sections = locateSections(page);
  const level = levelIn(elements);
  const owner =
    sections.find(({ of }) => of === element) ?? sectionAround(sections, element, level);
  const found = owner?.elements ?? headlineAround(page, element) ?? [blockAround(page, element)];
  const beside = level === TOP ? besideSection(page, found, sections) : found;
  const wrapper = wrapperOf(neighboursOf(page, beside, sections));
  const isLoose = level === undefined && !isBox(elements, wrapper) && owner?.of.tagName !== 'table';
  const block = isLoose && blockOf(element);
  if (block) return unwrapped([block]);
  const isPart = owner?.kind === 'section' && level !== undefined && level > owner.level;
  return isPart && rootsOf(elements).every(isTextual)
    ? unwrapped([lastIn(owner)])
    : { beside, wrapper };
}

/** The highest level of a heading in new markup: a page has one headline. */
const TOP = 2;

/** The siblings that are sections or have some, without the one with the headline. */
function neighboursOf(page: Page, [first]: Element[], sections: LocatedSection[]): Element[] {
  const holding = withAncestors(sections.map(({ of }) => of));
  const top = withAncestors(page.elements.filter(({ tagName }) => tagName === 'h1'));
  const parent = parentOf(first!);
  return parent ? childrenOf(parent).filter((one) => holding.has(one) && !top.has(one)) : [];
}

function withAncestors(elements: Element[]): Set<Element> {
  const found = new Set<Element>();
  for (const element of elements)
    for (let around = parentOf(element); around; around = parentOf(around)) {
      if (found.has(around)) break;
      found.add(around);
    }
  return found.union(new Set(elements));
}

/**
 * The whole `section` around a column with a heading, where it stands among others. Sections that
 * are blocks beside each other stay.
 */
function besideSection(page: Page, found: Element[], sections: LocatedSection[]): Element[] {
  const parent = parentOf(found[0]!);
  const around = closest(found[0]!, ({ tagName }) => tagName === 'section');
  const isAlone = sections.filter(({ elements }) => parentOf(elements[0]!) === parent).length < 2;
  const isBox = found.length === 1 && !isTextual(found[0]!);
  const isOfMany = around && neighboursOf(page, [around], sections).length > 1;
  return isAlone && isBox && isOfMany ? [around] : found;
}

const unwrapped = (beside: Element[]): InsertionPlace => ({ beside, wrapper: [] });

const isContent = (element: Element) =>
  landmarkOf(element) === null &&
  closest(element, ({ parentNode }) => parentNode?.nodeName === 'body') !== undefined;

/** The level of the highest heading in new markup; undefined for none. */
function levelIn(elements: Fragment['elements']): number | undefined {
  const levels = elements.map(({ element }) => levelOf(element)).filter((level) => level > 0);
  return levels.length === 0 ? undefined : Math.min(...levels);
}

const rootsOf = (elements: Fragment['elements']) => elements.filter(({ depth }) => depth === 0);

/** Whether new markup without a heading is a section nevertheless. */
const isBox = (elements: Fragment['elements'], wrapper: Tag[]) =>
  rootsOf(elements).some(({ tagName }) => tagName === 'section' || tagName === 'article') ||
  hasPartOf(wrapper, elements);

/** The smallest section around a text, of this level or a higher one. */
function sectionAround(
  sections: LocatedSection[],
  element: Element,
  level = 6,
): LocatedSection | undefined {
  const around = sections.filter(
    (section) => section.kind === 'section' && liesIn(rangeOf(element), section),
  );
  const size = ({ start, end }: LocatedSection) => end - start;
  const [smallest, ...others] = around.sort((a, b) => size(a) - size(b));
  return [smallest, ...others].find((section) => section && section.level <= level) ?? smallest;
}

/** The part with the page's headline, if an element lies in it. */
function headlineAround(page: Page, element: Element): Element[] | undefined {
  const headline =
    element.tagName === 'h1'
      ? element
      : page.elements.find((one) => one.tagName === 'h1' && isContent(one));
  const part = headline && headlinePart(page, headline);
  return part && liesIn(rangeOf(element), spanOf(part)) ? part : undefined;
}

const flow = new Set(
  'body main section article div aside header footer li dd td blockquote details'.split(' '),
);
const phrasing = new Set(
  'a abbr b br button cite code em i img input label mark picture q s select small span strong sub sup svg time u'.split(
    ' ',
  ),
);

/** The block of a text that others can stand behind: its paragraph, or the list that it is in. */
const blockOf = (element: Element): Element | undefined =>
  closest(
    element,
    (around) => !phrasing.has(around.tagName) && flow.has(parentOf(around)?.tagName ?? ''),
  );

/** The last element of a section's content. */
function lastIn({ elements }: LocatedSection): Element {
  const last = elements.at(-1)!;
  const holder = elements.length === 1 ? holdersOf(last).at(-1) : undefined;
  return (holder && childrenOf(holder).at(-1)) ?? last;
}
