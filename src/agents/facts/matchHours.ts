import type { Slot } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import { codedDaysAt, dayCodes, daysAt, isSameDays } from '../../text/days.ts';
import { factsOf, isClosed, isSameFact, textSlot, type Fact } from './findFacts.ts';
import { upperFirst } from '../text/letterCase.ts';

/** Opening hours on the page, and their days. */
interface HoursAt {
  fact: Fact;
  days: number[];
  /** Whether the fact's text includes the days. */
  isWhole: boolean;
}

/** The new hours of each day, and the value that gives them. */
type Week = Map<number, { rest: string; value: string }>;

/**
 * Replaces the template's opening hours where the context gives the same hours for all their days.
 * The days are in the text itself or in its row. Hours with their days in the text are also
 * replaced as a whole, if there are as many new ones.
 * @param slots the page's, to find the rows of hours
 * @returns `replaced`: the new text of each replaced fact. `placed`: the value that it comes from.
 * `isLeft`: whether the page lacks some of the values.
 */
export function matchHours(
  facts: Fact[],
  values: string[],
  slots: readonly Slot[],
): { replaced: Map<Fact, string>; placed: Map<Fact, string>; isLeft: boolean } {
  const replaced = new Map<Fact, string>();
  const placed = new Map<Fact, string>();
  const data = facts.filter(({ slot }) => slot.role === 'structured-data');
  const rowDays = daysOfRows(slots);
  const all = facts
    .filter((fact) => !data.includes(fact))
    .map((fact) => hoursAt(fact, rowDays.get(fact.slot.id)));
  const visible = all.filter(({ fact, days }) => days.length > 0 || !isClosed(fact.text));
  const pieces = values.flatMap(splitHours);
  const week = weekOf(pieces);
  const isLower = visible.some(({ fact: { text } }) => isClosed(text) && /^\p{Ll}/u.test(text));
  const wholes = wholePairs(visible, values) ?? wholePairs(visible, pieces);
  for (const own of wholes ? [] : visible) {
    const text = newHours(own, week, isLower);
    if (text === undefined) continue;
    replaced.set(own.fact, text);
    placed.set(own.fact, [...new Set(own.days.map((day) => week.get(day)!.value))].join('; '));
  }
  for (const [fact, value] of wholes ?? []) replaced.set(fact, value);
  for (const fact of data) {
    const text = dataHours(fact, week);
    if (text !== undefined) replaced.set(fact, text);
  }
  for (const [fact, text] of specifiedHours(data, visible, replaced)) replaced.set(fact, text);
  const shown = [...placed.values()].join('; ');
  const isLeft =
    !wholes && pieces.some((own) => daysAt(own).days.length > 0 && !shown.includes(own));
  return { replaced, placed, isLeft };
}

function weekOf(pieces: string[]): Week {
  const week: Week = new Map();
  for (const value of pieces) {
    const { days, rest } = daysAt(value);
    for (const day of days)
      week.set(day, { rest: [week.get(day)?.rest, rest].filter(Boolean).join(', '), value });
  }
  return week;
}

/** The hours, if all these days have the same. */
function ofDays(days: number[], week: Week): string | undefined {
  const rests = new Set(days.map((day) => week.get(day)?.rest));
  return rests.size === 1 ? [...rests][0] || undefined : undefined;
}

/** New hours in place of old ones. They include their days if the old text does. */
function newHours(
  { fact, days, isWhole }: HoursAt,
  week: Week,
  isLower: boolean,
): string | undefined {
  const rest = ofDays(days, week);
  if (rest === undefined || days.length === 0) return undefined;
  const { value } = week.get(days[0]!)!;
  if (isWhole && isSameDays(daysAt(value).days, days)) return value;
  const head = isWhole ? fact.text.slice(0, -daysAt(fact.text).rest.length) : '';
  return head + (isClosed(rest) && !isLower && fact.from === 0 ? upperFirst(rest) : rest);
}

