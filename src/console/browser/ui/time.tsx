import { useEffect, useState } from 'preact/hooks';

const timeUnits: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exactFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time relative to now: "3 minutes ago", "in 7 days". */
function relativeToNow(moment: Date): string {
  const seconds = (moment.getTime() - Date.now()) / 1_000;
  const [timeUnit, unitSeconds] =
    timeUnits.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [];
  return timeUnit && unitSeconds
    ? relativeFormat.format(Math.round(seconds / unitSeconds), timeUnit)
    : seconds > 5
      ? 'in a moment'
      : 'just now';
}

/** A time relative to now. The exact time is its tooltip. */
export function Time({ at }: { at: string }) {
  const [, renderAgain] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => renderAgain((renderCount) => renderCount + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(at);
  return (
    <time dateTime={at} title={exactFormat.format(moment)}>
      {relativeToNow(moment)}
    </time>
  );
}
