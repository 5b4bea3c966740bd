import type { Slot } from '../../../sites/pages/format.ts';
import { plainText } from '../../text/marks.ts';
import { daysAt, isSameDays } from './days.ts';
import { factsOf, isSameFact, textSlot, type Fact } from './facts.ts';

const CODES = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** Opening hours on the page, with the days that they are said of. */
interface HoursAt {
  fact: Fact;
  days: number[];
  /** Whether its own text says the days: then a new text brings its own. */
  isWhole: boolean;
}

/**
 * What the template's opening hours become: those of days only where the same days stand, in a text or before a row.
 * Hours that say their days themselves are replaced whole, where there are as many of them as of the new ones.
 * @param slots the page's, for the rows that hours stand in
 * @returns the facts with their new texts; every other one stays
 */
export function matchHours(facts: Fact[], values: string[], slots: readonly Slot[]): Map<Fact, string> {
  const replaced = new Map<Fact, string>();
  const data = facts.filter(({ slot }) => slot.role === 'structured-data');
  const rowDays = daysOfRows(slots);
  const visible = facts.filter((fact) => !data.includes(fact)).map((fact) => hoursAt(fact, rowDays.get(fact.slot.id)));
  const pieces = values.flatMap(splitHours);
  const wholes = wholePairs(visible, values) ?? wholePairs(visible, pieces);
  for (const { fact, days, isWhole } of wholes ? [] : visible) {
    const value = days.length > 0 ? pieces.find((own) => isSameDays(daysAt(own).days, days)) : undefined;
    if (value !== undefined) replaced.set(fact, isWhole ? value : daysAt(value).rest);
  }
  for (const [fact, value] of wholes ?? []) replaced.set(fact, value);
  for (const fact of data) {
    const text = dataHours(fact, pieces);
    if (text !== undefined) replaced.set(fact, text);
  }
  return replaced;
}

/** The days that stand before a value in its row, by the value's slot. */
function daysOfRows(slots: readonly Slot[]): Map<string, number[]> {
  const rows = slots.flatMap((slot, i): [string, number[]][] => {
    const { days, rest } = daysAt(plainText(slot.text));
    const next = slots[i + 1];
    return slot.label && next && days.length > 0 && rest === '' ? [[next.id, days]] : [];
  });
  return new Map(rows);
}

function hoursAt(fact: Fact, rowDays: number[] = []): HoursAt {
  const { days } = daysAt(fact.text);
  return days.length > 0 ? { fact, days, isWhole: true } : { fact, days: rowDays, isWhole: rowDays.length === 0 };
}

/** Hours without a row, each with the new ones; null where their numbers differ. */
function wholePairs(hours: HoursAt[], values: string[]): [Fact, string][] | null {
  const isSame = (a: HoursAt, b: HoursAt) => isSameFact(a.fact, b.fact) && isSameDays(a.days, b.days);
  const distinct = hours.filter((own, i) => hours.findIndex((other) => isSame(own, other)) === i);
  const isLone = values.length === 1 && daysAt(values[0]!).days.length === 0;
  if (distinct.length !== values.length || !(isLone || hours.every(({ isWhole }) => isWhole))) return null;
  return hours.map((own) => [own.fact, values[distinct.findIndex((other) => isSame(own, other))]!]);
}

/** `Mon-Thu 8am-5pm, Fri 8am-2pm` in two. */
function splitHours(value: string): string[] {
  const parts: string[] = [];
  for (const part of value.split(/[,;|\n]/).map((own) => own.trim()))
    if (parts.length > 0 && (daysAt(part).days.length === 0 || daysAt(parts.at(-1)!).rest === ''))
      parts.push(`${parts.pop()}, ${part}`); // prettier-ignore
    else parts.push(part);
  return parts;
}

/** A value of structured data as schema.org writes `openingHours`: `Mo-Fr 09:00-17:30`. */
function dataHours({ text, slot }: Fact, values: string[]): string | undefined {
  if (!/openingHours(?:\[\d+\])?$/.test(slot.jsonPath ?? '')) return undefined;
  const { days } = daysAt(
    text
      .replace(/\bTu\b/, 'Tue')
      .replace(/\bWe\b/, 'Wed')
      .replace(/\bTh\b/, 'Thu'),
  );
  const value = values.find((own) => isSameDays(daysAt(own).days, days));
  const times = value === undefined ? [] : timesOf(daysAt(value).rest);
  return times.length === 2 ? `${dayCodes(days)} ${times.join('-')}` : undefined;
}

const dayCodes = (days: number[]) =>
  days.length > 2 && days.at(-1)! - days[0]! === days.length - 1
    ? `${CODES[days[0]!]}-${CODES[days.at(-1)!]}`
    : days.map((day) => CODES[day]).join(',');

/** Times of day as `09:00`, where a text is one span of hours and nothing else. */
function timesOf(text: string): string[] {
  const [fact, ...others] = factsOf(textSlot(text));
  if (fact?.kind !== 'hours' || others.length > 0 || fact.to - fact.from !== text.length) return [];
  const times = fact.key.split(' ').map(Number);
  // `1-5pm` and `9-5` leave half of the day to the reader
  if ((text.match(/[ap]\.?m/gi) ?? []).length === 1 || times[0]! >= times.at(-1)!) return [];
  return times.map((time) => `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`);
}
