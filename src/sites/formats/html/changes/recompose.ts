import { DomainError } from '../../../../errors.ts';
import { parseDocument, type Element, type HtmlDocument } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { idsAfter } from '../openPage.ts';
import type { PageIds, Rebuilt } from '../../changes.ts';

/**
 * A stretch of a page, or markup that is written for it: a clone's elements get numbers of their
 * own.
 */
export type Stretch = Range & { write?: string; isClone?: boolean };

/** They are there in every page, written or not. */
const always = new Set(['html', 'head', 'body']);

/**
 * A page put together anew from stretches of its own.
 * @throws DomainError INVALID_INPUT where it would be read in another way than it is written
 */
export function recompose(
  page: HtmlDocument,
  stretches: Stretch[],
  ids: PageIds | undefined,
): Rebuilt {
  const elements = [...page.numbers.keys()].filter(({ tagName }) => !always.has(tagName));
  const starts = startsOf(elements, page.source.length);
  const copied = stretches.flatMap(({ start, end, isClone }) =>
    elements.slice(indexFrom(starts, start), indexFrom(starts, end)).map((element) => ({
      tagName: element.tagName,
      number: page.numbers.get(element)! + (isClone ? '+1' : ''),
    })),
  );
  const source =
    page.bom +
    stretches.map(({ start, end, write }) => write ?? page.source.slice(start, end)).join('');
  const written = parseDocument(source);
  const found = [...written.numbers.keys()].filter(({ tagName }) => !always.has(tagName));
  if (
    found.length !== copied.length ||
    found.some(({ tagName }, i) => tagName !== copied[i]!.tagName)
  )
    throw misread();
  const old = new Map([...page.numbers].map(([{ tagName }, number]) => [tagName, number]));
  const own = new Map(found.map((element, i) => [element, copied[i]!.number]));
  const numbers = [...written.numbers.keys()].map((element): [Element, string] => [
    element,
    own.get(element) ?? old.get(element.tagName)!,
  ]);
  return { source, ids: idsAfter({ ...written, numbers: new Map(numbers) }, ids) };
}

const misread = () =>
  new DomainError(
    'INVALID_INPUT',
    'This part of the page is written in a way that does not allow to change it',
  );

/** Where each element begins; one that the parser made begins where the next one does. */
function startsOf(elements: Element[], end: number): number[] {
  const starts: number[] = [];
  for (let i = elements.length - 1; i >= 0; i--)
    starts[i] = Math.min(elements[i]!.sourceCodeLocation?.startOffset ?? end, starts[i + 1] ?? end);
  return starts;
}

function indexFrom(starts: number[], position: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Stretches that lie in no other one, in their order. */
function outermost(ranges: Range[]): Range[] {
  const found: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (found.length === 0 || range.start >= found.at(-1)!.end) found.push(range);
  return found;
}

/** The page without some stretches. */
export function without(page: HtmlDocument, ranges: Range[], ids: PageIds | undefined): Rebuilt {
  const sorted = outermost(ranges);
  const ends = [0, ...sorted.map(({ end }) => end)];
  const kept = ends.map((end, i) => ({ start: end, end: sorted[i]?.start ?? page.source.length }));
  return recompose(page, kept, ids);
}

/** The page with two stretches in each other's place, and every byte between them where it was. */
export function exchanged(
  page: HtmlDocument,
  one: Range,
  other: Range,
  ids: PageIds | undefined,
): Rebuilt {
  const [a, b] = one.start < other.start ? [one, other] : [other, one];
  if (a.end > b.start)
    throw new DomainError('INVALID_INPUT', 'One of these parts of the page lies in the other one');
  const between = { start: a.end, end: b.start };
  return recompose(
    page,
    [{ start: 0, end: a.start }, b, between, a, { start: b.end, end: page.source.length }],
    ids,
  );
}

/** A stretch with the white space before it: it goes without leaving an empty line. */
export function withSpace({ source }: HtmlDocument, { start, end }: Range): Range {
  let from = start;
  while (from > 0 && /[ \t\n\f\r]/.test(source[from - 1]!)) from--;
  return { start: from, end };
}

/**
 * A stretch with the white space before it, and the comments on lines of their own that name it.
 */
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

/** The page with a stretch, and what leads to it, moved before or after another one. */
export function moved(
  page: HtmlDocument,
  range: Range,
  other: Range,
  { where, ids }: { where: 'before' | 'after'; ids: PageIds | undefined },
): Rebuilt {
  if (range.start < other.end && other.start < range.end)
    throw new DomainError('INVALID_INPUT', 'One of these parts of the page lies in the other one');
  const [own, target] = [withLead(page, range), withLead(page, other)];
  const at = where === 'before' ? target.start : target.end;
  const end = page.source.length;
  const stretches =
    at <= own.start
      ? [{ start: 0, end: at }, own, { start: at, end: own.start }, { start: own.end, end }]
      : [{ start: 0, end: own.start }, { start: own.end, end: at }, own, { start: at, end }];
  return recompose(page, stretches, ids);
}
