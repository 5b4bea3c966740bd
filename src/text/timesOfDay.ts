import type { TextRange } from './textRange.ts';

/** A time of day in a text. */
export interface TimeInText extends TextRange {
  /** Minutes since midnight. */
  minutes: number;
  /** Whether it may also be twelve hours later: `5:30` does not say am or pm. */
  isOpen: boolean;
}

const HALF = '[ap]\\.?\\s?m\\b\\.?';
/**
 * Notations of a time: `noon`, `5.30 pm`, `17h30`, `17.30 Uhr`, `kl. 17.30`, `17:30`. A number with
 * a point, such as `17.30`, is a time only next to such a word.
 */
const TIME = new RegExp(
  [
    '\\b(?<word>noon|midday|midnight)\\b',
    `(?<![\\d.,:])(?<hour1>\\d{1,2})(?:[:.](?<minute1>[0-5]\\d))?\\s?(?<half>${HALF})`,
    '(?<![\\d.,:])(?<hour2>\\d{1,2})\\s?h(?:\\s?(?<minute2>[0-5]\\d))?\\b',
    '(?<![\\d.,:])(?<hour3>\\d{1,2})(?:[:.](?<minute3>[0-5]\\d))?\\s?Uhr\\b',
    '\\bkl(?:okken)?\\.?\\s?(?<hour4>\\d{1,2})(?:[:.](?<minute4>[0-5]\\d))?(?![\\d:])',
    '(?<![\\d.,:])(?<hour5>\\d{1,2}):(?<minute5>[0-5]\\d)(?::[0-5]\\d)?(?![\\d:])',
  ].join('|'),
  'giu',
);

/** The times of day in a text, in any of the usual notations. */
export function timesIn(text: string): TimeInText[] {
  return [...text.matchAll(TIME)].flatMap(({ index, 0: matchedText, groups = {} }) => {
    const groupValue = (name: string) =>
      [1, 2, 3, 4, 5].flatMap((i) => groups[`${name}${i}`] ?? []).at(0) ?? '';
    const half = groups['half']?.[0]?.toLowerCase();
    const word = groups['word']?.toLowerCase();
    const hour = word === undefined ? Number(groupValue('hour')) : word === 'midnight' ? 0 : 12;
    if (hour > 24 || (half !== undefined && (hour > 12 || hour === 0))) return [];
    const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
    const minutes = (hours * 60 + Number(groupValue('minute'))) % DAY;
    const isBare =
      matchedText === `${groupValue('hour')}:${groupValue('minute')}` &&
      !matchedText.startsWith('0');
    return [
      { minutes, isOpen: isBare && minutes < NOON, start: index, end: index + matchedText.length },
    ];
  });
}

const NOON = 12 * 60;
const DAY = 24 * 60;

/**
 * The beginning and the end of a range of hours in minutes, read as people mean it: `9–5` is 9 am
 * to 5 pm, and `1–5 pm` is 1 pm to 5 pm.
 * @param text the whole range, whose two times the second parameter gives in minutes
 */
export function rangeOfHours(text: string, [from = 0, to = 0]: number[]): [number, number] {
  const halves = text.match(new RegExp(HALF, 'giu')) ?? [];
  const isEndOpen = !text.trimEnd().endsWith(halves.at(-1) ?? '\n');
  if (isEndOpen && to <= from && from < NOON && !/\b0\d/.test(text)) return [from, to + NOON];
  const isOneHalf = halves.length === 1 && !isEndOpen && to >= NOON;
  return isOneHalf && from < NOON && from + NOON < to ? [from + NOON, to] : [from, to];
}
