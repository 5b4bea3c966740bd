/** The Unicode normalization forms (UAX #15). */
export type NormalizationForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** Maximum length in UTF-16 code units. No page or file of a site is longer. */
const MAX_LENGTH = 2 * 1024 * 1024;
/** Maximum number of marks in a row (UAX #15, section 13, Stream-Safe Text Format). */
const MAX_MARKS = 30;
/** Ends a run of marks, because no mark moves across it (UAX #15, section 13). */
const GRAPHEME_JOINER = '\u034F';

/** Marks, and the halfwidth sound marks, which the compatibility forms turn into marks. */
const markClass = '[[\\p{M}\\uFF9E\\uFF9F]--\\u034F]';
/** No form changes ASCII. */
const asciiText = /^[\0-\x7F]*$/;
/** A quick test for what a long run of marks needs: all marks come behind U+02FF. */
const maybeLongRun = new RegExp(`[^\\0-\\u02FF]{${MAX_MARKS + 1}}`);
const longMarkRun = new RegExp(`${markClass}{${MAX_MARKS}}(?=${markClass})`, 'gv');

/**
 * Normalizes a text in linear time. Normalization sorts each run of combining marks, and the
 * engine's sort is quadratic: 200 kB of marks take seconds. So a run of more than 30 marks is first
 * broken up by U+034F, as the Stream-Safe Text Process does. Texts of people never have such runs.
 * @param text at most 2,097,152 UTF-16 code units
 * @throws RangeError if the text is longer
 * @see https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
export function normalizeText(text: string, form: NormalizationForm): string {
  if (text.length > MAX_LENGTH)
    throw new RangeError(
      `A text has ${text.length} characters, but at most ${MAX_LENGTH} are allowed`,
    );
  if (asciiText.test(text)) return text;
  const safeText = maybeLongRun.test(text)
    ? text.replace(longMarkRun, `$&${GRAPHEME_JOINER}`)
    : text;
  // oxlint-disable-next-line own/no-bare-normalize -- the one place
  return safeText.normalize(form);
}
