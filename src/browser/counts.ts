import type { PageNames } from '../contract/answers.ts';

/** A number with its noun: `1 page`, `2 pages`. */
export const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`;

/**
 * The first names, and how many more there are: `/a, /b and 3 more`.
 * @param most how many names are shown
 * @param total how many names there are; `names` may hold only the first of them
 */
export function firstNames(names: string[], most: number, total = names.length): string {
  const named = names.slice(0, most).join(', ');
  return total > most ? `${named} and ${total - most} more` : named;
}

const NAMED = 5;
/** Names the first five of some pages, and counts the others. */
export const pageNames = (pages: PageNames) => firstNames(pages.slugs, NAMED, pages.count);
