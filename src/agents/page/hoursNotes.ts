import { type Note, noteOn } from '../../contract/task.ts';
import type { Slot, SlotTexts } from '../../sites/formats/page.ts';
import { hoursValueAt } from '../../sites/pages/hoursData.ts';
import { codedDaysAt, dayNames, daysAt } from '../../text/days.ts';
import { clock } from '../../text/times.ts';
import type { ContextData } from '../context/contextData.ts';
import { givenHours } from '../context/givenHours.ts';
import { factsOf, hoursKey, isClosed, textSlot, type Fact } from '../facts/findFacts.ts';
import { plainText } from '../text/marks.ts';

/** Opening hours of some days. `times` is empty for closed days. */
interface Stated {
  days: number[];
  times: string;
  slots: string[];
}

/** Opening hours by day, 0 for Monday. */
type Week = Map<number, Set<string>>;

const CLOSED = 'closed';
/** The separators in a list of hours of the same days: `9–12 and 13–17`. */
const isJoint = (text: string) =>
  /^[\s,;&+/|]*$/.test(text.replace(/\b(?:and|und|et|y|e|og|en|sowie)\b/giu, ''));

/**
 * Notes where a page states opening hours for other days, or other hours for a day, than its
 * context.
 * @param kept ids of texts that other notes name as the template's
 */
export function hoursNotes(
  slug: string,
  context: ContextData,
  { shown, written, kept }: { shown: readonly Slot[]; written: SlotTexts; kept: Set<string> },
): Note[] {
  const lines = [...givenHours(context, new Set()), ...context.source.split('\n')];
  const given = lines.flatMap((line) => statedIn(line, ''));
  if (given.length === 0) return [];
  const slots = shown.map((slot) => ({ ...slot, text: written[slot.id] ?? slot.text }));
  const data = slots.filter(({ role }) => role === 'structured-data');
  const visible = slots.filter(({ role }) => role !== 'structured-data');
  const isOwn = ({ slots }: Stated) => !slots.some((id) => kept.has(id));
  return [
    noteOf(slug, 'the structured data', { given, stated: dataHours(data).filter(isOwn) }),
    noteOf(slug, 'the page', { given, stated: visibleHours(visible).filter(isOwn) }),
  ].flat();
}

const LONGEST_NOTE = 8;

function noteOf(
  slug: string,
  where: string,
  { given, stated }: { given: Stated[]; stated: Stated[] },
): Note[] {
  const week = weekOf(given);
  const wrong = stated
    .map((own) => ({ ...own, days: own.days.filter((day) => isWrong(week, day, own.times)) }))
    .filter(({ days }) => days.length > 0);
  const now = weekOf(stated);
  const isMissing = (day: number, times: string) => times !== CLOSED && !now.get(day)?.has(times);
  const missing = given
    .map((own) => ({ ...own, days: own.days.filter((day) => isMissing(day, own.times)) }))
    .filter(({ days }) => days.length > 0);
  const isData = where !== 'the page';
  if (wrong.length === 0 && !(isData && stated.length > 0 && missing.length > 0)) return [];
  const says =
    wrong.length === 0
      ? `${where} does not state the context's opening hours ${listed(missing)}`
      : `${where} states the opening hours ${listed(wrong)}, the context ${listed(missing) || 'does not'}`;
  const ids = [...new Set((wrong.length > 0 ? wrong : stated).flatMap(({ slots }) => slots))];
  const values = (wrong.length > 0 ? wrong : missing).map(sentence);
  return [
    noteOn(slug, 'hours', says, {
      ...(ids.length === 1 ? { slot: ids[0]! } : { slots: ids.slice(0, LONGEST_NOTE) }),
      value: [...new Set(values)].join('; '),
    }),
  ];
}

/** A closed day is wrong only if the context says when it is open. */
function isWrong(week: Week, day: number, times: string): boolean {
  const own = week.get(day);
  return own ? !own.has(times) : times !== CLOSED;
}

function weekOf(stated: Stated[]): Week {
  const week: Week = new Map();
  for (const { days, times } of stated)
    for (const day of days) week.set(day, (week.get(day) ?? new Set()).add(times));
  return week;
}

const listed = (stated: Stated[]) =>
  [...new Set(stated.map(sentence))].slice(0, LONGEST_NOTE).join(', ');

const sentence = ({ days, times }: Stated) =>
  `${dayNames(days)} ${times === CLOSED ? CLOSED : times.split(' ').map(Number).map(clock).join('–')}`;

/** A field of an entry at the end of a path. */
const FIELD = /(?:^|\.)(?:dayOfWeek.{0,20}|opens|closes|valid(?:From|Through))$/;

