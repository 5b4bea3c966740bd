import { liesIn, type Range } from '../../../../text/range.ts';
import { invalidInput } from '../../../invalidInput.ts';
import type { MarkupSite, Rebuilt } from '../../changes.ts';
import type { SectionChange } from '../../format.ts';
import { withSpace } from '../changes/recompose.ts';
import { elementsBefore, sectionElements } from '../changes/sections.ts';
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
import { checkMarkup } from './checkMarkup.ts';
import { copySection } from './copySection.ts';
import type { Nested } from './readFragment.ts';

type Insertion = Extract<SectionChange, { kind: 'insert-section' }>;

/** The markup to insert: its source, and the nesting of its elements. */
interface Made {
  source: string;
  shape: Nested[];
}

/**
 * Adds a section to a page. All other bytes, and the ids of all other elements, stay.
 * @throws DomainError INVALID_INPUT for an unknown section, for markup that is not allowed, and if
 *   a parser would read the page differently
 */
export function insertSection(page: Page, { after, from, html = '', site }: Insertion): Rebuilt {
  const beside = elementsBefore(page, after);
  const { start, end } = spanOf(beside);
  if (end === -1 || start === -1) throw misread();
  const lead = page.source.slice(withSpace(page, { start, end }).start, start) || '\n';
  const made = from ? copied(from, page, site) : written(html.trim(), page, site);
  const source = page.bom + page.source.slice(0, end) + lead + made.source + page.source.slice(end);
  const at = end + lead.length;
  return numbered(page, source, {
    ...made,
    range: { start: at, end: at + made.source.length },
    depth: depthOf(beside[0]!),
  });
}

function copied(
  { page, section }: NonNullable<Insertion['from']>,
  to: Page,
  { sitePaths }: MarkupSite,
): Made {
  const from = openPage(page);
  const roots = sectionElements(from, section);
  const { source, elements } = copySection({ page: from, roots }, to, sitePaths);
  const outer = depthOf(roots[0]!);
  const shape = elements.map((element) => ({
    tagName: element.tagName,
    depth: depthOf(element) - outer,
  }));
  return { source, shape };
}

const written = (html: string, page: Page, site: MarkupSite): Made => ({
  source: html,
  shape: checkMarkup(html, page, site).elements,
});

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
