import type { Proposed } from '../../port.ts';
import { fold } from '../../text/fold.ts';
import { upperFirst } from '../../text/letterCase.ts';
import { closest } from '../../tools/model/closestNames.ts';
import { isKnown, knownWords } from './language/synonyms.ts';
import { type Token, tokensOf } from './language/tokens.ts';
import type { Site } from './suggestions/foundValues.ts';
import { isVocabulary } from './suggestions/vocabulary.ts';

const BLANK = '"…"';
const SAMPLE = '"Words of your own"';
const proposed = (text: string): Proposed => ({ text, tried: text.replaceAll(BLANK, SAMPLE) });

const MOST_TOKENS = 200;
const MOST_COMPARED = 2_000;

const MOST_SLUGS = 5;

/**
 * Corrects possible misspellings in an instruction: first words of the language and slugs, then
 * also a name in quotes.
 * @returns an empty list if nothing looks misspelled
 */
export function repaired(text: string, site: Site): Proposed[] {
  const tokens = tokensOf(text)?.slice(0, MOST_TOKENS) ?? [];
  const nearSlug = nearSlugIn(site.pages);
  const fixedWord = wordFixer(site);
  const fixed = (token: Token) => (token.kind === 'slug' ? nearSlug(token.text) : fixedWord(token));
  const words = rewritten(text, tokens, fixed);
  const texts = [...new Set(site.names.slice(0, MOST_COMPARED).map((name) => name.text))];
  const known = new Set(texts.map(fold));
  const misnamed = tokens.find((token) => token.kind === 'quote' && !known.has(fold(token.text)));
  const name = misnamed && closest(texts, misnamed.text)[0];
  const fixedName = (token: Token) =>
    token === misnamed && name !== undefined ? `"${name}"` : fixed(token);
  const repairs = new Set([words, rewritten(text, tokens, fixedName)]);
  repairs.delete(text);
  return [...repairs].map(proposed);
}

/**
 * Corrects words of the language whose letters are in the wrong order. Other slips may be words of
 * their own: `most` and `cost`.
 */
export function withWordsRepaired(text: string, site: Site): string {
  const tokens = tokensOf(text)?.slice(0, MOST_TOKENS) ?? [];
  const fixed = wordFixer(site);
  return rewritten(text, tokens, (token) => {
    const word = token.word === 'form' ? undefined : fixed(token);
    return word !== undefined && lettersOf(word) === lettersOf(token.word) ? word : undefined;
  });
}

/** The same for all orders of a word's letters. */
export const lettersOf = (word: string): string => [...word].sort().join('');

function wordFixer({ pages, names }: Site): (token: Token) => string | undefined {
  const siteWords = wordsOf([
    ...pages.map(({ title }) => title),
    ...names.map((name) => name.text),
  ]);
  return ({ kind, word }) =>
    kind !== 'word' || isKnown(word) || isVocabulary(word) || siteWords.has(word)
      ? undefined
      : nearWord(word);
}

/** Returns a function that finds the slug nearest to one that no page has. */
function nearSlugIn(pages: Site['pages']): (slug: string) => string | undefined {
  const slugs = pages.map(({ slug }) => slug);
  const known = new Map<string, string | undefined>(slugs.map((slug) => [slug, undefined]));
  let left = MOST_SLUGS;
  return (slug) => {
    if (!known.has(slug) && left-- > 0)
      known.set(slug, closest(slugs.slice(0, MOST_COMPARED), slug)[0]);
    return known.get(slug);
  };
}

function rewritten(
  text: string,
  tokens: Token[],
  fixed: (token: Token) => string | undefined,
): string {
  let [result, at] = ['', 0];
  for (const token of tokens) {
    const instead = fixed(token);
    if (instead === undefined) continue;
    result += text.slice(at, token.start) + inCaseOf(text.slice(token.start, token.end), instead);
    at = token.end;
  }
  return result + text.slice(at);
}

const inCaseOf = (old: string, text: string) => (/^\p{Lu}/u.test(old) ? upperFirst(text) : text);

const wordsOf = (texts: string[]) =>
  new Set(texts.flatMap((text) => fold(text).split(/[^\p{L}\p{N}]+/u)));

const SHORTEST = 4;

/**
 * The word of the language that differs by one typo: a letter is added or missing, or two are
 * swapped. A word with another letter may be a word of its own: `lines` and `links`.
 */
function nearWord(word: string): string | undefined {
  if (word.length < SHORTEST || !/^[a-z]+$/.test(word)) return undefined;
  return knownWords.find((known) => known.length >= SHORTEST && isSlip(word, known));
}

function isSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    (restA.slice(1) === restB && restA !== 's') ||
    (restA === restB.slice(1) && restB !== 's') ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
