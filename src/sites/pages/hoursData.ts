import { codedDaysAt, DAYS, dayCodes } from '../../text/days.ts';
import { clock, rangeOfHours, timesIn } from '../../text/times.ts';

/**
 * What a value of opening hours in structured data (schema.org) holds: days (`dayOfWeek`), a time
 * (`opens`), a date (`validFrom`), or days with times (`openingHours`).
 */
export type HoursValue = 'days' | 'time' | 'date' | 'hours';

const PATHS: [RegExp, HoursValue][] = [
  [/(?:^|\.)dayOfWeek(?:\[\d+\])?(?:\.(?:@id|name))?$/, 'days'],
  [/(?:^|\.)(?:opens|closes)$/, 'time'],
  [/(?:openingHoursSpecification|hoursAvailable)(?:\[\d+\])?\.valid(?:From|Through)$/i, 'date'],
  [/(?:^|\.)openingHours(?:\[\d+\])?$/, 'hours'],
];

/** What a value at this path holds; undefined for a value that is not about opening hours. */
export const hoursValueAt = (path = ''): HoursValue | undefined =>
  PATHS.find(([pattern]) => pattern.test(path))?.[1];

const HOLIDAYS = 'PublicHolidays';
const holidays = /\bpublic ?holidays?\b/i;

/** The names of days in a text or in values, from Monday. null if it holds anything else. */
export function dayNamesIn(text: string): string[] | null {
  const bare = text.replace(/\bhttps?:\/\/(?:www\.)?schema\.org\/|\bschema:/gi, '');
  const own = bare.replace(holidays, '').replace(/(?:^|,)\s*(?:and\s*)?(?=,|$)/g, '');
  const { days, rest } = codedDaysAt(own.trim());
  const names = [...days.map((day) => DAYS[day]!), ...(holidays.test(bare) ? [HOLIDAYS] : [])];
  return rest.trim() === '' && names.length > 0 ? names : null;
}

/** A day as the value has it, in the notation of another one: an address, a code, a name. */
function dayLike(old: string, name: string): string {
  const at = Math.max(old.lastIndexOf('/'), old.lastIndexOf(':')) + 1;
  const own = old.slice(at);
  const day = DAYS.indexOf(name);
  const isCode = day !== -1 && /^(?:Mo|Tu|We|Th|Fr|Sa|Su)$/i.test(own);
  const written = isCode ? dayCodes([day]) : own.length === 3 ? name.slice(0, 3) : name;
  const isLower = own !== '' && own === own.toLowerCase();
  return old.slice(0, at) + (isLower ? written.toLowerCase() : written);
}

/**
 * A new text for a value of opening hours, in the notation that the structured data has. Several
 * values are the days of a list.
 * @param old the value, for its notation
 * @returns null for a text that is no such value
 */
export function hoursLike(kind: HoursValue, old: string, text: string): string[] | null {
  const given = text.trim();
  if (kind === 'days') return dayNamesIn(given)?.map((name) => dayLike(old, name)) ?? null;
  const value =
    kind === 'time' ? timeLike(old, given) : kind === 'date' ? dateIn(given) : hoursIn(given);
  return value === null ? null : [value];
}

function timeLike(old: string, text: string): string | null {
  const clear = text.replace(/^(\d{1,2})\.(\d{2})$/, '$1:$2');
  const [time, ...others] = timesIn(clear);
  if (!time || others.length > 0 || time.start > 0 || time.end < clear.length) return null;
  const [, seconds = ''] = /^\d{1,2}:\d{2}((?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)$/.exec(old) ?? [];
  return clock(time.minutes) + seconds;
}

const dateIn = (text: string) =>
  /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text))
    ? text
    : null;

/** `Mo-Fr 09:00-17:00` of `Monday to Friday 9 am – 5 pm`. */
function hoursIn(text: string): string | null {
  const { days, rest } = codedDaysAt(text);
  const ranges = rest.split(/,|\band\b|&/).filter((part) => part.trim() !== '');
  const times = ranges.map(rangeIn);
  if ((days.length === 0 && ranges.length === 0) || times.includes(null)) return null;
  return [dayCodes(days), times.join(',')].filter(Boolean).join(' ');
}

function rangeIn(text: string): string | null {
  const whole = text.trim();
  const times = [...timesIn(whole)];
  const [from, to] = /^(\d{1,2})\s?(?:[-–—]|to|bis)\s?(\d{1,2})$/.exec(whole)?.slice(1) ?? [];
  const minutes =
    from === undefined ? times.map(({ minutes }) => minutes) : [Number(from) * 60, Number(to) * 60];
  const between = times.reduceRight(
    (left, { start, end }) => left.slice(0, start) + left.slice(end),
    whole,
  );
  const isRange = from !== undefined || /^\s*(?:[-–—]|to|until|till|bis|à)\s*$/.test(between);
  if (!isRange || minutes.length !== 2 || minutes.some((minute) => minute > 24 * 60)) return null;
  return rangeOfHours(whole, minutes).map(clock).join('-');
}

const expected: Record<HoursValue, string> = {
  days: 'days of the week: "Friday", "Monday, Tuesday" or "Monday to Friday"',
  time: 'a time of day: "17:30"; for a closed day "00:00" for both `opens` and `closes`',
  date: 'a date: "2027-12-24"',
  hours: 'days and hours: "Mo-Fr 09:00-17:30"',
};

/** What is wrong with a text for a value of opening hours at this path; undefined if nothing is. */
export function hoursProblem(path: string | undefined, text: string): string | undefined {
  const kind = hoursValueAt(path);
  if (kind === undefined) return undefined;
  const values = hoursLike(kind, '', text);
  if (values && (values.length === 1 || path!.endsWith('dayOfWeek'))) return undefined;
  return `"${text.slice(0, 60).toWellFormed()}" is not understood here, where the structured data has ${expected[kind]}`;
}
