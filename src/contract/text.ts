/** The server accepts 400 bytes. */
const SUMMARY_LENGTH = 100;
const SITE_NAME_LENGTH = 40;
/** No more of a prompt is read for its first line. */
const BEGINNING_LENGTH = 1_000;

/** Line ends, and what is invisible or changes the direction of a text. */
const lineEnds = /[\n\r\v\f\x85\u2028\u2029]/;
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * What the Temporal UI, which shows summaries as Markdown, could make code, links, pictures or HTML
 * of.
 */
const markup = /[`*~<>[\]|\\]/g;
const userInUrl = /\/\/[^/\s@]*@/g;
const longWord = /\w{16,}/g;

/**
 * One line of Markdown without markup, whatever customers wrote, of the length that Temporal
 * accepts.
 */
export const summaryLine = (text: string) => cut(plain(text), SUMMARY_LENGTH);

/** The same of another length: for the titles of tasks. */
export const shortLine = (text: string, length: number) => cut(plain(text), length);

/** A site's name inside of such a line. */
export const siteInSummary = (name = 'the site') =>
  cut(plain(name), SITE_NAME_LENGTH) || 'the site';

/**
 * The first line of a prompt that says something, without what may be a key or a password in a URL.
 */
export function firstLineOf(prompt: string): string {
  const lines = prompt.slice(0, BEGINNING_LENGTH).split(lineEnds);
  return plain(lines.find((line) => plain(line) !== '') ?? '')
    .replace(userInUrl, '//…@')
    .replace(longWord, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? '…' : word));
}

const plain = (text: string) =>
  text.replace(/\s/g, ' ').replace(invisible, '').replace(markup, '').replace(/ {2,}/g, ' ').trim();

/** Ends with … where it is cut; no half of a character stays. */
const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/**
 * A text without these characters at its end. A pattern would be tried from each place of a long
 * row of them.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/**
 * Whether a text has more characters than that, an emoji of several UTF-16 units counting as one
 * (JSON Schema's `maxLength`). Texts of any length are answered at once.
 */
export function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > 2 * characters || [...text].length > characters;
}

const NAMED = 10;

/** The first of some pages or files, and how many more there are. */
export function namesOf(names: string[], what = 'pages'): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more ${what}` : '');
}
