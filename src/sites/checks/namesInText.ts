import { domainToUnicode } from 'node:url';
import { collapseSpaces, digitsOf, isMailbox } from '../../text/text.ts';

/** Matches web addresses in a text that start with a scheme, `www.` or `//`. */
const webAddress = /(?:\bhttps?:[\\/]{1,9}|\bwww\.|(?<![:\w])[\\/]{2})[^\s"'<>\\/?#()[\]{},;|]+/gi;
const nameBreaks = /[\s"'<>()[\]{},;:|]+/;

/** The hosts of the web addresses in a text, normalized as browsers do. */
export function hostsInText(text: string): string[] {
  if (!/[:\\/]|www\./i.test(text)) return [];
  const hosts = (text.match(webAddress) ?? []).map((match) => hostOfAddress(match));
  return [...new Set(hosts.filter((host) => host !== undefined))];
}

function hostOfAddress(address: string): string | undefined {
  const authority = address.replace(/^(?:https?:)?[\\/]*/i, '').replace(/[.:!*_~]{1,9}$/, '');
  // oxlint-disable-next-line own/no-bare-url-parse -- in a thread, whose CPU time is limited
  const host = URL.parse(`https://${authority}`)?.host;
  return host?.includes('.') ? host : undefined;
}

/** The e-mail addresses in a text, in lower case. */
export function mailboxesInText(text: string): string[] {
  if (!text.includes('@')) return [];
  const words = text.split(nameBreaks).map((word) => word.replace(/[.!]{1,9}$/, ''));
  return [...new Set(words.filter(isMailbox).map((word) => word.toLowerCase()))];
}

/**
 * Whether a text names a host or an e-mail address, exactly: `a.example` does not name
 * `shop.a.example`, nor the reverse. Only `www.a.example` is the same as `a.example`.
 */
export function isHostNamed(text: string, name: string): boolean {
  const hostStart = name.lastIndexOf('@') + 1;
  const host = name.slice(hostStart);
  const bareHost = host.replace(/^www\./, '');
  const hosts = hostStart === 0 ? [host, bareHost, `www.${bareHost}`] : [host];
  const forms = new Set(
    hosts.flatMap((hostForm) =>
      [hostForm, domainToUnicode(hostForm)].map((form) => form && name.slice(0, hostStart) + form),
    ),
  );
  const lowerText = text.toLowerCase();
  return [...forms].some((form) => form !== '' && isWholeName(lowerText, form));
}

function isWholeName(text: string, name: string): boolean {
  for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + 1)) {
    const [textBefore, textBehind] = [
      text[start - 1] ?? ' ',
      text.slice(start + name.length, start + name.length + 2),
    ];
    if (
      !/[\p{L}\p{N}._+-]/u.test(textBefore) &&
      !/^(?:[\p{L}\p{N}_@-]|\.[\p{L}\p{N}])/u.test(textBehind)
    )
      return true;
  }
  return false;
}

/** Whether a text names a page by its slug, or says some words, in any case and white space. */
export function isMentioned(text: string, words: string): boolean {
  const phrase = collapseSpaces(words).trim().toLowerCase();
  const [boundBefore, boundBehind] = phrase.startsWith('/') ? SLUG_BOUNDS : WORD_BOUNDS;
  const plainText = collapseSpaces(text)
    .toLowerCase()
    .replace(/\.html?(?![\p{L}\p{N}])/gu, '');
  if (phrase === '') return false;
  for (
    let start = plainText.indexOf(phrase);
    start !== -1;
    start = plainText.indexOf(phrase, start + 1)
  ) {
    const end = start + phrase.length;
    const continuesBefore = start > 0 && boundBefore.test(plainText[start - 1]!);
    if (!continuesBefore && !boundBehind.test(plainText.slice(end, end + 2))) return true;
  }
  return false;
}

/** Characters that continue a word or a slug, before it and after it. */
const WORD_BOUNDS = [/[\p{L}\p{N}_]/u, /^[\p{L}\p{N}_]/u] as const;
const SLUG_BOUNDS = [/[\p{L}\p{N}_./:-]/u, /^(?:[\p{L}\p{N}_/#-]|\.[\p{L}\p{N}])/u] as const;

const phoneNumbers = /[+\d(][\d\s().\-–/]{4,28}\d/g;
const MIN_DIGITS = 6;
/** The most digits of a country code. */
const MAX_EXTRA_DIGITS = 3;

/** Whether a text names a telephone number, with or without its country code. */
export function isNumberNamed(text: string, digits: string): boolean {
  const wantedDigits = digits.replace(/^0+/, '');
  return (text.match(phoneNumbers) ?? []).some((match) => {
    const namedDigits = digitsOf(match).replace(/^0+/, '');
    const isNear = Math.abs(wantedDigits.length - namedDigits.length) <= MAX_EXTRA_DIGITS;
    return (
      namedDigits.length >= MIN_DIGITS &&
      isNear &&
      (wantedDigits.endsWith(namedDigits) || namedDigits.endsWith(wantedDigits))
    );
  });
}
