import { dayNames, daysAt } from '../../../../text/days.ts';
import { fold, foldWords } from '../../../text/fold.ts';
import { normalizeSlug } from '../../../../sites/pages/slug.ts';
import { closest } from '../../../tools/model/closestNames.ts';
import type { NameListing } from '../../../tools/listNames.ts';
import { isCalled, namingWords } from '../edits/namingWords.ts';
import { readEmail, readPercent, readPhone, readSum, readYear } from '../language/factReaders.ts';
import { isUnquotedText } from '../language/nameLimits.ts';
import type { Reader } from '../language/reader.ts';
import { readers } from '../language/slots.ts';
import { isDescription } from '../language/textSlots.ts';
import { textOf, type Token } from '../language/tokens.ts';
import { NEEDS_MODEL } from '../refusal.ts';
import { isVague, isVocabulary } from './vocabulary.ts';

type Pages = { slug: string; title: string }[];
type Name = NameListing[number];

export interface Site {
  pages: Pages;
  names: NameListing;
}

/** What a refused prompt names: things of the site, and new values. */
export interface FoundValues {
  /** Slugs of pages, in the prompt's order. */
  pages: string[];
  /** Slugs that no page has. */
  newSlugs: string[];
  /** Names of the site's things, in the prompt's order. */
  names: Name[];
  /** Texts in quotes, or behind `to`. They may be names too. */
  texts: string[];
  /** Those behind `to` and the like. */
  newTexts: string[];
  /** Texts behind `not` and the like. They are not in `texts`. */
  oldTexts: string[];
  /** Words in capitals, which may name something. */
  capitals: string[];
  /** What a copy is for. */
  subjects: string[];
  telephones: string[];
  emails: string[];
  amounts: string[];
  percents: string[];
  years: string[];
  days: string[];
  hours: string[];
  files: string[];
}

const MOST_NAMES = 2_000;
/** Slugs that an instruction can hold safely. */
const isPlainSlug = (slug: string) =>
  /^\/(?:[\p{L}\p{M}\p{N}/._~-]*[\p{L}\p{M}\p{N}])?$/u.test(slug);
/** Names that an instruction can hold safely. */
export const plainNames = (names: NameListing) => names.filter(isPlainName).slice(0, MOST_NAMES);

const isPlainName = ({ text }: Name) => /[\p{L}\p{N}]/u.test(text) && !/[\p{C}\\]/u.test(text);

/** Finds the values in a refused part of a prompt. */
export function valuesIn(tokens: Token[], { pages: all, names }: Site): FoundValues {
  const kept = withoutNegated(tokens);
  const pages = all.filter(({ slug }) => isPlainSlug(slug));
  const slugs = kept.flatMap((token) => slugIn(token) ?? []);
  const known = new Set(pages.map(({ slug }) => slug));
  const all_ = (read: Reader) => valuesBy(read, kept);
  const { days, rest } = daysIn(kept);
  const named = namesIn(withoutNew(kept), names);
  const quotes = quotesIn(kept);
  const bare = quotes.length > 0 || NEEDS_MODEL.test(textOf(kept)) ? null : bareTexts(kept);
  return {
    pages: [
      ...new Set([...slugs.filter((slug) => known.has(slug)), ...pagesNamed(kept, pages, named)]),
    ],
    newSlugs: slugs.filter((slug) => !known.has(slug) && isPlainSlug(slug)),
    names: named,
    texts: bare ? [...bare.oldTexts, ...bare.newTexts] : quotes,
    newTexts: bare?.newTexts ?? quotesIn(kept.filter((_, at) => isNew(kept, at))),
    oldTexts: bare?.oldTexts ?? quotesIn(tokens.filter((token) => !kept.includes(token))),
    capitals: capitalsIn(kept),
    subjects:
      quotes.length > 0 ? quotes : capitalsIn(behind(kept, /^(?:for|about|fur)$/)).slice(0, 1),
    telephones: all_(readPhone),
    emails: all_(readEmail),
    amounts: amountsIn(kept),
    percents: all_(readPercent),
    years: all_(readYear),
    days,
    hours: hoursIn(rest),
    files: all_(readers.file),
  };
}

