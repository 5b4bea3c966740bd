import { domainToUnicode } from 'node:url';
import { collapse, digitsOf, isMailbox } from '../../text/text.ts';

/** Matches web addresses in a text that start with a scheme, `www.` or `//`. */
const webAddress = /(?:\bhttps?:[\\/]{1,9}|\bwww\.|(?<![:\w])[\\/]{2})[^\s"'<>\\/?#()[\]{},;|]+/gi;
const between = /[\s"'<>()[\]{},;:|]+/;

/** The hosts of the web addresses in a text, normalized as browsers do. */
export function hostsInText(text: string): string[] {
  if (!/[:\\/]|www\./i.test(text)) return [];
  const hosts = (text.match(webAddress) ?? []).map((found) => hostIn(found));
  return [...new Set(hosts.filter((host) => host !== undefined))];
}

function hostIn(address: string): string | undefined {
  const authority = address.replace(/^(?:https?:)?[\\/]*/i, '').replace(/[.:!*_~]{1,9}$/, '');
  const host = URL.parse(`https://${authority}`)?.host;
  return host?.includes('.') ? host : undefined;
}

/** The e-mail addresses in a text, in lower case. */
export function mailboxesInText(text: string): string[] {
  if (!text.includes('@')) return [];
  const words = text.split(between).map((word) => word.replace(/[.!]{1,9}$/, ''));
  return [...new Set(words.filter(isMailbox).map((word) => word.toLowerCase()))];
}

/**
 * Whether a text names a host or an e-mail address, exactly: `a.example` does not name
 * `shop.a.example`, nor the reverse. Only `www.a.example` is the same as `a.example`.
 */
export function isNamed(text: string, name: string): boolean {
  const at = name.lastIndexOf('@') + 1;
  const host = name.slice(at);
  const bare = host.replace(/^www\./, '');
  const hosts = at === 0 ? [host, bare, `www.${bare}`] : [host];
  const forms = new Set(
    hosts.flatMap((one) =>
      [one, domainToUnicode(one)].map((form) => form && name.slice(0, at) + form),
    ),
  );
  const lower = text.toLowerCase();
  return [...forms].some((form) => form !== '' && standsIn(lower, form));
}

function standsIn(text: string, name: string): boolean {
  for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + 1)) {
    const [before, behind] = [
      text[start - 1] ?? ' ',
      text.slice(start + name.length, start + name.length + 2),
    ];
    if (!/[\p{L}\p{N}._+-]/u.test(before) && !/^(?:[\p{L}\p{N}_@-]|\.[\p{L}\p{N}])/u.test(behind))
      return true;
  }
  return false;
}

/** Whether a text names a page by its slug, or says some words, in any case and white space. */
export function isMentioned(text: string, words: string): boolean {
  const wanted = collapse(words).trim().toLowerCase();
  const [before, behind] = wanted.startsWith('/') ? SLUG_BOUNDS : WORD_BOUNDS;
  const said = collapse(text)
    .toLowerCase()
    .replace(/\.html?(?![\p{L}\p{N}])/gu, '');
  if (wanted === '') return false;
  for (let start = said.indexOf(wanted); start !== -1; start = said.indexOf(wanted, start + 1)) {
    const end = start + wanted.length;
    const isBound = start > 0 && before.test(said[start - 1]!);
    if (!isBound && !behind.test(said.slice(end, end + 2))) return true;
  }
  return false;
}

/** What continues words, and slugs, before and behind them. */
const WORD_BOUNDS = [/[\p{L}\p{N}_]/u, /^[\p{L}\p{N}_]/u] as const;
const SLUG_BOUNDS = [/[\p{L}\p{N}_./:-]/u, /^(?:[\p{L}\p{N}_/#-]|\.[\p{L}\p{N}])/u] as const;

const numbers = /[+\d(][\d\s().\-–/]{4,28}\d/g;
const LEAST_DIGITS = 6;
/** The most digits of a country code. */
const MOST_MORE = 3;

/** Whether a text names a telephone number, with or without its country code. */
export function isNumberNamed(text: string, digits: string): boolean {
  const own = digits.replace(/^0+/, '');
  return (text.match(numbers) ?? []).some((found) => {
    const shown = digitsOf(found).replace(/^0+/, '');
    const isNear = Math.abs(own.length - shown.length) <= MOST_MORE;
    return shown.length >= LEAST_DIGITS && isNear && (own.endsWith(shown) || shown.endsWith(own));
  });
}
