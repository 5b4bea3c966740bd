/** The parts of a page's date, for patterns. */
export interface PatternDate {
  year: string;
  month: string;
  day: string;
}

/**
 * Fills in the placeholders of a pattern: `/:year/:slug/` → `/2024/launch/`.
 * @returns null if the pattern has a placeholder without a value
 */
export function fillPattern(
  pattern: string,
  valueOf: (name: string) => string | null | undefined,
): string | null {
  let isKnown = true;
  const path = pattern.replace(/:([a-z_]+(?:\[[^\]]*\])?)/gi, (_, name: string) => {
    const value = valueOf(name.toLowerCase());
    isKnown &&= value !== null && value !== undefined;
    return value ?? '';
  });
  return isKnown ? path.replace(/\/{2,}/g, '/') : null;
}

const dateAtStart = /^(\d{4})-(\d{1,2})-(\d{1,2})(.*)$/s;

/**
 * The date that a text begins with. Null for a time in a certain time zone that is not UTC: its day
 * may be another one for the generator.
 */
export function readPatternDate(text: string | null | undefined): PatternDate | null {
  const [, year, month, day, time] = dateAtStart.exec(text ?? '') ?? [];
  if (year === undefined || /[+-]\d{2}:?\d{2}\s*$/.test(time!.replace(/[+-]00:?00\s*$/, '')))
    return null;
  return { year, month: month!.padStart(2, '0'), day: day!.padStart(2, '0') };
}

/** The placeholders of dates that generators share. */
export const datePlaceholder = (date: PatternDate | null, name: string): string | undefined =>
  date === null ? undefined : { ...datePlaceholders(date) }[name];

const datePlaceholders = ({ year, month, day }: PatternDate): Record<string, string> => ({
  year,
  month,
  day,
  short_year: year.slice(2),
  i_month: String(Number(month)),
  i_day: String(Number(day)),
});
