import { wordSet } from '../../text/wordLists.ts';

/** Patterns of folded names of weekdays in English and German, from Monday. */
const DAYS = [
  'mo|mon|mondays?|montags?',
  'di|tue|tues|tuesdays?|dienstags?',
  'mi|wed|wednesdays?|mittwochs?',
  'do|thu|thur|thurs|thursdays?|donnerstags?',
  'fr|fri|fridays?|freitags?',
  'sa|sat|saturdays?|samstags?|sonnabends?',
  'so|su|sun|sundays?|sonntags?',
].map((names) => new RegExp(`^(?:${names})$`));
const SETS: [RegExp, number[]][] = [
  [/^(?:daily|taglich|everyday)$/, [0, 1, 2, 3, 4, 5, 6]],
  [/^(?:weekdays?|werktags)$/, [0, 1, 2, 3, 4]],
  [/^weekends?$/, [5, 6]],
];
const TO = wordSet('- – — to until till through bis');
const AND = wordSet(', & + / and und');

export interface DaysAt {
  /** Sorted weekdays, 0 for Monday. Empty if the text does not begin with days. */
  days: number[];
  /** The remaining text. */
  rest: string;
}

/**
 * Reads the weekdays at the beginning of a text: `Monday to Friday 9:00 - 17:30`, `Mo, Mi und Fr:
 * 9–17 Uhr`.
 */
export function daysAt(text: string): DaysAt {
  const days = new Set<number>();
  let [end, joint] = [0, ''];
  let last: number | undefined;
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{M}]+|[-–—,&+/]|[^\p{L}\s]/gu)) {
    const word = token.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const isExpected = days.size === 0 || joint !== '';
    const set = SETS.find(([name]) => name.test(word))?.[1];
    const day = DAYS.findIndex((names) => names.test(word));
    if (isExpected && (set || day !== -1)) {
      const from = TO.has(joint) && last !== undefined ? last : day;
      for (const own of set ?? daysFrom(from, day)) days.add(own);
      [last, joint, end] = [set ? undefined : day, '', index + token.length];
    } else if (days.size > 0 && joint === '' && (TO.has(word) || AND.has(word))) joint = word;
    else if (token !== '.' || days.size === 0) break;
  }
  return { days: [...days].sort(), rest: text.slice(end).replace(/^[\s:,.–-]+/u, '') };
}

/** The days of a range, which may continue past Sunday. */
export const daysFrom = (from: number, to: number): number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, i) => (from + i) % 7);

export const isSameDays = (a: number[], b: number[]) =>
  a.length === b.length && a.every((day, i) => day === b[i]);
