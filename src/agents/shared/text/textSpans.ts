import { normalizeText } from '../../../contract/normalizeText.ts';
import { parse } from 'tldts';
import { alikeMarks, allInvisible, isAscii } from './foldText.ts';
import { MAX_SEARCH_LENGTH } from './searchLimit.ts';

/** A span of a text: [from, to) in UTF-16 units. */
export interface TextSpan {
  from: number;
  to: number;
}

/** Patterns of addresses. `sign` occurs in every match, so texts without it need no search. */
const ADDRESS_PATTERNS: [sign: string, pattern: RegExp][] = [
  ['://', /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"”»]+/giu],
  [':', /\b(?:mailto|tel|sms):[^\s<>"”»]+/giu],
  [
    '@',
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  ],
  ['@', /(?<![\p{L}\p{N}_])@[\p{L}\p{N}_]+/gu],
  ['/', /(?<![\p{L}\p{N}./])\/[\p{L}\p{N}_~%-]+(?:[/.][\p{L}\p{N}_~%-]+)*/gu],
];
const HOST_PATTERN =
  /(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:][^\s<>"”»]*)?/gu;

/**
 * URLs, host names, paths, e-mail addresses and handles in a text. Their words are never replaced.
 */
export function findAddressSpans(text: string): TextSpan[] {
  const spans = ADDRESS_PATTERNS.flatMap(([sign, pattern]) =>
    text.includes(sign) ? matchSpans(text, pattern) : [],
  );
  if (!text.includes('.')) return spans;
  return [
    ...spans,
    ...matchSpans(text, HOST_PATTERN).filter((span) => isHostName(text.slice(span.from, span.to))),
  ];
}

const isHostName = (text: string) => {
  const host = text.split(/[/?#:]/)[0]!;
  return (
    /^www\./i.test(host) ||
    /\.(?:example|test|localhost|invalid)$/i.test(host) ||
    parse(host).isIcann === true
  );
};

/** Where a global pattern matches. */
export function matchSpans(text: string, pattern: RegExp): TextSpan[] {
  return [...text.matchAll(pattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
}

export const doSpansOverlap = (first: TextSpan, second: TextSpan): boolean =>
  first.from < second.to && second.from < first.to;

/**
 * Returns a function that finds the furthest end of all spans that begin before a position; 0 if
 * none does. A span covers the position if that end is greater. Binary search, since a text may
 * have very many spans.
 */
export function createFurthestEndFinder(spans: TextSpan[]): (position: number) => number {
  const sortedSpans = spans.toSorted((first, second) => first.from - second.from);
  const furthestEnds = [0];
  for (const { to } of sortedSpans) furthestEnds.push(Math.max(to, furthestEnds.at(-1)!));
  return (position) => {
    let [count, end] = [0, sortedSpans.length];
    while (count < end) {
      const middle = (count + end) >> 1;
      if (sortedSpans[middle]!.from < position) count = middle + 1;
      else end = middle;
    }
    return furthestEnds[count]!;
  };
}

/**
 * Finds `words` as whole words. A word consists of Unicode letters, digits and marks.
 * @param options.anyCase ignores letter case
 */
export function findWords(text: string, words: string, { anyCase = false } = {}): TextSpan[] {
  const trimmed = words.replace(allInvisible, '').trim();
  if (trimmed === '' || trimmed.length > MAX_SEARCH_LENGTH) return [];
  if (lacksFirstWord(text, trimmed, { anyCase })) return [];
  const writtenForms = [
    ...new Set([trimmed, normalizeText(trimmed, 'NFC'), normalizeText(trimmed, 'NFD')]),
  ];
  const [isBoundBefore, isBoundBehind] = [WORD_START.test(trimmed), WORD_END.test(trimmed)];
  const isHyphenated = text.search(allInvisible) >= 0;
  const pattern = new RegExp(
    writtenForms.map((form) => createWordsPattern(form, isHyphenated)).join('|'),
    anyCase ? 'giu' : 'gu',
  );
  const spans: TextSpan[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [from, to] = [match.index, pattern.lastIndex];
    const isWithin = isBoundBefore && WORD_END.test(text.slice(Math.max(0, from - 3), from));
    const isPart = isWithin || (isBoundBehind && WORD_CONTINUATION.test(text.slice(to, to + 3)));
    if (isPart)
      pattern.lastIndex = isWithin
        ? findWordEnd(text, from)
        : from + (text.codePointAt(from)! > 0xffff ? 2 : 1);
    else spans.push({ from, to });
  }
  return spans;
}

/**
 * The end of the word at a position. The search continues there, since no match begins inside a
 * word.
 */
function findWordEnd(text: string, from: number): number {
  WORD_BOUNDARY.lastIndex = from + 1;
  return WORD_BOUNDARY.exec(text)?.index ?? text.length;
}

/**
 * Word boundaries, kept outside of each search's pattern: compiling these character classes would
 * cost more than the search.
 */
const WORD_START = /^[\p{L}\p{N}_]/u;
const WORD_CONTINUATION = /^(?:[\p{L}\p{N}\p{M}_]|\u00AD[\p{L}\p{N}])/u;
const WORD_END = /[\p{L}\p{N}\p{M}_]\u00AD?$/u;
const WORD_BOUNDARY = /[^\p{L}\p{N}\p{M}_\u00AD]/gu;

/**
 * Whether a text certainly lacks the first of `words`. Tests ASCII texts only, for which this is
 * much faster than a search.
 */
function lacksFirstWord(text: string, words: string, { anyCase }: { anyCase: boolean }): boolean {
  const [firstWord] = words.split(/\s/, 1) as [string];
  if (!isAscii(text) || !isAscii(firstWord)) return false;
  return anyCase
    ? !text.toLowerCase().includes(firstWord.toLowerCase())
    : !text.includes(firstWord);
}

/** A pattern of words, in any white space and with any marks that look like theirs. */
const createWordsPattern = (words: string, isHyphenated: boolean) =>
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
export function replaceSpans(text: string, edits: (TextSpan & { text: string })[]): string {
  let result = '';
  let position = 0;
  for (const edit of edits.toSorted((first, second) => first.from - second.from)) {
    result += text.slice(position, edit.from) + edit.text;
    position = edit.to;
  }
  return result + text.slice(position);
}
