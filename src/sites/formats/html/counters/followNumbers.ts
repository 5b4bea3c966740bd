import type MagicString from 'magic-string';
import { plainLine } from '../../../pages/slotText.ts';
import type { SlotTexts } from '../../page.ts';
import { ancestors, type HtmlDocument } from '../document.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findValue, writeValue } from '../writeAttributes.ts';
import {
  isCounter,
  numberAttributes,
  numbersIn,
  plainNumber,
  type NumberAttribute,
} from './findCounters.ts';

/**
 * Writes the numbers of new texts into the attributes that repeat them or from which the page's
 * script counts: `<h1 countTo="5234">38</h1>`, `aria-valuenow`. A text without a number, or with
 * several, leaves them as they are: see `staleCounters`.
 */
export function followNumbers(
  edit: MagicString,
  page: HtmlDocument,
  places: readonly SlotPlace[],
  texts: SlotTexts,
) {
  const changed = places.filter(({ slot, attribute }) => {
    const text = texts[slot.id];
    return text !== undefined && text !== slot.text && attribute === undefined;
  });
  const numbered = changed.filter(({ slot }) => numbersIn(plainLine(slot.text)).length === 1);
  if (numbered.length === 0) return;
  const counters = Map.groupBy(
    numberAttributes(page.elements).filter(isCounter),
    ({ ring }) => ring,
  );
  if (counters.size === 0) return;
  for (const { slot, element } of numbered)
    for (const around of ancestors(element)) {
      for (const counter of counters.get(around) ?? []) {
        const value = valueFor(counter, plainLine(slot.text), plainLine(texts[slot.id]!));
        const place = findValue(page, counter.element, counter.name);
        if (place && value !== undefined && value !== counter.value) writeValue(edit, place, value);
      }
      counters.delete(around);
    }
}

const MULTIPLE: [sign: RegExp, times: number][] = [
  [/^\s?(?:k|tsd|thousand)(?!\p{L})/iu, 1_000],
  [/^\s?(?:m|mio|mn|million|millions)(?!\p{L})/iu, 1_000_000],
];

/** The attribute's new value; undefined if the text does not tell it. */
function valueFor(
  { value, number }: NumberAttribute,
  old: string,
  now: string,
): string | undefined {
  const [was, is] = [numberOf(old), numberOf(now)];
  if (!was || !is) return undefined;
  // `12k` beside 12000: the attribute has the whole number
  const isWhole = Number(was.number) * was.times === Number(number);
  if (!isWhole && was.times !== is.times) return undefined;
  const next = isWhole && was.times > 1 ? String(Number(is.number) * is.times) : is.number;
  return value.replace(numbersIn(value)[0]!, next);
}

/** The only number of a text, and what the word behind it multiplies it by. */
function numberOf(text: string) {
  const [written, ...others] = numbersIn(text);
  if (written === undefined || others.length > 0) return undefined;
  const behind = text.slice(text.indexOf(written) + written.length);
  const times = MULTIPLE.find(([sign]) => sign.test(behind))?.[1] ?? 1;
  return { written, number: plainNumber(written), times };
}
