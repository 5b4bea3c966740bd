const NUMBER = /^\D{0,12}?([0-5](?:[.,]\d{1,2})?)(?![\d.,])(?!\s?(?:\/|out of|of|von)\s?[1-9]\d)/u;
const STARS = /^[★⭐✮✭☆½\uFE0F\s]+$/u;

export const starsIn = (row: string) => [...row].filter((star) => /[★⭐✮✭]/u.test(star)).length;

/**
 * The number of a rating of five, as it is written: `4.8`, `4,8/5`, `5` for `★★★★★`; undefined for
 * other texts.
 */
export function ratingIn(text: string): string | undefined {
  if (STARS.test(text))
    return starsIn(text) === 0 ? undefined : `${starsIn(text)}${text.includes('½') ? '.5' : ''}`;
  return NUMBER.exec(text)?.[1];
}

/** How many stars a rating is shown with. */
export const starsFor = (rating: string) =>
  Math.round(Number(ratingIn(rating)?.replace(',', '.') ?? NaN));
