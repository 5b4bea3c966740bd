const NUMBER = /^\D{0,12}?([0-5](?:[.,]\d{1,2})?)(?![\d.,])(?!\s?(?:\/|out of|of|von)\s?[1-9]\d)/u;
const STARS = /^[★⭐✮✭☆½\uFE0F\s]+$/u;

export const starsIn = (row: string) => [...row].filter((star) => /[★⭐✮✭]/u.test(star)).length;

/**
 * The number in a rating out of five, as it is written: `4.8`, or `4,8` in `4,8/5`. `5` for
 * `★★★★★`. undefined for other texts.
 */
export function ratingIn(text: string): string | undefined {
  if (STARS.test(text))
    return starsIn(text) === 0 ? undefined : `${starsIn(text)}${text.includes('½') ? '.5' : ''}`;
  return NUMBER.exec(text)?.[1];
}

/** The number of stars to show for a rating. */
export const starsFor = (rating: string) =>
  Math.round(Number(ratingIn(rating)?.replace(',', '.') ?? NaN));
