import { digitsOf } from '../../../../text/text.ts';
import { normalizeSlug } from '../../../../sites/pages/slug.ts';
import { NUMBER, SIGN, UNIT } from '../../../text/money.ts';
import { type Field, fieldOf, type PageName } from '../instructions.ts';
import { QUOTE, quoteAt } from './quotes.ts';
import { NO_NAMES, SENTENCE_WORDS, synonyms } from './synonyms.ts';

/** A link's target or text. */
export interface Target {
  quoted?: string;
  address?: string;
  page?: PageName;
}

/** How to find a value, and how to read what was found. null if it is no such value. */
export interface Slot<Value = unknown> {
  pattern: string;
  read: (text: string, quotes: string[]) => Value | null;
}

const oneOf = (list: string[]) => list.join('|');
/** Slots find runs of words with simple patterns, which are fast to compile. `read` is strict. */
const WORD = '[^\\s,:()@/\\uE000-\\uF8FF]+';
/** The fewest words that a wording leaves. */
const words = (most: number) => `${WORD}(?: ${WORD}){0,${most - 1}}?`;
const WORDS = words(4);
const OUTSIDE = new RegExp(`(?<![^ ])(?:${oneOf(SENTENCE_WORDS)}|\\S+n't)(?![^ ])`, 'i');
const ADVERB = /(?<![^ ])(?!family|daily|weekly|monthly|yearly)\p{L}{3,}ly(?![^ ])/iu;
/** Whether no word belongs to the sentence around a name. */
const isPlain = (text: string) => !OUTSIDE.test(text) && !ADVERB.test(text);