const NEGATES = /^\(?(?:not|except|without|was|before|nicht|statt|anstatt|ausser)$/;
const ENDS_NEGATED = /^(?:on|in|at|from|auf|everywhere)$/;

/** Without what the prompt says it does not mean: `$5,200, not $4,800`. */
function withoutNegated(tokens: Token[]): Token[] {
  let isNegated = false;
  return tokens.filter(({ kind, word, text }, at) => {
    const next = tokens[at + 1]?.word;
    const isOther = (word === 'instead' || word === 'rather') && /^(?:of|than)$/.test(next ?? '');
    if (kind === 'mark' || kind === 'line' || ENDS_NEGATED.test(word)) isNegated = false;
    if (NEGATES.test(fold(text)) || isOther) isNegated = true;
    const isKept = !isNegated;
    if (kind === 'quote') isNegated = false;
    return isKept;
  });
}

const quotesIn = (tokens: Token[]) =>
  tokens.flatMap(({ kind, text }) => (kind === 'quote' ? [text] : []));

const TO = /^(?:to|into|say|says|read|reads|be|become|with|by|for|as|in|zu|auf|durch|mit|->|→|=>)$/;
/** Whether a text in quotes is a new one: `to "…"`. */
const isNew = (tokens: Token[], at: number) =>
  tokens[at]!.kind === 'quote' && at > 1 && TO.test(tokens[at - 1]!.word);

/** Without slugs and new texts. They are no names of the site. */
const withoutNew = (tokens: Token[]) =>
  tokens.filter(({ kind }, at) => kind !== 'slug' && !isNew(tokens, at));

/** The slug of a token: a slug, or an address of the site. */
function slugIn({ kind, text }: Token): string | undefined {
  const path = kind === 'slug' ? text : /^https?:\/\/[^/]+(\/.*)$/i.exec(text)?.[1];
  return path && normalizeSlug(path.replace(/[.,)]$/, ''));
}

const HOME = /\b(?:home ?page|landing page|front page|start ?seite)\b/;
const OF = /\b(?:on|of|from|in|to|at|for|auf|von|der|die|aus|the|our) $/;
const PAGE = /^ (?:page|seite)\b/;

/** Pages that are named by the end of their slug or the beginning of their title. */
function pagesNamed(tokens: Token[], pages: Pages, names: Name[]): string[] {
  const whole = foldWords(textOf(tokens.filter(({ kind }) => kind !== 'slug')));
  const longer = names.map(({ text }) => foldWords(text)).filter((name) => name.includes(' '));
  const said = longer.reduce((text, name) => text.replace(name, () => '-'), whole);
  const found = pages.flatMap(({ slug, title }) => {
    const names = [slug.split('/').at(-1)!, title, title.split(/ [|–—·-] |: /)[0]!].map(foldWords);
    const at = Math.max(...names.map((name) => pageAt(said, name)));
    return at >= 0 ? [{ slug, at }] : [];
  });
  const home = HOME.exec(said)?.index;
  if (home !== undefined && pages.some(({ slug }) => slug === '/'))
    found.push({ slug: '/', at: home });
  return found.sort((a, b) => a.at - b.at).map(({ slug }) => slug);
}

/** Where a page's name stands, behind a preposition or before the word `page`. -1 for nowhere. */
function pageAt(said: string, name: string): number {
  if (name.length < 3) return -1;
  const at = ` ${said} `.indexOf(` ${name} `);
  if (at === -1) return -1;
  const behind = ` ${said}`.slice(at + 1 + name.length);
  const isSure = name.includes(' ') || !isVocabulary(name);
  return isSure || PAGE.test(behind) || OF.test(` ${said}`.slice(0, at + 1)) ? at : -1;
}

/** Names of the site in a prompt. Of names that overlap, the longest one. */
function namesIn(tokens: Token[], names: NameListing): Name[] {
  const said = ` ${foldWords(textOf(tokens))} `;
  const source = textOf(tokens);
  const quotes = new Set(quotesIn(tokens));
  const found = names.flatMap((name) => {
    const own = foldWords(name.text);
    const at = own.length < 2 ? -1 : said.indexOf(` ${own} `);
    const isSure =
      own.includes(' ') ||
      quotes.has(name.text) ||
      source.indexOf(name.text) > 0 ||
      !isVocabulary(own);
    return at >= 0 && isSure ? [{ name, at, end: at + own.length }] : [];
  });
  return found
    .filter(
      (one) =>
        !found.some(
          (other) =>
            other.at <= one.at && other.end >= one.end && other.end - other.at > one.end - one.at,
        ),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

const LONGEST_RUN = 4;
/**
 * Names that a prompt describes by some of their words, or misspells in quotes: `the team part`.
 * The likeliest ones first.
 */
export function namesLike(tokens: Token[], names: NameListing): Name[] {
  const quotes = quotesIn(withoutNew(tokens));
  const words = tokens.flatMap(({ kind, text }) => (kind === 'word' ? namingWords(text) : []));
  const texts = [...new Set(names.map(({ text }) => text))];
  const near = [
    ...quotes.flatMap((quote) => calledLike(namingWords(quote), texts)),
    ...quotes.flatMap((quote) => closest(texts, quote).slice(0, 1)),
    ...calledLike(words, texts),
  ];
  return [...new Set(near)].flatMap((text) => names.filter((name) => name.text === text));
}

/** Names with several words of a text in a row, or, if there are none, with one of its words. */
function calledLike(words: string[], texts: string[]): string[] {
  for (let length = Math.min(LONGEST_RUN, words.length); length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length);
      if (run.some((word) => word.length < 3)) continue;
      if (length === 1 && (run[0]!.length < 4 || isVague(run[0]!))) continue;
      const found = texts.filter((text) => isCalled(run.join(' '), text));
      if (found.length > 0) return found;
    }
  return [];
}

const valuesBy = (read: Reader, tokens: Token[]): string[] => {
  const found: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const [reading] = tokens[at]!.kind === 'quote' ? [] : read(tokens, at);
    if (reading) found.push(String(reading.value));
    at = reading?.end ?? at + 1;
  }
  return found;
};

