import { liesIn, type Range } from '../../../../text/range.ts';
import { invalidInput } from '../../../invalidInput.ts';
import type { Rebuilt } from '../../changes.ts';
import type { SectionChange } from '../../format.ts';
import { bannerAround, bannerAt, checkBanner, edgeAt } from '../changes/edges.ts';
import { withLead, withSpace } from '../changes/recompose.ts';
import { sectionElements } from '../changes/sections.ts';
import {
  ancestors,
  parentOf,
  parseDocument,
  rangeOf,
  spanOf,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { idsAfter, openPage, type Page } from '../openPage.ts';
import { checkMarkup, rootsOfMarkup } from './checkMarkup.ts';
import { copySection } from './copySection.ts';
import { insertionPlace } from './insertionPlace.ts';
import type { Fragment } from './readFragment.ts';
import { isTextual, type Made, wrapped } from './wrapper.ts';

type Insertion = Extract<SectionChange, { kind: 'insert-section' }>;

/** Markup to insert, before it gets a wrapper. */
interface Given {
  source: string;
  elements: Fragment['elements'];
}

/**
 * Adds a section to a page, or a banner to one of its ends. All other bytes, and the ids of all
 * other elements, stay.
 * @throws DomainError INVALID_INPUT for an unknown section, for markup that is not allowed, and if
 *   a parser would read the page differently
 */
export function insertSection(page: Page, { at, from, html = '', site }: Insertion): Rebuilt {
  const given = from ? copied(from, page, { at, site }) : written(html.trim(), page, { at, site });
  const { beside, wrapper } =
    typeof at === 'string'
      ? { beside: [edgeAt(page, at)], wrapper: [] }
      : insertionPlace(page, at.after, given.elements);
  const place = spanOf(beside);
  if (place.end === -1 || place.start === -1) throw misread();
  const lead = page.source.slice(withSpace(page, place).start, place.start) || '\n';
  const made = wrapped(given, from && isOne(given) ? [] : wrapper, lead);
  const position = at === 'header' ? withLead(page, place).start : place.end;
  const source =
    page.bom + page.source.slice(0, position) + lead + made.source + page.source.slice(position);
  const start = position + lead.length;
  return numbered(page, source, {
    ...made,
    range: { start, end: start + made.source.length },
    depth: depthOf(beside[0]!),
  });
}

/** Whether a copied section is one element, and thus comes with its own wrapper. */
const isOne = ({ elements: [root, ...others] }: Given) =>
  !isTextual(root!) && others.every(({ depth }) => depth > 0);

type To = Pick<Insertion, 'at' | 'site'>;

function copied(
  { page, section }: NonNullable<Insertion['from']>,
  to: Page,
  { at, site }: To,
): Given {
  const from = openPage(page);
  const roots = rootsOf(from, section);
  if (typeof at === 'string') checkBanner(to, at, roots);
  const { source, elements } = copySection({ page: from, roots }, to, site.sitePaths);
  const outer = depthOf(roots[0]!);
  const nested = elements.map((element) => ({
    element,
    tagName: element.tagName,
    depth: depthOf(element) - outer,
  }));
  return { source, elements: nested };
}

/** The elements of a section, or of a banner, which needs no heading. */
function rootsOf(page: Page, section: NonNullable<Insertion['from']>['section']): Element[] {
  if (typeof section !== 'string') return [bannerAt(page, section.at)];
  const banner = bannerAround(page, section);
  return banner ? [banner] : sectionElements(page, section);
}

function written(html: string, page: Page, { at, site }: To): Given {
  if (typeof at === 'string') checkBanner(page, at, rootsOfMarkup(html));
  return { source: html, elements: checkMarkup(html, page, site).elements };
}

const depthOf = (element: Element) => [...ancestors(element)].length;

/** Checks that the page has all old and new elements, and gives new numbers to the new ones. */
function numbered(
  page: Page,
  source: string,
  { shape, range, depth: outer }: Made & { range: Range; depth: number },
): Rebuilt {
  const now = parseDocument(source);
  const isNew = (element: Element) =>
    element.sourceCodeLocation !== undefined && liesIn(rangeOf(element), range);
  const came = now.elements.filter(isNew);
  const stayed = now.elements.filter((element) => !isNew(element));
  const [depths, old] = [depthsOf(now), depthsOf(page)];
  const isAsMade = came.every(
    (element, i) =>
      element.tagName === shape[i]?.tagName && depths.get(element)! - outer === shape[i].depth,
  );
  const isAsWas = stayed.every((element, i) => {
    const before = page.elements[i];
    return isSame(element, before) && depths.get(element) === old.get(before!);
  });
  const { length } = page.elements;
  if (!isAsMade || !isAsWas || came.length !== shape.length || stayed.length !== length)
    throw misread();
  const numbers = new Map([
    ...came.map((element) => [element, '+'] as const),
    ...stayed.map((element, i) => [element, page.numbers.get(page.elements[i]!)!] as const),
  ]);
  return { source, ids: idsAfter({ elements: now.elements, numbers }, page.ids) };
}

const isSame = (a: Element, b: Element | undefined) =>
  a.tagName === b?.tagName && JSON.stringify(a.attrs) === JSON.stringify(b.attrs);

function depthsOf({ elements }: HtmlDocument): Map<Element, number> {
  const depths = new Map<Element, number>();
  for (const element of elements) {
    const parent = parentOf(element);
    depths.set(element, (parent ? depths.get(parent)! : 0) + 1);
  }
  return depths;
}

const misread = () =>
  invalidInput('The page is written in a way that does not allow a section there');