/** A name of one to three words with capital letters: `Head of Support` has three. */
function isName(text: string): boolean {
  const own = text.split(' ').filter((word) => word !== 'of' && word !== '&');
  const isCapital = own.every((word) => /^[\p{Lu}\p{N}][\p{L}\p{M}\p{N}&'.-]*$/u.test(word));
  return (
    isCapital && text.length > 1 && own.length <= 3 && isPlain(own.join(' ')) && !NO_NAME.test(text)
  );
}
const NO_NAME = new RegExp(`(?<![^ ])(?:${oneOf(NO_NAMES)})(?![^ ])`, 'i');

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const DATE = `${MONTH} \\d{1,2} , \\d{4}|\\d{1,2}\\.? ${MONTH} \\d{4}|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}`;
const TIME = '\\d{1,2}(?:[:.]\\d{2})? ?[ap]\\.?m|\\d{1,2}:\\d{2}';
const EMAIL = '[^\\s@]+@[^\\s@]+\\.[^\\s@.,]+';
const PHONE = '(?:tel:)?[+(]{0,2}\\d[\\d()./-]*(?: [+(]?[\\d()./–-]+){0,6}';
const NUMBERS =
  '[^\\s,:()/\\uE000-\\uF8FF]*(?:[\\d.,]*\\d[^\\s,:()/]*)?(?: [^\\s,:()/\\uE000-\\uF8FF]+){0,2}?';
const SUM = new RegExp(`^(?:${SIGN}\\s?${NUMBER}|${NUMBER}\\s?${UNIT})$`, 'u');
const AMOUNT = new RegExp(`^(?:${SIGN}\\s?)?${NUMBER}(?:\\s?${UNIT})?$`, 'u');
const FACT = new RegExp(`^(?:${DATE}|${TIME}|${EMAIL}|\\d[\\d.,]*%?)$`, 'i');

export const SLUG = '/(?:[^\\s,;:!?()]*[^\\s.,;:!?()])?';
const BARE_SLUG = '[a-z][\\w-]{2,}(?:/[\\w-]+)+';
const THE = '(?:(?:the|our|my) )?';
const HOME = '(?:home ?page|(?:front|start|index|main) page|home)';
const PAGE_NAME = new RegExp(
  `^(?:${THE}${HOME}|${THE}(?:(?:page|post) (?:called |titled |named |at )?)?(?:${SLUG}|${BARE_SLUG}|${QUOTE})(?: page)?|${THE}${WORDS} page|${THE}page (?:about|called) ${THE}${WORDS})$`,
  'i',
);
const PAGE = '[^\\s,:]+(?: [^\\s,:]+){0,6}?';
export const PAGES = '[^\\s,:]\\S*(?: [^\\s:]+){0,14}?';
const own = <Value>(pattern: string, read: (text: string) => Value | null): Slot<Value> => ({
  pattern,
  read,
});
/** A value in quotes or not. */
const quotable = (pattern: string, read: (text: string) => string | null): Slot<string> => ({
  pattern: `${QUOTE}|${pattern}`,
  read: (text, quotes) => read(contentOf(text, quotes)),
});
const contentOf = (text: string, quotes: string[]) =>
  new RegExp(`^${QUOTE}$`).test(text) ? quoteAt({ quotes }, text) : text;

export function pageIn(text: string, quotes: string[]): PageName | null {
  if (!PAGE_NAME.test(text)) return null;
  const quote = new RegExp(QUOTE).exec(text)?.[0];
  const slug = new RegExp(`(?<![^ ])(?:${SLUG})(?= |$)`, 'u').exec(text)?.[0];
  const bare = new RegExp(`(?<![^ ])(?:${BARE_SLUG})(?= |$)`, 'iu').exec(text)?.[0];
  const title = quote === undefined ? undefined : quoteAt({ quotes }, quote);
  if (title?.startsWith('/')) return { slug: normalizeSlug(title) };
  if (title !== undefined) return { title };
  if (slug !== undefined) return { slug: normalizeSlug(slug) };
  if (new RegExp(`^${THE}${HOME}$`, 'i').test(text)) return { slug: '/' };
  if (bare !== undefined) return { slug: normalizeSlug(`/${bare}`) };
  const called = text
    .replace(/^(?:the|our|my) | page$/gi, '')
    .replace(/^page (?=about|called)/i, '');
  return isPlain(called.replace(/^(?:about|called) ?(?:our |the )?/i, ''))
    ? { title: called }
    : null;
}

/** Pages in a row: `/a, the pricing page and "About us"`. */
export function pagesIn(text: string, quotes: string[]): PageName[] | null {
  const pages = text.split(/ ,(?: and)? | and /).map((page) => pageIn(page, quotes));
  return pages.every((page) => page !== null) ? pages : null;
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
/** From 1; -1 is the last. */
function positionOf(text: string): number {
  const word = text.toLowerCase();
  if (word === 'last' || word === 'bottom') return -1;
  return word === 'top' ? 1 : ORDINALS.indexOf(word) + 1 || Number(/\d+/.exec(text)![0]);
}

const targetOf = (text: string, quotes: string[]): Target | null => {
  if (new RegExp(`^${QUOTE}$`).test(text)) return { quoted: quoteAt({ quotes }, text) };
  if (new RegExp(`^${EMAIL}$`).test(text)) return { address: `mailto:${text}` };
  if (/^(?:\/|#|[a-z][a-z0-9+.-]*:)\S*$/i.test(text)) return { address: text };
  const page = pageIn(text, quotes);
  return page && { page };
};

const lower = (text: string) => text.toLowerCase();
const isPhone = (text: string) =>
  /^[+(\d][\d\s()./–-]*$/.test(text) && digitsOf(text).length >= 6 ? text : null;

/** The slots of wordings, by type. */
export const slots = {
  /** A text in quotes. */
  quote: { pattern: QUOTE, read: contentOf },
  /** One or more texts in quotes. */
  quotes: {
    pattern: `${QUOTE}(?:(?: ,| and| , and| with)? ${QUOTE}){0,7}`,
    read: (text, quotes) =>
      [...text.matchAll(new RegExp(QUOTE, 'g'))].map(([char]) => quoteAt({ quotes }, char)),
  } satisfies Slot<string[]>,
  /** A text to write: in quotes, or a name. */
  label: {
    pattern: `${QUOTE}|${words(5)}`,
    read: (text, quotes) => {
      const content = contentOf(text, quotes);
      return content !== text || isName(text) ? content : null;
    },
  } satisfies Slot<string>,
  /** A text in quotes, a name, or a fact. */
  value: {
    pattern: `${QUOTE}|${DATE}|${TIME}|${EMAIL}|${NUMBERS}|${words(5)}`,
    read: (text, quotes) => {
      const content = contentOf(text, quotes);
      const isValue = content !== text || FACT.test(text) || SUM.test(text) || isName(text);
      return isValue ? content.replace(' ,', ',') : null;
    },
  } satisfies Slot<string>,
  /** The name of something on the site. The site decides whether it is there. */
  words: {
    pattern: `${QUOTE}|${WORDS}`,
    read: (text, quotes) => (isPlain(text) ? contentOf(text, quotes) : null),
  } satisfies Slot<string>,
  page: { pattern: PAGE, read: pageIn } satisfies Slot<PageName>,
  /** Pages to delete. Other names may be texts to remove from a page. */
  deleted: {
    pattern: PAGES,
    read: (text, quotes) =>
      /\/|page/.test(text) && !/(?<!page)(?:^| )[\uE000-\uF8FF](?! page)/.test(text)
        ? pagesIn(text, quotes)
        : null,
  } satisfies Slot<PageName[]>,
  slug: {
    pattern: `${SLUG}|${QUOTE}`,
    read: (text, quotes) => {
      const slug = contentOf(text, quotes);
      return slug.startsWith('/') ? normalizeSlug(slug) : null;
    },
  } satisfies Slot<string>,
  target: {
    pattern: `${EMAIL}|(?:https?|mailto|tel|javascript|data):\\S+|#\\S+|${PAGE}`,
    read: targetOf,
  } satisfies Slot<Target>,
  /** An image, by its text or its file. */
  image: quotable('\\S+\\.(?:png|jpe?g|gif|svg|webp|avif|ico)', (text) => text),
  position: own(
    `(?:number )?(?:${oneOf(ORDINALS)}|last|top|bottom|#?\\d{1,3}(?:st|nd|rd|th)?)`,
    positionOf,
  ),
  field: own<Field>(synonyms.FIELD, fieldOf),
  element: own(synonyms.ELEMENT, (text) => lower(text).replace(/s$/, '') as 'link' | 'button'),
  what: own(`${synonyms.TARGET}|${synonyms.LABEL}`, lower),
  part: own(synonyms.PART, lower),
  item: own(`${synonyms.ITEM}|${synonyms.ITEMS}`, lower),
  group: own(synonyms.GROUP, lower),
  where: own(synonyms.WHERE, lower),
  end: own('top|start|beginning|bottom|end', (text) =>
    /top|start|beginning/i.test(text) ? ('first' as const) : ('last' as const),
  ),
  amount: quotable(NUMBERS, (text) => (AMOUNT.test(text) ? text : null)),
  sum: quotable(NUMBERS, (text) => (SUM.test(text) ? text : null)),
  percent: own('\\d{1,3}(?:[.,]\\d{1,2})?(?: ?%| percent| per cent)', (text) =>
    Number(/[\d.,]+/.exec(text)![0].replace(',', '.')),
  ),
  phone: quotable(PHONE, (text) => isPhone(text.replace(/^tel:/i, ''))),
  email: quotable(`(?:mailto:)?${EMAIL}`, (text) =>
    new RegExp(`^${EMAIL}$`).test(text.replace(/^mailto:/i, ''))
      ? text.replace(/^mailto:/i, '')
      : null,
  ),
  year: quotable('(?:19|20)\\d{2}', (text) => (/^(?:19|20)\d{2}$/.test(text) ? text : null)),
} satisfies Record<string, Slot>;

export type SlotType = keyof typeof slots;
