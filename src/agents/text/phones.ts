import { digitsOf } from '../../text/text.ts';
import { spansOf, type Span } from './spans.ts';

/** Telephone numbers in running text. */
export const phonePatterns = [
  new RegExp(
    '(?<![\\p{L}\\p{N}.,-])(?:\\+\\s?|\\(?0{0,2})\\(?\\d[\\d()]{0,12}(?:[\\s().\\u00A0/-]{1,3}\\d{1,12}){2,6}(?![\\p{N}.,]*\\d)',
    'gu',
  ),
  new RegExp('(?<![\\p{L}\\p{N}])\\+\\d{7,15}\\b', 'gu'),
  new RegExp(
    '(?<![\\p{L}\\p{N}.,-])\\(?0\\d{2,4}\\)?\\s?[\\s/-]\\s?\\d{5,9}(?![\\p{N}.,-]*\\d)',
    'gu',
  ),
];

const LEAST_DIGITS = 9;
const isYears = (text: string) => text.split(/\D+/).every((part) => /^(?:19|20)\d{2}$/.test(part));

/**
 * Spans that are certainly telephone numbers, not dates or lists of years. Their words are never
 * replaced.
 */
export const phoneSpans = (text: string): Span[] =>
  phonePatterns
    .flatMap((pattern) => spansOf(text, pattern))
    .filter(({ from, to }) => {
      const found = text.slice(from, to);
      return digitsOf(found).length >= LEAST_DIGITS && !isYears(found);
    });
