import { normalizeText } from '../../../contract/normalizeText.ts';
import MagicString from 'magic-string';
import { findValue, writeValue } from './writeAttributes.ts';
import {
  attributeOf,
  parseDocument,
  textContentOf,
  type PageElement,
  type HtmlDocument,
} from './document.ts';
import { validHtmlLine } from '../escape.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];
const foldDateText = (text: string) =>
  normalizeText(text.toLowerCase(), 'NFD').replace(/\p{M}/gu, '').replaceAll('.', '');

let cachedMonthNames: Map<string, number> | undefined;
/** The number of each month by its names and short forms, in all supported languages. */
function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  const dateFormats = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map(
      (month) => new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }),
    ),
  );
  for (let i = 1; i <= 12; i++)
    for (const dateFormat of dateFormats)
      names.set(foldDateText(dateFormat.format(Date.UTC(2000, i - 1, 15))), i);
  return names;
}

const findTimes = ({ elements }: HtmlDocument) =>
  elements.filter(
    (element) => element.tagName === 'time' && attributeOf(element, 'datetime') !== undefined,
  );

const shownTime = (time: PageElement) => validHtmlLine(textContentOf(time));

/**
 * Updates the `datetime` of `time` elements to the dates that they now show, and removes it if the
 * date is ambiguous. Only for new pages: an edit of a page changes nothing but texts.
 * @param oldPage the page before its texts changed
 * @param newSource the source with the new texts
 */
export function followTimes(oldPage: HtmlDocument, newSource: string): string {
  const times = findTimes(oldPage);
  if (times.length === 0) return newSource;
  const page = parseDocument(newSource);
  const sourceEditor = new MagicString(page.source);
  for (const [i, time] of findTimes(page).entries()) {
    const oldTime = times[i];
    const value = findValue(page, time, 'datetime');
    if (
      !oldTime ||
      !value ||
      attributeOf(oldTime, 'datetime') !== attributeOf(time, 'datetime') ||
      shownTime(oldTime) === shownTime(time)
    )
      continue;
    const date = machineDate(shownTime(time));
    const location = time.sourceCodeLocation!.attrs!['datetime']!;
    if (date === null) sourceEditor.remove(location.startOffset - 1, location.endOffset);
    else writeValue(sourceEditor, value, date);
  }
  return page.bom + sourceEditor.toString();
}

/** A date as HTML writes it (`2027-03-01`, `2027-03`, `2027`); null for an ambiguous one. */
function machineDate(text: string): string | null {
  if (/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/.test(text)) return text;
  const words = foldDateText(text)
    .split(/[\s,]+/)
    .filter((word) => !['de', 'of', 'the'].includes(word));
  const month = words.flatMap((word) => (cachedMonthNames ??= monthNames()).get(word) ?? [])[0];
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
