import { normalizeText } from '../../contract/normalizeText.ts';
import { parse } from 'tldts';
import { alikeMarks, allInvisible, isAscii } from './fold.ts';
import { LONGEST } from './longestSearch.ts';

/** A span of a text: [from, to) in UTF-16 units. */
export interface Span {
  from: number;
  to: number;
}

/** Patterns of addresses. `sign` occurs in every match, so texts without it need no search. */
const ADDRESSES: [sign: string, pattern: RegExp][] = [
  ['://', /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"”»]+/giu],
  [':', /\b(?:mailto|tel|sms):[^\s<>"”»]+/giu],
  [
    '@',
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  ],
  ['@', /(?<![\p{L}\p{N}_])@[\p{L}\p{N}_]+/gu],
  ['/', /(?<![\p{L}\p{N}./])\/[\p{L}\p{N}_~%-]+(?:[/.][\p{L}\p{N}_~%-]+)*/gu],
];
const HOST = /(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:][^\s<>"”»]*)?/gu;

/**
 * URLs, host names, paths, e-mail addresses and handles in a text. Their words are never replaced.
 */
export function addressSpans(text: string): Span[] {
  const spans = ADDRESSES.flatMap(([sign, pattern]) =>
    text.includes(sign) ? spansOf(text, pattern) : [],
  );
  if (!text.includes('.')) return spans;
  return [
    ...spans,
    ...spansOf(text, HOST).filter((span) => isHost(text.slice(span.from, span.to))),
  ];
}

const isHost = (text: string) => {
  const host = text.split(/[/?#:]/)[0]!;
  return (
    /^www\./i.test(host) ||
    /\.(?:example|test|localhost|invalid)$/i.test(host) ||
    parse(host).isIcann === true
  );
};

/** Where a global pattern matches. */
export function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
}

export const overlaps = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to;

/**
 * Returns a function that finds the furthest end of all spans that begin before a position; 0 if
 * none does. A span covers the position if that end is greater. Binary search, since a text may
 * have very many spans.
 */
export function reachOf(spans: Span[]): (position: number) => number {
  const sorted = spans.toSorted((a, b) => a.from - b.from);
  const reach = [0];
  for (const { to } of sorted) reach.push(Math.max(to, reach.at(-1)!));
  return (position) => {
    let [count, end] = [0, sorted.length];
    while (count < end) {
      const middle = (count + end) >> 1;
      if (sorted[middle]!.from < position) count = middle + 1;
      else end = middle;
    }
    return reach[count]!;
  };
}

/**
 * Finds `words` as whole words. A word consists of Unicode letters, digits and marks.
 * @param options.anyCase ignores letter case
 */
export function findWords(text: string, words: string, { anyCase = false } = {}): Span[] {
  const trimmed = words.replace(allInvisible, '').trim();
  if (trimmed === '' || trimmed.length > LONGEST) return [];
  if (lacks(text, trimmed, { anyCase })) return [];
  const forms = [
    ...new Set([trimmed, normalizeText(trimmed, 'NFC'), normalizeText(trimmed, 'NFD')]),
  ];
  const [isBoundBefore, isBoundBehind] = [STARTS.test(trimmed), ENDS.test(trimmed)];
  const isHyphenated = text.search(allInvisible) >= 0;
  const pattern = new RegExp(
    forms.map((form) => wordsPattern(form, isHyphenated)).join('|'),
    anyCase ? 'giu' : 'gu',
  );
  const spans: Span[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [from, to] = [match.index, pattern.lastIndex];
    const isWithin = isBoundBefore && ENDS.test(text.slice(Math.max(0, from - 3), from));
    const isPart = isWithin || (isBoundBehind && CONTINUES.test(text.slice(to, to + 3)));
    if (isPart)
      pattern.lastIndex = isWithin
        ? endOfWord(text, from)
        : from + (text.codePointAt(from)! > 0xffff ? 2 : 1);
    else spans.push({ from, to });
  }
  return spans;
}

/**
 * The end of the word at a position. The search continues there, since no match begins inside a
 * word.
 */
function endOfWord(text: string, from: number): number {
  BOUND.lastIndex = from + 1;
  return BOUND.exec(text)?.index ?? text.length;
}

/**
 * Word boundaries, kept outside of each search's pattern: compiling these character classes would
 * cost more than the search.
 */
const STARTS = /^[\p{L}\p{N}_]/u;
const CONTINUES = /^(?:[\p{L}\p{N}\p{M}_]|\u00AD[\p{L}\p{N}])/u;
const ENDS = /[\p{L}\p{N}\p{M}_]\u00AD?$/u;
const BOUND = /[^\p{L}\p{N}\p{M}_\u00AD]/gu;

/**
 * Whether a text certainly lacks the first of `words`. Tests ASCII texts only, for which this is
 * much faster than a search.
 */
function lacks(text: string, words: string, { anyCase }: { anyCase: boolean }): boolean {
  const [first] = words.split(/\s/, 1) as [string];
  if (!isAscii(text) || !isAscii(first)) return false;
  return anyCase ? !text.toLowerCase().includes(first.toLowerCase()) : !text.includes(first);
}

/** A pattern of words, in any white space and with any marks that look like theirs. */
const wordsPattern = (words: string, isHyphenated: boolean) =>
  words
    .replaceAll('...', '…')
    .split(/\s+/)
    .map((word) =>
      Array.from(word, markPattern).join(isHyphenated ? '[\\u00AD\\u200B\\u2060]*' : ''),
    )
    .join('\\s+');

function markPattern(character: string): string {
  if (character === '…') return '(?:…|\\.{3})';
  const alike = alikeMarks.find((marks) => marks.includes(character));
  return alike ? `[${escapeRegExp(alike)}]` : escapeRegExp(character);
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Replaces spans of a text. The spans must not overlap. */
export function replaceSpans(text: string, edits: (Span & { text: string })[]): string {
  let result = '';
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(from, edit.from) + edit.text;
    from = edit.to;
  }
  return result + text.slice(from);
}
