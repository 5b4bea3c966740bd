import type { Slot } from '../../sites/formats/page.ts';
import { hoursValueAt } from '../../sites/pages/hoursData.ts';
import { timesIn } from '../../text/times.ts';
import { plainText } from '../text/marks.ts';
import { factsOf, hoursKey, textSlot } from './findFacts.ts';

/** The times of day in a plain text, in minutes: in ranges such as `9–5`, and alone. */
function timesOf(text: string): number[] {
  const ranges = factsOf(textSlot(text)).filter(({ kind }) => kind === 'hours');
  const inRange = (at: number) => ranges.some(({ from, to }) => from <= at && at < to);
  return [
    ...ranges.flatMap((fact) => hoursKey(fact).split(' ').map(Number).filter(Number.isInteger)),
    ...timesIn(text).flatMap(({ minutes, start }) => (inRange(start) ? [] : [minutes])),
  ];
}

/**
 * The opening hours in structured data with a time that texts showed before, and that the page
 * shows no more: `15:00`, `Mo-Fr 09:00-15:00`.
 * @param before texts of the page, as they were
 * @param now the page's slots
 */
export function staleTimes(before: Slot[], now: Slot[]): string[] {
  const isSeen = ({ role }: Slot) => role !== 'structured-data';
  const past = new Set(before.filter(isSeen).flatMap(({ text }) => timesOf(plainText(text))));
  if (past.size === 0) return [];
  const shown = new Set(now.filter(isSeen).flatMap(({ text }) => timesOf(plainText(text))));
  const gone = past.difference(shown);
  const data = now.filter(({ jsonPath }) =>
    ['time', 'hours'].includes(hoursValueAt(jsonPath) ?? ''),
  );
  const values = data.map(({ text }) => plainText(text));
  return [...new Set(values.filter((value) => timesOf(value).some((time) => gone.has(time))))];
}
