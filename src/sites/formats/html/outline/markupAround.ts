import { DomainError } from '../../../../errors.ts';
import { sectionRanges } from '../changes/sections.ts';
import { liesIn, type Range } from '../../../../text/range.ts';
import { rangeOf } from '../document.ts';
import { knownGroups } from '../groups/changeGroup.ts';
import { elementOf, type Page } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';

/** The most characters of HTML to return. */
const LONGEST_MARKUP = 8_000;

/**
 * The HTML of the group, section or table with an id, else of the smallest section or landmark
 * around the element.
 * @returns at most 8,000 characters, and a count of the remaining ones
 * @throws DomainError NOT_FOUND for an id that the page does not have
 */
export function markupAround(page: Page, id: string): string {
  const group = knownGroups(page).find((one) => one.id === id)?.group;
  const { start, end } = group ?? rangeAround(page, id);
  const markup = page.source.slice(start, end);
  const rest = markup.length - LONGEST_MARKUP;
  return rest > 0
    ? `${markup.slice(0, LONGEST_MARKUP).toWellFormed()}\n… ${rest} more characters`
    : markup;
}

function rangeAround(page: Page, id: string): Range {
  const element = elementOf(page, id);
  if (!element) throw new DomainError('NOT_FOUND', `the page has no "${id.slice(0, 40)}"`);
  const own = rangeOf(landmarkOf(element) ?? element);
  const size = ({ start, end }: Range) => end - start;
  const around = sectionRanges(page).filter((range) => liesIn(own, range));
  const [smallest] = around.sort((a, b) => size(a) - size(b));
  return smallest ?? own;
}
