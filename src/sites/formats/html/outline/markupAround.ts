import { DomainError } from '../../../../errors.ts';
import { blockAround, partsOf } from '../changes/sections.ts';
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
 * @returns a line that says what it is, and at most 8,000 characters of it
 * @throws DomainError NOT_FOUND for an id that the page does not have
 */
export function markupAround(page: Page, id: string): string {
  const group = knownGroups(page).find((one) => one.id === id)?.group;
  const { start, end, what } = group ? { ...group, what: `the group ${id}` } : partAround(page, id);
  const markup = page.source.slice(start, end);
  const size =
    markup.length > LONGEST_MARKUP
      ? `the first ${LONGEST_MARKUP} of ${markup.length} characters`
      : `${markup.length} characters`;
  return `HTML of ${what}, ${size}:\n${markup.slice(0, LONGEST_MARKUP).toWellFormed()}`;
}

function partAround(page: Page, id: string): Range & { what: string } {
  const element = elementOf(page, id);
  if (!element) throw new DomainError('NOT_FOUND', `the page has no "${id.slice(0, 40)}"`);
  const own = rangeOf(landmarkOf(element) ?? element);
  const size = ({ start, end }: Range) => end - start;
  const around = partsOf(page).filter((part) => liesIn(own, part));
  const [smallest] = around.sort((a, b) => size(a) - size(b));
  if (smallest) return { ...smallest, what: `the section ${smallest.id}` };
  const block = landmarkOf(element) ?? blockAround(page, element);
  return { ...rangeOf(block), what: `the <${block.tagName}> around ${id}` };
}