/** The opening hours in structured data: `openingHoursSpecification` and `openingHours`. */
function dataHours(slots: readonly Slot[]): Stated[] {
  const entryOf = ({ id, jsonPath = '' }: Slot) =>
    `${id.split('.')[0]} ${jsonPath.replace(FIELD, '')}`;
  const entries = Map.groupBy(
    slots.filter(({ jsonPath }) => ['days', 'time', 'date'].includes(hoursValueAt(jsonPath) ?? '')),
    entryOf,
  );
  const lines = slots.filter(({ jsonPath }) => hoursValueAt(jsonPath) === 'hours');
  return [
    ...[...entries.values()].flatMap(entryHours),
    ...lines.flatMap((slot) => statedIn(plainText(slot.text), slot.id)),
  ];
}

/** The hours of an entry. One for some dates says nothing of other weeks. */
function entryHours(entry: Slot[]): Stated[] {
  const valueOf = (name: string) => entry.find(({ jsonPath }) => jsonPath!.endsWith(name));
  const named = entry.filter(({ jsonPath }) => hoursValueAt(jsonPath) === 'days');
  const [opens, closes] = [valueOf('opens'), valueOf('closes')];
  const isDated = entry.some(({ jsonPath }) => hoursValueAt(jsonPath) === 'date');
  if (named.length === 0 || !opens || !closes || isDated) return [];
  const times = [opens, closes].flatMap(({ text }) => minutesOf(plainText(text)));
  if (times.length !== 2) return [];
  return [
    {
      days: named.flatMap(({ text }) => codedDaysAt(plainText(text)).days),
      times: times[0] === times[1] ? CLOSED : times.join(' '),
      slots: [...named, opens, closes].map(({ id }) => id),
    },
  ];
}

const minutesOf = (text: string): number[] => {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})/.exec(text) ?? [];
  return hour === undefined ? [] : [Number(hour) * 60 + Number(minute)];
};

/** The opening hours in texts for people, in one text or in a row. */
function visibleHours(slots: readonly Slot[]): Stated[] {
  return slots.flatMap((slot, i): Stated[] => {
    const text = plainText(slot.text);
    const next = slots[i + 1];
    const { days, rest } = daysAt(text);
    const isRow = slot.label && next && days.length > 0 && rest === '';
    return isRow
      ? statedIn(`${dayNames(days)}: ${plainText(next.text)}`, next.id)
      : text.split('\n').flatMap((line) => statedIn(line, slot.id));
  });
}

/** The hours in a line, each with the days named before it. */
function statedIn(line: string, slot: string): Stated[] {
  const { days, rest } = codedDaysAt(line);
  const slots = slot === '' ? [] : [slot];
  if (days.length > 0 && isClosed(rest)) return [{ days, times: CLOSED, slots }];
  const facts = factsOf(textSlot(line)).filter(({ kind }) => kind === 'hours');
  let [at, last]: [number, number[]] = [0, []];
  return facts.flatMap((fact): Stated[] => {
    const before = line.slice(at, fact.from);
    const own = daysOf(fact, before, at === 0);
    if (own.length > 0 || !isJoint(before)) last = own;
    at = fact.to;
    return last.length === 0 ? [] : [{ days: last, times: hoursKey(fact), slots }];
  });
}

/** Days in the fact itself, with those that lead up to them, or the last ones before it. */
function daysOf(fact: Fact, before: string, isStart: boolean): number[] {
  const { days } = daysAt(fact.text);
  return days.length > 0
    ? daysUpTo(before, fact.text)
    : isStart && codedDaysAt(before).rest === ''
      ? codedDaysAt(before).days
      : lastDays(before);
}

/** The days of `Saturday and Sunday 10–14`, where the fact is only `Sunday 10–14`. */
function daysUpTo(before: string, fact: string): number[] {
  const own = daysAt(fact);
  for (const { index } of before.slice(-LONGEST_DAYS).matchAll(/(?<!\p{L})\p{L}+/gu)) {
    const all = daysAt(before.slice(-LONGEST_DAYS).slice(index) + fact);
    if (all.rest === own.rest) return all.days;
  }
  return own.days;
}

/** Characters before a day in which others that belong to it may stand. */
const LONGEST_DAYS = 100;

/** Letters of a day's name that is no other word, as `so`, `do` and `sun` may be. */
const LONG_NAME = 4;

/** The last days that a text names: `open on Saturdays from`. */
function lastDays(text: string): number[] {
  let [found, end]: [number[], number] = [[], 0];
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    if (index < end || word.length < LONG_NAME) continue;
    const { days, rest } = daysAt(text.slice(index));
    if (days.length === 0) continue;
    found = days;
    end = text.length - rest.length;
  }
  return found;
}
