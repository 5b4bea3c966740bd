const RATING_NUMBER =
  /^\D{0,12}?([0-5](?:[.,]\d{1,2})?)(?![\d.,])(?!\s?(?:\/|out of|of|von)\s?[1-9]\d)/u;
const STAR_ROW = /^[★⭐✮✭☆½\uFE0F\s]+$/u;

export const countStars = (row: string) => [...row].filter((star) => /[★⭐✮✭]/u.test(star)).length;

/**
 * The number in a rating out of five, as it is written: `4.8`, or `4,8` in `4,8/5`. `5` for
 * `★★★★★`. undefined for other texts.
 */
export function readRating(text: string): string | undefined {
  if (STAR_ROW.test(text))
    return countStars(text) === 0
      ? undefined
      : `${countStars(text)}${text.includes('½') ? '.5' : ''}`;
  return RATING_NUMBER.exec(text)?.[1];
}

/** The number of stars to show for a rating. */
export const countStarsForRating = (rating: string) =>
  Math.round(Number(readRating(rating)?.replace(',', '.') ?? NaN));