/** Amounts of money that are prices, not differences: `by $5`. */
function amountsIn(tokens: Token[]): string[] {
  const kept = tokens.filter(
    (_, at) => !/^(?:by|um)$/.test(tokens[at - 1]?.word ?? '') && tokens[at]!.kind !== 'quote',
  );
  return valuesBy(readSum, kept);
}

/** The days of the week that a prompt names, and its text behind them. */
function daysIn(tokens: Token[]): { days: string[]; rest: string } {
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.kind !== 'word' || tokens[at]!.word.length < 3) continue;
    const { days, rest } = daysAt(textOf(tokens, at));
    if (days.length === 0) continue;
    return { days: [dayNames(days)], rest: `${textOf(tokens, 0, at)} ${rest}` };
  }
  return { days: [], rest: textOf(tokens) };
}

const TIME = String.raw`\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\b\.?)?`;
const HOURS = new RegExp(
  `(?<![\\d:.])(${TIME})(?: ?uhr)? ?(?:-|–|to|till|until|bis) ?(${TIME})`,
  'i',
);
function hoursIn(text: string): string[] {
  const [, opens, closes] = HOURS.exec(text) ?? [];
  return opens === undefined ? [] : [`${opens} to ${closes}`];
}

/** The tokens behind the first word that fits. */
function behind(tokens: Token[], is: RegExp): Token[] {
  const at = tokens.findIndex(({ text }) => is.test(fold(text)));
  return at === -1 ? [] : tokens.slice(at + 1);
}

const isCommon = (word: string) => isVague(word) || isVocabulary(word);

/** Runs of words that begin with a capital, but for words such as `Please` and `Remove`. */
function capitalsIn(tokens: Token[]): string[] {
  const runs: Token[][] = [[]];
  for (const token of tokens) {
    const isPart =
      token.kind === 'word' && /^\p{Lu}/u.test(token.text) && !isCommon(fold(token.text));
    if (isPart) runs.at(-1)!.push(token);
    else runs.push([]);
  }
  return runs.filter(({ length }) => length > 0).map((run) => textOf(run));
}

const LONGEST_TEXT = 200;
const SAYS = /^(?:to|into|say|says|read|reads|zu)$/;
const WITH = /^(?:with|by|durch)$/;
const PLACE = /^(?:on|of|at|everywhere|auf)$/;

/**
 * Words in lower case that stand for another text, or tell what a text should do or be: `the one
 * on /about`, `mention our team`, `a question`.
 */
const REFERS =
  /^(?:(?:roughly|about|approximately|maybe|sort of|an?|one|two|three|four|five|the|that|this|its|their|his|her|my|our|those|these|it|them|what|whatever|how|whether|where|nothing|none|empty|blank|null|mention|match|include|reflect|sound|feel|look|fit|show|say|tell|explain|describe|use|have|contain|start|begin|end|avoid|highlight|stand|get|convey|start with|all|capitals?|small|title|lower|upper)\b)/;

/** Texts without quotes: behind `to`, or on both sides of `with`: `replace A with B`. */
function bareTexts(tokens: Token[]): { oldTexts: string[]; newTexts: string[] } {
  const isReplacing = /^(?:replace|substitute|ersetze)$/.test(tokens[0]?.word ?? '');
  const at = tokens.findIndex(({ word }) => (isReplacing ? WITH : SAYS).test(word));
  if (at === -1) return { oldTexts: [], newTexts: [] };
  const place = tokens.findLastIndex(({ word }, i) => i > at + 1 && PLACE.test(word));
  const end = place === -1 ? tokens.length : place;
  const behind = isUnquotedText(tokens, at + 1, end) ? textOf(tokens, at + 1, end) : '';
  const before = textOf(tokens, 1, at).replace(/^(?:the )?(?:words?|text|phrase) /i, '');
  const isText = (text: string) =>
    text !== '' &&
    text.length <= LONGEST_TEXT &&
    !/[/<>[\]{}]/.test(text) &&
    !/ in the (?:navigation|nav|navbar|menu|footer|header)$/i.test(text) &&
    !isDescription(text) &&
    !REFERS.test(text);
  return {
    oldTexts: [before].filter((text) => isReplacing && isText(text)),
    newTexts: [behind.replace(/^(?:say|read|be) /, '')].filter(isText),
  };
}
