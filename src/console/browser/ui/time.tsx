import { useEffect, useState } from 'preact/hooks';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time relative to now: "3 minutes ago", "in 7 days". */
function relativeToNow(at: Date): string {
  const seconds = (at.getTime() - Date.now()) / 1_000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit && length
    ? relative.format(Math.round(seconds / length), unit)
    : seconds > 5
      ? 'in a moment'
      : 'just now';
}

/** A time relative to now. The exact time is its tooltip. */
export function Time({ at }: { at: string }) {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((count) => count + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeToNow(date)}
    </time>
  );
}
