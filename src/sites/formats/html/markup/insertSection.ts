import type { PageFile } from '../../../../contract/site.ts';
import { DomainError } from '../../../../errors.ts';
import {
  ancestors,
  isElement,
  parseDocument,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { elementsBefore, sectionElements } from '../changes/sections.ts';
import { withSpace } from '../changes/recompose.ts';
import { idsAfter } from '../openPage.ts';
import type { PageIds, Rebuilt, MarkupSite } from '../../changes.ts';
import { checkMarkup } from './checkMarkup.ts';
import { copySection } from './copySection.ts';
import type { Nested } from './readFragment.ts';

/** What comes into a page: a section of a page of the site, or new markup. */
export interface Insertion {
  /** Id of the section, or of the headline, that it comes behind. */
  after: string;
  from?: { page: HtmlDocument; file: PageFile; section: string };
  html?: string;
}

/**
 * The page with a section more. Every byte around it stays, and so do the ids of what was there.
 * @throws DomainError INVALID_INPUT for an unknown section, for markup that is not allowed, and
 *   where the page would be read in another way
 */
export function insertSection(
  page: HtmlDocument,
  file: PageFile,
  { after, from, html = '' }: Insertion,
  { site, ids }: { site: MarkupSite; ids: PageIds | undefined },
): Rebuilt {
  const beside = elementsBefore(page, after);
  const end = beside.at(-1)!.sourceCodeLocation?.endOffset;
  const start = beside[0]!.sourceCodeLocation?.startOffset;
  if (end === undefined || start === undefined) throw misread();
  const lead = page.source.slice(withSpace(page, { start, end }).start, start);
  const made = from
    ? copied(from, { page, file }, site.sitePaths)
    : written(html.trim(), page, file, site);
  const source =
    page.bom + page.source.slice(0, end) + (lead || '\n') + made.source + page.source.slice(end);
  const at = end + (lead || '\n').length;
  return numbered(
    page,
    source,
    { ...made, start: at, end: at + made.source.length, parent: beside[0]! },
    ids,
  );
}

function copied(
  from: NonNullable<Insertion['from']>,
  to: { page: HtmlDocument; file: PageFile },
  sitePaths: string[],
) {
  const roots = sectionElements(from.page, from.section);
  const { source, elements } = copySection({ ...from, roots }, to, sitePaths);
  const outer = depthOf(roots[0]!);
  return {
    source,
    shape: elements.map((element) => ({
      tagName: element.tagName,
      depth: depthOf(element) - outer,
    })),
  };
}

const written = (html: string, page: HtmlDocument, file: PageFile, site: MarkupSite) => ({
  source: html,
  shape: checkMarkup(html, page, file, site).elements.map(({ tagName, depth }): Nested => ({
    tagName,
    depth,
  })),
});

const depthOf = (element: Element) => [...ancestors(element)].length;

interface Made {
  source: string;
  shape: Nested[];
  start: number;
  end: number;
  parent: Element;
}

/** Holds the page to what was there and what came; what came gets new numbers. */
function numbered(
  page: HtmlDocument,
  source: string,
  made: Made,
  ids: PageIds | undefined,
): Rebuilt {
  const now = parseDocument(source);
  const before = [...page.numbers];
  const isNew = ({ sourceCodeLocation: place }: Element) =>
    !!place && place.startOffset >= made.start && place.endOffset <= made.end;
  const came = [...now.numbers.keys()].filter(isNew);
  const stayed = [...now.numbers.keys()].filter((element) => !isNew(element));
  const outer = depthOf(made.parent);
  const depths = depthsOf(now);
  const isAsMade = came.every(
    (element, i) =>
      element.tagName === made.shape[i]?.tagName &&
      depths.get(element)! - outer === made.shape[i].depth,
  );
  const old = depthsOf(page);
  const isAsWas = stayed.every(
    (element, i) =>
      isSame(element, before[i]?.[0]) && depths.get(element) === old.get(before[i]![0]),
  );
  if (!isAsMade || !isAsWas || came.length !== made.shape.length || stayed.length !== before.length)
    throw misread();
  const numbers = new Map([
    ...came.map((element): [Element, string] => [element, '+']),
    ...stayed.map((element, i): [Element, string] => [element, before[i]![1]]),
  ]);
  const inOrder = [...now.numbers.keys()].map((element): [Element, string] => [
    element,
    numbers.get(element)!,
  ]);
  return { source, ids: idsAfter({ ...now, numbers: new Map(inOrder) }, ids) };
}

const isSame = (a: Element, b: Element | undefined) =>
  a.tagName === b?.tagName && JSON.stringify(a.attrs) === JSON.stringify(b.attrs);

function depthsOf({ numbers }: HtmlDocument): Map<Element, number> {
  const depths = new Map<Element, number>();
  for (const element of numbers.keys()) {
    const { parentNode } = element;
    depths.set(element, (parentNode && isElement(parentNode) ? depths.get(parentNode)! : 0) + 1);
  }
  return depths;
}

const misread = () =>
  new DomainError(
    'INVALID_INPUT',
    'The page is written in a way that does not allow a section there',
  );
