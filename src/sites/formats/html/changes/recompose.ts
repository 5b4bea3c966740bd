import {
  indexFrom,
  outermostRanges,
  doOverlap,
  type TextRange,
} from '../../../../text/textRange.ts';
import { invalidInput } from '../../../invalidInput.ts';
import type { EditedPageSource } from '../../changes.ts';
import { parseDocument, type PageElement, type HtmlDocument } from '../document.ts';
import { spaceBefore } from '../../escape.ts';
import { unchangeableError } from '../groups/arrangeGroups.ts';
import { renumberElements, type HtmlPage } from '../openHtmlPage.ts';

/**
 * Changes that add, remove or move whole elements of a page. `recompose` and its helpers build a
 * page from ranges of its own source and keep the numbers of its elements. The other files find the
 * ranges:
 *
 * - `sections.ts` lists sections (parts with a heading of their own) and tables, and removes or
 *   moves one.
 * - `navigation.ts` lists the entries of navigations, and adds or removes some; `currentEntry.ts`
 *   marks the current page's.
 * - `footer.ts` and `pageEdges.ts` find the footer and the header of a page.
 *
 * With the ranges of its two parts in the other order, `<p>1</p><p>2</p>` becomes
 * `<p>2</p><p>1</p>`, and the numbers of the elements change from `3, 4` to `4, 3`.
 */

/**
 * A range of a page's source to copy. `write` is written in its place. The elements of a clone get
 * new numbers.
 */
type CopiedRange = TextRange & { write?: string; isClone?: boolean };

/** Elements that every parsed page has, even without their tags. */
const impliedTags = new Set(['html', 'head', 'body']);
const taggedElements = ({ elements }: HtmlDocument) =>
  elements.filter(({ tagName }) => !impliedTags.has(tagName));

/**
 * Builds a page from ranges of its own source, in the given order.
 * @returns the new source and the numbers of its elements
 * @throws INVALID_INPUT if a parser would read the result differently
 */
export function recompose(page: HtmlPage, ranges: CopiedRange[]): EditedPageSource {
  const elements = taggedElements(page);
  const starts = elementStarts(elements, page.source.length);
  const indexOf = (position: number) => indexFrom(starts, position, (start) => start);
  const copiedElements = ranges.flatMap(({ start, end, isClone }) =>
    elements.slice(indexOf(start), indexOf(end)).map((element) => ({
      tagName: element.tagName,
      number: page.elementNumbers.get(element)! + (isClone ? '+1' : ''),
    })),
  );
  const source =
    page.bom +
    ranges.map(({ start, end, write }) => write ?? page.source.slice(start, end)).join('');
  const rereadPage = parseDocument(source);
  const foundElements = taggedElements(rereadPage);
  if (
    foundElements.length !== copiedElements.length ||
    foundElements.some(({ tagName }, i) => tagName !== copiedElements[i]!.tagName)
  )
    throw unchangeableError('This part of the page');
  const oldNumbers = new Map(
    [...page.elementNumbers].map(([{ tagName }, number]) => [tagName, number]),
  );
  const newNumbers = new Map(
    foundElements.map((element, i) => [element, copiedElements[i]!.number]),
  );
  const numberOfElement = (element: PageElement) =>
    newNumbers.get(element) ?? oldNumbers.get(element.tagName)!;
  const elementNumbers = new Map(
    rereadPage.elements.map((element) => [element, numberOfElement(element)]),
  );
  return {
    source,
    elementNumbers: renumberElements({ elements: rereadPage.elements, elementNumbers }),
  };
}

/** The start of each element. An element that the parser inserted has that of the next one. */
function elementStarts(elements: PageElement[], end: number): number[] {
  const starts: number[] = [];
  for (let i = elements.length - 1; i >= 0; i--)
    starts[i] = Math.min(elements[i]!.sourceCodeLocation?.startOffset ?? end, starts[i + 1] ?? end);
  return starts;
}

/** The page without some ranges. */
export function withoutRanges(page: HtmlPage, ranges: TextRange[]): EditedPageSource {
  const sorted = outermostRanges(ranges);
  const ends = [0, ...sorted.map(({ end }) => end)];
  const keptRanges = ends.map((end, i) => ({
    start: end,
    end: sorted[i]?.start ?? page.source.length,
  }));
  return recompose(page, keptRanges);
}

const nestedPartsError = () =>
  invalidInput(
    'One of these parts of the page contains the other one, so they cannot change places. Choose parts that are side by side',
  );

/** The page with two ranges swapped. The bytes between them stay in place. */
export function exchangeRanges(
  page: HtmlPage,
  range: TextRange,
  otherRange: TextRange,
): EditedPageSource {
  const [earlier, later] =
    range.start < otherRange.start ? [range, otherRange] : [otherRange, range];
  if (earlier.end > later.start) throw nestedPartsError();
  const middle = { start: earlier.end, end: later.start };
  return recompose(page, [
    { start: 0, end: earlier.start },
    later,
    middle,
    earlier,
    { start: later.end, end: page.source.length },
  ]);
}

/** A range extended by the white space before it, so that its removal leaves no empty line. */
export const includeSpace = ({ source }: HtmlDocument, { start, end }: TextRange): TextRange => ({
  start: start - spaceBefore(source, start).length,
  end,
});

/** A range extended by the white space before it, and by comments on their own lines above it. */
export function includeLead(page: HtmlDocument, range: TextRange): TextRange {
  let lead = includeSpace(page, range);
  for (;;) {
    const text = page.source.slice(0, lead.start);
    const comment = text.endsWith('-->') ? text.lastIndexOf('<!--') : -1;
    if (comment === -1) return lead;
    const extended = includeSpace(page, { start: comment, end: lead.end });
    if (!page.source.slice(extended.start, comment).includes('\n')) return lead;
    lead = extended;
  }
}

/** The page with a range moved before or after another, with its lead (`includeLead`). */
export function moveRange(
  page: HtmlPage,
  range: TextRange,
  { other, where }: { other: TextRange; where: 'before' | 'after' },
): EditedPageSource {
  if (doOverlap(range, other)) throw nestedPartsError();
  const [movedRange, target] = [includeLead(page, range), includeLead(page, other)];
  const position = where === 'before' ? target.start : target.end;
  const end = page.source.length;
  return recompose(
    page,
    position <= movedRange.start
      ? [
          { start: 0, end: position },
          movedRange,
          { start: position, end: movedRange.start },
          { start: movedRange.end, end },
        ]
      : [
          { start: 0, end: movedRange.start },
          { start: movedRange.end, end: position },
          movedRange,
          { start: position, end },
        ],
  );
}
