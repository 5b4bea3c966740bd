import { indexFrom, outermost, overlap, type Range } from '../../../../text/range.ts';
import { invalidInput } from '../../../invalidInput.ts';
import type { Edited } from '../../changes.ts';
import { parseDocument, type Element, type HtmlDocument } from '../document.ts';
import { spaceBefore } from '../escape.ts';
import { numbersAfter, type Page } from '../openPage.ts';

/**
 * A range of a page's source to copy, or `write` in its place. The elements of a clone get new
 * numbers.
 */
type Stretch = Range & { write?: string; isClone?: boolean };

/** Elements that every parsed page has, even without their tags. */
const always = new Set(['html', 'head', 'body']);
const optional = ({ elements }: HtmlDocument) =>
  elements.filter(({ tagName }) => !always.has(tagName));

/**
 * Builds a page from ranges of its own source.
 * @throws DomainError INVALID_INPUT if a parser would read the result differently
 */
export function recompose(page: Page, stretches: Stretch[]): Edited {
  const elements = optional(page);
  const starts = startsOf(elements, page.source.length);
  const indexOf = (position: number) => indexFrom(starts, position, (start) => start);
  const copied = stretches.flatMap(({ start, end, isClone }) =>
    elements.slice(indexOf(start), indexOf(end)).map((element) => ({
      tagName: element.tagName,
      number: page.numbers.get(element)! + (isClone ? '+1' : ''),
    })),
  );
  const source =
    page.bom +
    stretches.map(({ start, end, write }) => write ?? page.source.slice(start, end)).join('');
  const written = parseDocument(source);
  const found = optional(written);
  if (
    found.length !== copied.length ||
    found.some(({ tagName }, i) => tagName !== copied[i]!.tagName)
  )
    throw invalidInput(
      'This part of the page is written in a way that does not allow to change it',
    );
  const old = new Map([...page.numbers].map(([{ tagName }, number]) => [tagName, number]));
  const own = new Map(found.map((element, i) => [element, copied[i]!.number]));
  const numberOf = (element: Element) => own.get(element) ?? old.get(element.tagName)!;
  const numbers = new Map(written.elements.map((element) => [element, numberOf(element)]));
  return { source, numbers: numbersAfter({ elements: written.elements, numbers }) };
}

/**
 * The start of each element. An element that the parser inserted gets the start of the next one.
 */
function startsOf(elements: Element[], end: number): number[] {
  const starts: number[] = [];
  for (let i = elements.length - 1; i >= 0; i--)
    starts[i] = Math.min(elements[i]!.sourceCodeLocation?.startOffset ?? end, starts[i + 1] ?? end);
  return starts;
}

/** The page without some ranges. */
export function without(page: Page, ranges: Range[]): Edited {
  const sorted = outermost(ranges);
  const ends = [0, ...sorted.map(({ end }) => end)];
  const kept = ends.map((end, i) => ({ start: end, end: sorted[i]?.start ?? page.source.length }));
  return recompose(page, kept);
}

const nested = () => invalidInput('One of these parts of the page lies in the other one');

/** The page with two ranges swapped. The bytes between them stay in place. */
export function exchanged(page: Page, one: Range, other: Range): Edited {
  const [a, b] = one.start < other.start ? [one, other] : [other, one];
  if (a.end > b.start) throw nested();
  const between = { start: a.end, end: b.start };
  return recompose(page, [
    { start: 0, end: a.start },
    b,
    between,
    a,
    { start: b.end, end: page.source.length },
  ]);
}

/** A range extended by the white space before it, so that its removal leaves no empty line. */
export const withSpace = ({ source }: HtmlDocument, { start, end }: Range): Range => ({
  start: start - spaceBefore(source, start).length,
  end,
});

/** A range extended by the white space before it, and by comments on their own lines above it. */
export function withLead(page: HtmlDocument, range: Range): Range {
  let lead = withSpace(page, range);
  for (;;) {
    const text = page.source.slice(0, lead.start);
    const comment = text.endsWith('-->') ? text.lastIndexOf('<!--') : -1;
    if (comment === -1) return lead;
    const before = withSpace(page, { start: comment, end: lead.end });
    if (!page.source.slice(before.start, comment).includes('\n')) return lead;
    lead = before;
  }
}

/** The page with a range moved before or after another one, together with its lead (`withLead`). */
export function moved(
  page: Page,
  range: Range,
  { other, where }: { other: Range; where: 'before' | 'after' },
): Edited {
  if (overlap(range, other)) throw nested();
  const [own, target] = [withLead(page, range), withLead(page, other)];
  const at = where === 'before' ? target.start : target.end;
  const end = page.source.length;
  return recompose(
    page,
    at <= own.start
      ? [{ start: 0, end: at }, own, { start: at, end: own.start }, { start: own.end, end }]
      : [{ start: 0, end: own.start }, { start: own.end, end: at }, own, { start: at, end }],
  );
}
