/** `npm test` tries one case of so many. */
const SHARE = 5;
const isWhole = process.env['TEST_CASES'] === 'all';

/**
 * How many cases of a property to try: all of them where `TEST_CASES` is `all`, as in
 * `npm run test:endurance`, and otherwise a fifth.
 */
export const casesOf = (all: number): number => (isWhole ? all : Math.ceil(all / SHARE));

/** The rows of a long table to try: all of them, or every fifth. */
export const casesIn = <T>(rows: T[]): T[] =>
  isWhole ? rows : rows.filter((_, index) => index % SHARE === 0);
