import type { CellValue } from 'hucre/xlsx';
import { dateToSerial, format, getFormatInfo } from 'numfmt';

/** The most characters of a number format, as in Excel. */
const FORMAT_LENGTH = 255;

/**
 * A cell's value as the spreadsheet shows it.
 * @param pattern the cell's number format, such as `0.00%`
 * @param language the person's language for numbers and dates: BCP 47 tag
 */
export function shownCell(
  cellValue: CellValue,
  pattern: string | undefined,
  language: string,
): string {
  if (cellValue === null) return '';
  if (typeof cellValue === 'string') return cellValue;
  if (cellValue instanceof Date) return shownDate(cellValue, pattern, language);
  if (typeof cellValue === 'boolean') return format('General', cellValue, { locale: language });
  return shownNumber(cellValue, pattern, language);
}

/**
 * A number as the spreadsheet shows it. Whole numbers without a format are often phone or customer
 * numbers, so none of their digits is rounded.
 */
function shownNumber(value: number, pattern: string | undefined, language: string): string {
  const { type } =
    pattern && pattern.length <= FORMAT_LENGTH ? getFormatInfo(pattern) : { type: 'error' };
  const isPlain = type === 'general' || type === 'error' || type === 'scientific';
  if (isPlain && Number.isSafeInteger(value)) return String(value);
  return format(type === 'error' ? 'General' : pattern!, value, {
    locale: language,
    throws: false,
  }).trim();
}

/** Excel shows these built-in date formats as the person's system does. */
const systemDateFormats: Record<string, Intl.DateTimeFormatOptions> = {
  'm/d/yyyy': {},
  'm/d/yyyy h:mm': { hour: 'numeric', minute: '2-digit' },
};

function shownDate(date: Date, pattern: string | undefined, language: string): string {
  const timeFormat =
    pattern === undefined || pattern.length > FORMAT_LENGTH ? {} : systemDateFormats[pattern];
  if (!timeFormat) {
    const serialNumber = dateToSerial(date, { ignoreTimezone: true });
    const text = format(pattern!, serialNumber, { locale: language, throws: false }).trim();
    if (!text.startsWith('#')) return text;
  }
  const digits = language === 'en-US' ? 'numeric' : '2-digit';
  const dayFormat: Intl.DateTimeFormatOptions = {
    day: digits,
    month: digits,
    year: 'numeric',
    timeZone: 'UTC',
  };
  return new Intl.DateTimeFormat(language, { ...dayFormat, ...timeFormat }).format(date);
}
