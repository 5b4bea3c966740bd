import { normalizeText } from '../../../contract/normalizeText.ts';
import MagicString from 'magic-string';
import { findValue, writeValue } from './writeAttributes.ts';
import { attributeOf, parseDocument, textOf, type Element, type HtmlDocument } from './document.ts';
import { tidyLine } from './escape.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];
const folded = (text: string) =>
  normalizeText(text.toLowerCase(), 'NFD').replace(/\p{M}/gu, '').replaceAll('.', '');

let known: Map<string, number> | undefined;
/** The number of each month by its names and short forms, in all supported languages. */
function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  const forms = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map(
      (month) => new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }),
    ),
  );
  for (let i = 1; i <= 12; i++)
    for (const form of forms) names.set(folded(form.format(Date.UTC(2000, i - 1, 15))), i);
  return names;
}

const timesOf = ({ elements }: HtmlDocument) =>
  elements.filter(
    (element) => element.tagName === 'time' && attributeOf(element, 'datetime') !== undefined,
  );

const shown = (time: Element) => tidyLine(textOf(time));

/**
 * Updates the `datetime` of `time` elements to the dates that they now show, and removes it if the
 * date is ambiguous. Only for new pages: an edit of a page changes nothing but texts.
 * @param before the page before its texts changed
 * @param after the source with the new texts
 */
export function followTimes(before: HtmlDocument, after: string): string {
  const times = timesOf(before);
  if (times.length === 0) return after;
  const page = parseDocument(after);
  const edit = new MagicString(page.source);
  for (const [i, time] of timesOf(page).entries()) {
    const old = times[i];
    const value = findValue(page, time, 'datetime');
    if (
      !old ||
      !value ||
      attributeOf(old, 'datetime') !== attributeOf(time, 'datetime') ||
      shown(old) === shown(time)
    )
      continue;
    const date = machineDate(shown(time));
    const place = time.sourceCodeLocation!.attrs!['datetime']!;
    if (date === null) edit.remove(place.startOffset - 1, place.endOffset);
    else writeValue(edit, value, date);
  }
  return page.bom + edit.toString();
}

/**
 * A date in the HTML standard's format (`2027-03-01`, `2027-03`, `2027`); null for an ambiguous
 * one.
 */
function machineDate(text: string): string | null {
  if (/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/.test(text)) return text;
  const words = folded(text)
    .split(/[\s,]+/)
    .filter((word) => !['de', 'of', 'the'].includes(word));
  const month = words.flatMap((word) => (known ??= monthNames()).get(word) ?? [])[0];
  const numbers = words.filter((word) => /^\d/.test(word));
  const year = numbers.find((word) => /^\d{4}$/.test(word));
  const day = numbers.find((word) => /^\d{1,2}(?:st|nd|rd|th|º)?$/.test(word));
  if (
    month === undefined ||
    year === undefined ||
    words.length !== numbers.length + 1 ||
    numbers.length > 2
  )
    return null;
  if (numbers.length === 2 && (day === undefined || parseInt(day) < 1 || parseInt(day) > 31))
    return null;
  const parts = day === undefined ? [month] : [month, parseInt(day)];
  return [year, ...parts.map((part) => `${part}`.padStart(2, '0'))].join('-');
}
