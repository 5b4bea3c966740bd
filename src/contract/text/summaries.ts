/** Temporal's server accepts 400 bytes. */
const SUMMARY_LENGTH = 100;
const SITE_NAME_LENGTH = 40;
/** Number of characters in which the first line is searched. */
const BEGINNING_LENGTH = 1_000;

/** Line ends, and characters that are invisible or change the text's direction. */
const lineEnds = /[\n\r\v\f\x85\u2028\u2029]/;
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Characters of Markdown and HTML. The Temporal UI renders summaries as Markdown, which could
 * become code, links or images.
 */
const markup = /[`*~<>[\]|\\]/g;
const userInUrl = /\/\/[^/\s@]*@/g;
const longWord = /\w{16,}/g;

/**
 * Makes a summary for the Temporal UI: one line without markup, of the length that Temporal
 * accepts.
 */
export const summaryLine = (text: string) => shortenText(plainTextLine(text), SUMMARY_LENGTH);

/** Makes one line without markup, of a given length: for the titles of tasks. */
export const shortLine = (text: string, length: number) => shortenText(plainTextLine(text), length);

/** A site's name for use within a summary. */
export const summarySiteName = (name = 'the site') =>
  shortenText(plainTextLine(name), SITE_NAME_LENGTH) || 'the site';

/**
 * The first line of a prompt that has words. Credentials in URLs, and long words that may be keys,
 * are removed.
 */
export function firstPromptLine(prompt: string): string {
  const lines = prompt.slice(0, BEGINNING_LENGTH).split(lineEnds);
  return plainTextLine(lines.find((promptLine) => plainTextLine(promptLine) !== '') ?? '')
    .replace(userInUrl, '//…@')
    .replace(longWord, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? '…' : word));
}

const plainTextLine = (text: string) =>
  text.replace(/\s/g, ' ').replace(invisible, '').replace(markup, '').replace(/ {2,}/g, ' ').trim();

/** Shortens a text and ends it with `…`. It does not split surrogate pairs. */
const shortenText = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/**
 * Removes the given characters from the end of a text. A regular expression would take quadratic
 * time for long runs of them.
 */
export function trimEndCharacters(text: string, characters: string): string {
  let endPosition = text.length;
  while (endPosition > 0 && characters.includes(text[endPosition - 1]!)) endPosition--;
  return text.slice(0, endPosition);
}

/**
 * Whether a text has more characters than the limit. An emoji of several UTF-16 units counts as
 * one, as in JSON Schema's `maxLength`. Runs in bounded time for texts of any length.
 */
export function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > 2 * characters || [...text].length > characters;
}

const MOST_NAMED = 10;

/** Lists the first names, and how many more there are. */
export function listFirstNames(names: string[], nounPlural = 'pages'): string {
  const remainingCount = names.length - MOST_NAMED;
  return (
    names.slice(0, MOST_NAMED).join(', ') +
    (remainingCount > 0 ? ` and ${remainingCount} more ${nounPlural}` : '')
  );
}
