import { digitsOf } from '../../../../text/text.ts';
import { normalizeSlug } from '../../../../sites/pages/urls/slug.ts';
import { AMOUNT_NUMBER, CURRENCY_SIGN, CURRENCY_UNIT } from '../../../shared/text/moneyPatterns.ts';
import { type PageField, readPageField, type PageName } from '../promptInstruction.ts';
import { QUOTE_PATTERN, findQuotedText } from '../language/extractQuotes.ts';
import { NO_NAMES, SENTENCE_WORDS, synonyms } from './synonyms.ts';

/** A link's target or text. `quoted` may be either; `address` and `page` are targets. */
export interface WordedTarget {
  quoted?: string;
  address?: string;
  page?: PageName;
}

/**
 * A type of slots. A slot of a wording is a place for a value, such as `{page}`. `pattern` finds
 * the value in a sentence, and `read` checks and reads it: null if it is not of this type.
 */
export interface WordingSlot<Value = unknown> {
  pattern: string;
  read: (text: string, quotes: string[]) => Value | null;
}

const joinAlternatives = (list: string[]) => list.join('|');
/** Slots find runs of words with simple patterns, which are fast to compile. `read` is strict. */
const WORD = '[^\\s,:()@/\\uE000-\\uF8FF]+';
/** A run of words: as few as the rest of the wording allows, and at most `maxWords`. */
const createWordRunPattern = (maxWords: number) => `${WORD}(?: ${WORD}){0,${maxWords - 1}}?`;
const WORDS = createWordRunPattern(4);
const SENTENCE_WORD = new RegExp(
  `(?<![^ ])(?:${joinAlternatives(SENTENCE_WORDS)}|\\S+n't)(?![^ ])`,
  'i',
);
const ADVERB = /(?<![^ ])(?!family|daily|weekly|monthly|yearly)\p{L}{3,}ly(?![^ ])/iu;
/** Whether no word belongs to the sentence around a name. */
const isPlainName = (text: string) => !SENTENCE_WORD.test(text) && !ADVERB.test(text);

