import type { PageNames } from '../contract/responses.ts';

/** A number with its noun: `1 page`, `2 pages`. */
export const countNoun = (number: number, singular: string, plural = `${singular}s`) =>
  `${number} ${number === 1 ? singular : plural}`;

/**
 * The first names, and how many more there are: `/a, /b and 3 more`.
 * @param mostNames how many names are shown
 * @param total how many names there are; `names` may hold only the first of them
 */
export function firstNames(names: string[], mostNames: number, total = names.length): string {
  const listedNames = names.slice(0, mostNames).join(', ');
  return total > mostNames ? `${listedNames} and ${total - mostNames} more` : listedNames;
}

const NAMED = 5;
/** Names the first five of some pages, and counts the others. */
export const pageNames = (pages: PageNames) => firstNames(pages.slugs, NAMED, pages.count);
