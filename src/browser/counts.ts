import type { PageNames } from '../contract/answers.ts';

/** `1 page`, `2 pages`. */
export const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`;

/** `/a, /b and 3 more`. @param total how many there are, of which `names` may be the first */
export function firstNames(names: string[], most: number, total = names.length): string {
  const named = names.slice(0, most).join(', ');
  return total > most ? `${named} and ${total - most} more` : named;
}

const NAMED = 5;
/** Some pages: the first of them by name. */
export const pageNames = (pages: PageNames) => firstNames(pages.slugs, NAMED, pages.count);