/** A name of one to three words with capital letters: `Head of Support` has three. */
function isCapitalizedName(text: string): boolean {
  const nameWords = text.split(' ').filter((word) => word !== 'of' && word !== '&');
  const isCapital = nameWords.every((word) => /^[\p{Lu}\p{N}][\p{L}\p{M}\p{N}&'.-]*$/u.test(word));
  return (
    isCapital &&
    text.length > 1 &&
    nameWords.length <= 3 &&
    isPlainName(nameWords.join(' ')) &&
    !NEVER_A_NAME.test(text)
  );
}
const NEVER_A_NAME = new RegExp(`(?<![^ ])(?:${joinAlternatives(NO_NAMES)})(?![^ ])`, 'i');

const MONTH_PATTERN = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const DATE_PATTERN = `${MONTH_PATTERN} \\d{1,2} , \\d{4}|\\d{1,2}\\.? ${MONTH_PATTERN} \\d{4}|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}`;
const TIME_PATTERN = '\\d{1,2}(?:[:.]\\d{2})? ?[ap]\\.?m|\\d{1,2}:\\d{2}';
const EMAIL_PATTERN = '[^\\s@]+@[^\\s@]+\\.[^\\s@.,]+';
const PHONE_PATTERN = '(?:tel:)?[+(]{0,2}\\d[\\d()./-]*(?: [+(]?[\\d()./–-]+){0,6}';
const NUMBERS_PATTERN =
  '[^\\s,:()/\\uE000-\\uF8FF]*(?:[\\d.,]*\\d[^\\s,:()/]*)?(?: [^\\s,:()/\\uE000-\\uF8FF]+){0,2}?';
const SUM_OF_MONEY = new RegExp(
  `^(?:${CURRENCY_SIGN}\\s?${AMOUNT_NUMBER}|${AMOUNT_NUMBER}\\s?${CURRENCY_UNIT})$`,
  'u',
);
const PLAIN_AMOUNT = new RegExp(
  `^(?:${CURRENCY_SIGN}\\s?)?${AMOUNT_NUMBER}(?:\\s?${CURRENCY_UNIT})?$`,
  'u',
);
const FACT_VALUE = new RegExp(
  `^(?:${DATE_PATTERN}|${TIME_PATTERN}|${EMAIL_PATTERN}|\\d[\\d.,]*%?)$`,
  'i',
);

export const SLUG_PATTERN = '/(?:[^\\s,;:!?()]*[^\\s.,;:!?()])?';
const BARE_SLUG = '[a-z][\\w-]{2,}(?:/[\\w-]+)+';
const THE = '(?:(?:the|our|my) )?';
const HOME_PAGE = '(?:home ?page|(?:front|start|index|main) page|home)';
const PAGE_NAME = new RegExp(
  `^(?:${THE}${HOME_PAGE}|${THE}(?:(?:page|post) (?:called |titled |named |at )?)?(?:${SLUG_PATTERN}|${BARE_SLUG}|${QUOTE_PATTERN})(?: page)?|${THE}${WORDS} page|${THE}page (?:about|called) ${THE}${WORDS})$`,
  'i',
);
const PAGE_PATTERN = '[^\\s,:]+(?: [^\\s,:]+){0,6}?';
export const PAGES_PATTERN = '[^\\s,:]\\S*(?: [^\\s:]+){0,14}?';
const defineSlot = <Value>(
  pattern: string,
  read: (text: string) => Value | null,
): WordingSlot<Value> => ({
  pattern,
  read,
});
/** A slot for a value that may be in quotes. */
const createQuotableSlot = (
  pattern: string,
  read: (text: string) => string | null,
): WordingSlot<string> => ({
  pattern: `${QUOTE_PATTERN}|${pattern}`,
  read: (text, quotes) => read(readQuotedContent(text, quotes)),
});
const readQuotedContent = (text: string, quotes: string[]) =>
  new RegExp(`^${QUOTE_PATTERN}$`).test(text) ? findQuotedText({ quotes }, text) : text;

/** Reads the name of a page: `/about`, `the home page`, `page "About us"`, `the pricing page`. */
export function readPageName(text: string, quotes: string[]): PageName | null {
  if (!PAGE_NAME.test(text)) return null;
  const quote = new RegExp(QUOTE_PATTERN).exec(text)?.[0];
  const slug = new RegExp(`(?<![^ ])(?:${SLUG_PATTERN})(?= |$)`, 'u').exec(text)?.[0];
  const bareSlug = new RegExp(`(?<![^ ])(?:${BARE_SLUG})(?= |$)`, 'iu').exec(text)?.[0];
  const title = quote === undefined ? undefined : findQuotedText({ quotes }, quote);
  if (title?.startsWith('/')) return { slug: normalizeSlug(title) };
  if (title !== undefined) return { title };
  if (slug !== undefined) return { slug: normalizeSlug(slug) };
  if (new RegExp(`^${THE}${HOME_PAGE}$`, 'i').test(text)) return { slug: '/' };
  if (bareSlug !== undefined) return { slug: normalizeSlug(`/${bareSlug}`) };
  const pageTitle = text
    .replace(/^(?:the|our|my) | page$/gi, '')
    .replace(/^page (?=about|called)/i, '');
  return isPlainName(pageTitle.replace(/^(?:about|called) ?(?:our |the )?/i, ''))
    ? { title: pageTitle }
    : null;
}

/** Reads an enumeration of pages: `/a, the pricing page and "About us"`. */
export function readPageNames(text: string, quotes: string[]): PageName[] | null {
  const pageNames = text.split(/ ,(?: and)? | and /).map((page) => readPageName(page, quotes));
  return pageNames.every((page) => page !== null) ? pageNames : null;
}

const ORDINAL_WORDS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
/** Reads a position in a group: `second` or `2nd` → 2. The last one is -1. */
function readPosition(text: string): number {
  const word = text.toLowerCase();
  if (word === 'last' || word === 'bottom') return -1;
  return word === 'top' ? 1 : ORDINAL_WORDS.indexOf(word) + 1 || Number(/\d+/.exec(text)![0]);
}

const readWordedTarget = (text: string, quotes: string[]): WordedTarget | null => {
  if (new RegExp(`^${QUOTE_PATTERN}$`).test(text))
    return { quoted: findQuotedText({ quotes }, text) };
  if (new RegExp(`^${EMAIL_PATTERN}$`).test(text)) return { address: `mailto:${text}` };
  if (/^(?:\/|#|[a-z][a-z0-9+.-]*:)\S*$/i.test(text)) return { address: text };
  const page = readPageName(text, quotes);
  return page && { page };
};

const toLower = (text: string) => text.toLowerCase();
const readPhone = (text: string) =>
  /^[+(\d][\d\s()./–-]*$/.test(text) && digitsOf(text).length >= 6 ? text : null;

/** The types of slots by name. The slot `{quote:old}` of a wording has the type `quote`. */
export const wordingSlots = {
  /** A text in quotes. */
  quote: { pattern: QUOTE_PATTERN, read: readQuotedContent },
  /** One or more texts in quotes. */
  quotes: {
    pattern: `${QUOTE_PATTERN}(?:(?: ,| and| , and| with)? ${QUOTE_PATTERN}){0,7}`,
    read: (text, quotes) =>
      [...text.matchAll(new RegExp(QUOTE_PATTERN, 'g'))].map(([char]) =>
        findQuotedText({ quotes }, char),
      ),
  } satisfies WordingSlot<string[]>,
  /** A text to write: in quotes, or a name. */
  label: {
    pattern: `${QUOTE_PATTERN}|${createWordRunPattern(5)}`,
    read: (text, quotes) => {
      const content = readQuotedContent(text, quotes);
      return content !== text || isCapitalizedName(text) ? content : null;
    },
  } satisfies WordingSlot<string>,
  /** A text in quotes, a name, or a fact. */
  value: {
    pattern: `${QUOTE_PATTERN}|${DATE_PATTERN}|${TIME_PATTERN}|${EMAIL_PATTERN}|${NUMBERS_PATTERN}|${createWordRunPattern(5)}`,
    read: (text, quotes) => {
      const content = readQuotedContent(text, quotes);
      const isValue =
        content !== text ||
        FACT_VALUE.test(text) ||
        SUM_OF_MONEY.test(text) ||
        isCapitalizedName(text);
      return isValue ? content.replace(' ,', ',') : null;
    },
  } satisfies WordingSlot<string>,
  /** The name of something on the site. The site decides whether it is there. */
  words: {
    pattern: `${QUOTE_PATTERN}|${WORDS}`,
    read: (text, quotes) => (isPlainName(text) ? readQuotedContent(text, quotes) : null),
  } satisfies WordingSlot<string>,
  page: { pattern: PAGE_PATTERN, read: readPageName } satisfies WordingSlot<PageName>,
  /** Pages to delete. Other names may be texts to remove from a page. */
  deleted: {
    pattern: PAGES_PATTERN,
    read: (text, quotes) =>
      /\/|page/.test(text) && !/(?<!page)(?:^| )[\uE000-\uF8FF](?! page)/.test(text)
        ? readPageNames(text, quotes)
        : null,
  } satisfies WordingSlot<PageName[]>,
  slug: {
    pattern: `${SLUG_PATTERN}|${QUOTE_PATTERN}`,
    read: (text, quotes) => {
      const slug = readQuotedContent(text, quotes);
      return slug.startsWith('/') ? normalizeSlug(slug) : null;
    },
  } satisfies WordingSlot<string>,
  target: {
    pattern: `${EMAIL_PATTERN}|(?:https?|mailto|tel|javascript|data):\\S+|#\\S+|${PAGE_PATTERN}`,
    read: readWordedTarget,
  } satisfies WordingSlot<WordedTarget>,
  /** An image, by its text or its file. */
  image: createQuotableSlot('\\S+\\.(?:png|jpe?g|gif|svg|webp|avif|ico)', (text) => text),
  position: defineSlot(
    `(?:number )?(?:${joinAlternatives(ORDINAL_WORDS)}|last|top|bottom|#?\\d{1,3}(?:st|nd|rd|th)?)`,
    readPosition,
  ),
  field: defineSlot<PageField>(synonyms.FIELD, readPageField),
  element: defineSlot(
    synonyms.ELEMENT,
    (text) => toLower(text).replace(/s$/, '') as 'link' | 'button',
  ),
  what: defineSlot(`${synonyms.TARGET}|${synonyms.LABEL}`, toLower),
  part: defineSlot(synonyms.PART, toLower),
  item: defineSlot(`${synonyms.ITEM}|${synonyms.ITEMS}`, toLower),
  group: defineSlot(synonyms.GROUP, toLower),
  where: defineSlot(synonyms.WHERE, toLower),
  end: defineSlot('top|start|beginning|bottom|end', (text) =>
    /top|start|beginning/i.test(text) ? ('first' as const) : ('last' as const),
  ),
  amount: createQuotableSlot(NUMBERS_PATTERN, (text) => (PLAIN_AMOUNT.test(text) ? text : null)),
  sum: createQuotableSlot(NUMBERS_PATTERN, (text) => (SUM_OF_MONEY.test(text) ? text : null)),
  percent: defineSlot('\\d{1,3}(?:[.,]\\d{1,2})?(?: ?%| percent| per cent)', (text) =>
    Number(/[\d.,]+/.exec(text)![0].replace(',', '.')),
  ),
  phone: createQuotableSlot(PHONE_PATTERN, (text) => readPhone(text.replace(/^tel:/i, ''))),
  email: createQuotableSlot(`(?:mailto:)?${EMAIL_PATTERN}`, (text) =>
    new RegExp(`^${EMAIL_PATTERN}$`).test(text.replace(/^mailto:/i, ''))
      ? text.replace(/^mailto:/i, '')
      : null,
  ),
  year: createQuotableSlot('(?:19|20)\\d{2}', (text) =>
    /^(?:19|20)\d{2}$/.test(text) ? text : null,
  ),
} satisfies Record<string, WordingSlot>;

export type WordingSlotType = keyof typeof wordingSlots;
