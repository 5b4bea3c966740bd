import { DomainError } from '../../../../errors.ts';
import { sectionRanges } from '../changes/sections.ts';
import type { Element, HtmlDocument } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { numberIn } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';
import type { OpenOutline } from './outline.ts';

/** Characters of a section's HTML. */
const LONGEST_MARKUP = 8_000;

/**
 * The HTML of a group, of the section or table with an id, or of the smallest section or landmark
 * around it.
 * @returns at most 8,000 characters, and how many more there are
 * @throws DomainError NOT_FOUND for an id that the page does not have
 */
export function markupOf(
  { page, groups }: Pick<OpenOutline, 'page' | 'groups'>,
  id: string,
): string {
  const group = groups.find((one) => one.id === id)?.group;
  const { start, end } = group ?? rangeAround(page, elementOf(page, id));
  const markup = page.source.slice(start, end);
  const rest = markup.length - LONGEST_MARKUP;
  return rest > 0
    ? `${markup.slice(0, LONGEST_MARKUP).toWellFormed()}\n… ${rest} more characters`
    : markup;
}

/** The element that an id names: of a text, a link or an image. Throws NOT_FOUND. */
export function elementOf({ numbers }: HtmlDocument, id: string): Element {
  const number = numberIn(id);
  for (const [element, own] of numbers) if (own === number) return element;
  throw new DomainError('NOT_FOUND', `the page has no "${id.slice(0, 40)}"`);
}

function rangeAround(page: HtmlDocument, element: Element): Range {
  const place = (landmarkOf(element) ?? element).sourceCodeLocation;
  const own = { start: place?.startOffset ?? 0, end: place?.endOffset ?? 0 };
  const around = sectionRanges(page).filter(
    ({ start, end }) => start <= own.start && end >= own.end,
  );
  const size = ({ start, end }: Range) => end - start;
  return around.reduce(
    (smallest, range) => (size(range) < size(smallest) ? range : smallest),
    around[0] ?? own,
  );
}
