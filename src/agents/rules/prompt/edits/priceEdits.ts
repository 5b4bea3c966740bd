import { defined } from '../../../../contract/defined.ts';
import { plainText } from '../../../text/marks.ts';
import type { PriceUnit } from '../instructions.ts';
import type { StepOf } from '../planSteps.ts';
import { listed, refuse } from './refuse.ts';
import { ask, askAll, call, readSlots, type Work } from './askSite.ts';

type PriceStep = StepOf<'price'>;

/** Patterns for a price's unit on pages. */
const SAYS: Record<PriceUnit, RegExp> = {
  month: /(?:\/|\bper|\ba|\beach)\s?mo(?:nth)?\b|\bmonthly\b/i,
  year: /(?:\/|\bper|\ba|\beach)\s?y(?:ea)?r\b|\b(?:yearly|annually)\b/i,
  week: /(?:\/|\bper|\ba|\beach)\s?w(?:ee)?k\b|\bweekly\b/i,
  day: /(?:\/|\bper|\ba|\beach)\s?day\b|\bdaily\b/i,
  hour: /(?:\/|\bper|\ban|\beach)\s?h(?:ou)?r\b|\bhourly\b/i,
  person: /(?:\/|\bper|\ba|\beach)\s?(?:user|person|seat)\b/i,
};
/** Most characters of a text about a price. */
const LONGEST = 40;
const MOST_PAGES = 10;

/**
 * Changes a price. If the prompt gives a unit (`a month`), the price on the page must have it too.
 */
export function* reprice({ name, from, to, per, slugs }: PriceStep): Work {
  const own = Array.isArray(slugs) ? slugs : undefined;
  if (per !== undefined) yield* checkUnit(per, own ?? (yield* pagesWith(name ?? from!)));
  return [call('set_fact', { kind: 'price', to, ...defined({ name, from, slugs: own }) })];
}

function* pagesWith(text: string) {
  const hits = yield* ask(call('search', { text }));
  if (hits.length > MOST_PAGES)
    throw refuse(`"${text}" stands on ${hits.length} pages: say on which page its price is`);
  return hits.map(({ slug }) => slug);
}

function* checkUnit(per: PriceUnit, slugs: string[]) {
  const pages = yield* askAll(slugs.map(readSlots));
  const short = pages
    .flatMap(({ slots }) => slots.map(({ text }) => plainText(text)))
    .filter((text) => text.length <= LONGEST);
  const units = (Object.keys(SAYS) as PriceUnit[]).filter((unit) =>
    short.some((text) => SAYS[unit].test(text)),
  );
  if (!units.includes(per)) throw refuse(`no price on ${listed(slugs)} is said to be for a ${per}`);
  if (units.length > 1)
    throw refuse(
      `prices on ${listed(slugs)} are for a ${units.join(' or a ')}: replace the price that is meant by its text`,
    );
}
