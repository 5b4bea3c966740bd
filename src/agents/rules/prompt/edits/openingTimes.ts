import { DAYS, daysFrom } from '../../../../text/days.ts';

/** A day's opening hours in the notation of structured data: `09:00`. */
export interface Times {
  opens: string;
  closes: string;
}

const TIME = /(\d{1,2})(?:[:.](\d{2}))?\s?([ap]\.?m\.?)?|noon|midnight/gi;

const NOON = 720;
/**
 * Minutes since midnight. From this time on, a time without am or pm may be a morning: `9 to 5`.
 */
const EARLIEST = 7 * 60;

/**
 * Parses `9 to 5`, `9 am – 5:30 pm`, `10:00-18:00`. null for other texts, and for ambiguous hours.
 */
export function timesIn(text: string): Times | null {
  const [from, to, ...others] = [...text.matchAll(TIME)].map(readTime);
  if (!from || !to || others.length > 0) return null;
  const isMorning = from.half !== '' || from.minutes >= EARLIEST || /^\D*0/.test(text);
  const isSure =
    isMorning || (to.half === 'a' ? to.minutes <= NOON : to.half === '' && to.minutes >= NOON + 60);
  if (!isSure) return null;
  const isNextHalf =
    to.half === '' &&
    to.minutes <= from.minutes &&
    from.minutes < (from.half === '' ? NOON + 60 : 1440);
  const closes = isNextHalf ? to.minutes + NOON : to.minutes;
  return closes <= from.minutes || closes > 1440
    ? null
    : { opens: clock(from.minutes), closes: clock(closes) };
}

function readTime([all, hours = '12', minutes = '0', half = '']: RegExpExecArray) {
  const word = all.toLowerCase();
  if (word === 'noon') return { minutes: 720, half: 'p' };
  if (word === 'midnight') return { minutes: 1440, half: 'a' };
  const mark = half[0]?.toLowerCase() ?? '';
  const hour = mark === '' ? Number(hours) : (Number(hours) % 12) + (mark === 'p' ? 12 : 0);
  return { minutes: hour * 60 + Number(minutes), half: mark };
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Writes hours in the notation of the old ones. If the day was closed, in that of another row. */
export function written(old: string, { opens, closes }: Times, others: string[]): string {
  const model = [old, ...others].find((text) => timesIn(text) !== null) ?? '9:00 – 17:00';
  const times = [opens, closes];
  return model.replace(
    TIME,
    (_, hours: string, minutes: string | undefined, half: string | undefined) => {
      const [hour = 0, minute = '00'] = times
        .shift()!
        .split(':')
        .map((part, i) => (i === 0 ? Number(part) : part)) as [number, string];
      const shown =
        half === undefined
          ? hours.startsWith('0')
            ? String(hour).padStart(2, '0')
            : String(hour)
          : String(hour % 12 || 12);
      const rest = minutes !== undefined || minute !== '00' ? `:${minute}` : '';
      const mark = half === undefined ? '' : ` ${(hour % 24 < 12 ? 'a' : 'p') + half.slice(1)}`;
      return shown + rest + mark;
    },
  );
}

const short = DAYS.map((day) => day.slice(0, 3).toLowerCase());

/** The days that a row names, with 0 for Monday: `Monday to Thursday`, `Saturday and Sunday`. */
export function daysIn(text: string): number[] {
  const found = [...text.toLowerCase().matchAll(/\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*/g)].map(
    ([, day]) => short.indexOf(day!),
  );
  const [from = 0, to = 0] = found;
  const isRange = found.length === 2 && /\bto\b|[-–—]|through|until/i.test(text);
  if (!isRange) return found;
  return to < from ? [] : daysFrom(from, to);
}