/** The days in a value's row, by the id of the value's slot. */
export function daysOfRows(slots: readonly Slot[]): Map<string, number[]> {
  const rows = slots.flatMap((slot, i): [string, number[]][] => {
    const { days, rest } = daysAt(plainText(slot.text));
    const next = slots[i + 1];
    return slot.label && next && days.length > 0 && rest === '' ? [[next.id, days]] : [];
  });
  return new Map(rows);
}

function hoursAt(fact: Fact, rowDays: number[] = []): HoursAt {
  const { days } = daysAt(fact.text);
  return days.length > 0
    ? { fact, days, isWhole: true }
    : { fact, days: rowDays, isWhole: rowDays.length === 0 };
}

/** Pairs old hours with new ones. null if their counts differ. */
function wholePairs(hours: HoursAt[], values: string[]): [Fact, string][] | null {
  const isSame = (a: HoursAt, b: HoursAt) =>
    isSameFact(a.fact, b.fact) && isSameDays(a.days, b.days);
  const distinct = hours.filter((own, i) => hours.findIndex((other) => isSame(own, other)) === i);
  const isLone = values.length === 1 && daysAt(values[0]!).days.length === 0;
  if (distinct.length !== values.length || !(isLone || hours.every(({ isWhole }) => isWhole)))
    return null;
  return hours.map((own) => [own.fact, values[distinct.findIndex((other) => isSame(own, other))]!]);
}

/** Splits `Mon-Thu 8am-5pm, Fri 8am-2pm`. */
function splitHours(value: string): string[] {
  const parts: string[] = [];
  for (const part of value.split(/[,;|\n]/).map((own) => own.trim()))
    if (parts.length > 0 && (daysAt(part).days.length === 0 || daysAt(parts.at(-1)!).rest === ''))
      parts.push(`${parts.pop()}, ${part}`);
    else parts.push(part);
  return parts;
}

/** New hours in schema.org's notation of `openingHours`: `Mo-Fr 09:00-17:30`. */
function dataHours({ text, slot }: Fact, week: Week): string | undefined {
  if (!/openingHours(?:\[\d+\])?$/.test(slot.jsonPath ?? '')) return undefined;
  const { days } = codedDaysAt(text);
  const times = timesOf(ofDays(days, week) ?? '');
  return times.length === 2 ? `${dayCodes(days)} ${times.join('-')}` : undefined;
}

/** Replaces `opens` and `closes` in structured data if they equal the old hours of a row. */
function specifiedHours(
  data: Fact[],
  visible: HoursAt[],
  replaced: ReadonlyMap<Fact, string>,
): [Fact, string][] {
  const placeOf = ({ slot }: Fact) =>
    `${slot.id.split('.')[0]} ${slot.jsonPath!.replace(/\.?(?:opens|closes)$/, '')}`;
  const ends = data.filter(({ slot }) => /(?:opens|closes)$/.test(slot.jsonPath ?? ''));
  return [...Map.groupBy(ends, placeOf).values()].flatMap((pair): [Fact, string][] => {
    const [opens, closes] = ['opens', 'closes'].map((name) =>
      pair.find(({ slot }) => slot.jsonPath!.endsWith(name)),
    );
    if (pair.length !== 2 || !opens || !closes) return [];
    const rows = visible.filter(
      ({ fact }) => timesOf(daysAt(fact.text).rest).join() === `${opens.text},${closes.text}`,
    );
    const texts = new Set(
      rows.map(({ fact }) => timesOf(daysAt(replaced.get(fact) ?? '').rest).join()),
    );
    const [from, to] = texts.size === 1 ? [...texts][0]!.split(',') : [];
    return from && to
      ? [
          [opens, from],
          [closes, to],
        ]
      : [];
  });
}

/** The times of a text that consists of one range of hours, as `09:00`. */
function timesOf(text: string): string[] {
  const [fact, ...others] = factsOf(textSlot(text));
  if (fact?.kind !== 'hours' || others.length > 0 || fact.to - fact.from !== text.length) return [];
  const times = fact.key.split(' ').map(Number);
  // ambiguous: `1-5pm` and `9-5` do not say am or pm for each time
  if ((text.match(/[ap]\.?m/gi) ?? []).length === 1 || times[0]! >= times.at(-1)!) return [];
  return times.map(
    (time) =>
      `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`,
  );
}
