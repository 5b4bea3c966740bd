import type MagicString from 'magic-string';
import { plainLine } from '../../../pages/texts/slotText.ts';
import type { SlotTexts } from '../../pageParts.ts';
import { ancestors, type HtmlDocument } from '../document.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findValue, writeValue } from '../writeAttributes.ts';
import {
  isCounter,
  findNumberAttributes,
  numbersIn,
  plainNumber,
  type NumberAttribute,
} from './findCounters.ts';

/**
 * Writes the numbers of new texts into the attributes that repeat them or from which the page's
 * script counts: `<h1 countTo="5234">38</h1>`, `aria-valuenow`. A text without a number, or with
 * several, leaves them as they are: see `findStaleCounters`.
 */
export function updateCounters(
  sourceEditor: MagicString,
  page: HtmlDocument,
  places: readonly SlotPlace[],
  texts: SlotTexts,
) {
  const changedPlaces = places.filter(({ slot, attribute }) => {
    const text = texts[slot.id];
    return text !== undefined && text !== slot.text && attribute === undefined;
  });
  const numberedPlaces = changedPlaces.filter(
    ({ slot }) => numbersIn(plainLine(slot.text)).length === 1,
  );
  if (numberedPlaces.length === 0) return;
  const countersByTextElement = Map.groupBy(
    findNumberAttributes(page.elements).filter(isCounter),
    ({ textElement }) => textElement,
  );
  if (countersByTextElement.size === 0) return;
  for (const { slot, element } of numberedPlaces)
    for (const ancestor of ancestors(element)) {
      for (const counter of countersByTextElement.get(ancestor) ?? []) {
        const value = newCounterValue(counter, plainLine(slot.text), plainLine(texts[slot.id]!));
        const place = findValue(page, counter.element, counter.name);
        if (place && value !== undefined && value !== counter.value)
          writeValue(sourceEditor, place, value);
      }
      countersByTextElement.delete(ancestor);
    }
}

const MULTIPLIERS: [sign: RegExp, times: number][] = [
  [/^\s?(?:k|tsd|thousand)(?!\p{L})/iu, 1_000],
  [/^\s?(?:m|mio|mn|million|millions)(?!\p{L})/iu, 1_000_000],
];

/** The attribute's new value; undefined if it does not follow from the text. */
function newCounterValue(
  { value, number }: NumberAttribute,
  oldText: string,
  newText: string,
): string | undefined {
  const [oldNumber, newNumber] = [onlyNumber(oldText), onlyNumber(newText)];
  if (!oldNumber || !newNumber) return undefined;
  // `12k` beside 12000: the attribute has the whole number
  const isWhole = Number(oldNumber.number) * oldNumber.times === Number(number);
  if (!isWhole && oldNumber.times !== newNumber.times) return undefined;
  const newValue =
    isWhole && oldNumber.times > 1
      ? String(Number(newNumber.number) * newNumber.times)
      : newNumber.number;
  return value.replace(numbersIn(value)[0]!, newValue);
}

/** The only number of a text, and what the word behind it multiplies it by. */
function onlyNumber(text: string) {
  const [written, ...otherNumbers] = numbersIn(text);
  if (written === undefined || otherNumbers.length > 0) return undefined;
  const textBehind = text.slice(text.indexOf(written) + written.length);
  const times = MULTIPLIERS.find(([sign]) => sign.test(textBehind))?.[1] ?? 1;
  return { number: plainNumber(written), times };
}
