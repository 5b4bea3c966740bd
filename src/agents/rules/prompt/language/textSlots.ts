import { phrases, wordSet } from '../../../../text/wordLists.ts';
import { readDate, readEmail, readPhone, readSum } from './factReaders.ts';
import { isName, isProperName, isUnquotedText } from './nameLimits.ts';
import { readAs, type Reader, type Reading } from './reader.ts';
import { verbs } from './synonyms.ts';
import { isText, textAt, textOf, wordAt, type Token } from './tokens.ts';

const LONGEST_NAME = 6;
const LONGEST_LABEL = 8;
const LONGEST_PLACE = 12;
const LONGEST_THING = 10;
const MOST_PARTS = 6;

/** A text in quotes, or a name of the site. */
export const quote: Reader = (tokens, at) =>
  isText(tokens[at]) ? readAs(at + 1, textAt(tokens, at)) : [];

type Fits = (token: Token, next: Token | undefined, before: Token | undefined) => boolean;

/** Readings from a place on, one for each number of tokens, as long as the tokens fit. */
function growing(tokens: Token[], at: number, most: number, fits: Fits): Reading[] {
  if (isText(tokens[at])) return [];
  const found: Reading[] = [];
  for (let end = at + 1; end <= Math.min(at + most, tokens.length); end++) {
    if (!fits(tokens[end - 1]!, tokens[end], tokens[end - 2])) break;
    found.push({ end, value: textOf(tokens, at, end), loose: true });
  }
  return found.filter(({ end }) => end < tokens.length || !hasWordsCut(tokens));
}

/** Readings of a name without quotes. */
const naming = (tokens: Token[], at: number, most: number, fits: Fits): Reading[] =>
  growing(tokens, at, most, fits).filter(({ end }) => isName(tokens, at, end));

/** Whether words of thanks were cut off the end. They may belong to the text: `Me too`. */
const hasWordsCut = (tokens: Token[]) => /\p{L}/u.test(tokens.at(-1)?.cut ?? '');

/**
 * A text in quotes, or words that are all names or numbers. Other words may describe what to write.
 */
export const value: Reader = (tokens, at) => [
  ...quote(tokens, at),
  ...naming(
    tokens,
    at,
    LONGEST_NAME,
    ({ kind, text }) => kind === 'word' && /^[\p{Lu}\p{N}$€£+]/u.test(text),
  ),
];

const NO_NAME = wordSet('the a an this that all every each any both first second third last');

/** Words in any letter case that name something: `the pricing table`. */
export const words: Reader = (tokens, at) =>
  NO_NAME.has(wordAt(tokens, at))
    ? []
    : naming(
        tokens,
        at,
        LONGEST_NAME,
        ({ kind, text }) => kind === 'word' && /^[\p{L}\p{N}]/u.test(text),
      );

/** Words that begin a condition or a place. They are no part of a label. */
const ENDS_LABEL = wordSet(`
  but only except not instead for in on at until till with without as from by after before formerly
  previously when while if unless because so , (`);

const bareLabel: Reader = (tokens, at) =>
  /^[\p{Lu}\p{N}]/u.test(textAt(tokens, at))
    ? growing(tokens, at, LONGEST_LABEL, isPartOfLabel)
    : [];

/** A text in quotes, or a few words that begin with a capital letter: `Book a call`. */
export const label: Reader = (tokens, at) => [
  ...quote(tokens, at),
  ...bareLabel(tokens, at).filter(({ end }) => isUnquotedText(tokens, at, end)),
];

/** The subject of a new page, in quotes or not. Two subjects need quotes: a page is for one. */
export const subject: Reader = (tokens, at) => [
  ...quote(tokens, at),
  ...bareLabel(tokens, at).filter(
    ({ end }) =>
      isName(tokens, at, end) &&
      !tokens.slice(at, end).some(({ word }) => /^(?:and|&|\+|plus|und|et|y|e)$|[/,;]/.test(word)),
  ),
];

/** The name of a company, in quotes or not. */
export const title: Reader = (tokens, at) => [
  ...quote(tokens, at),
  ...bareLabel(tokens, at).filter(({ end }) => isProperName(tokens, at, end)),
];

/** The beginning of a remark about a name: `(before: Acme)`. */
const FORMER = /^\((?:before|formerly|previously|was|until|once|earlier)$/i;

/**
 * Phrases that contain one of the words in `ENDS_LABEL`, but belong to a label: `Get in touch`,
 * `Log in`, `Try it for free`.
 */
const IDIOMS = new Set(
  phrases(
    'in touch | log in | sign in | check in | drop in | come in | walk in | opt in | for free | ' +
      'ask for | call for | on us',
  ),
);

const isIdiom = (...words: (Token | undefined)[]) =>
  IDIOMS.has(words.map((token) => token?.word).join(' '));

const isPartOfLabel: Fits = (token, next, before) =>
  ['word', 'mark', 'name'].includes(token.kind) &&
  (!(ENDS_LABEL.has(token.text) || FORMER.test(token.text)) ||
    isIdiom(token, next) ||
    isIdiom(before, token)) &&
  !(token.text === 'and' && /^\p{Ll}/u.test(next?.text ?? ''));

/** Words that describe a text, and are not the text itself. */
const DESCRIBES =
  /^(?:be |sound |look )?(?:something|anything|whatever|better|nicer|more|less|shorter|longer|catchier|friendlier|bolder|a (?:more|better|shorter|longer|new|different)|the same|one that|match|upper ?case|lower ?case|sentence case|title case|bold|red|blue|green|bigger|smaller)\b/i;

/** Whether words without quotes describe a text, and are not the text itself. */
export const isDescription = (text: string): boolean => DESCRIBES.test(text);

/**
 * How a text begins: with a capital letter or a number. A description does not: `to mention our
 * team`.
 */
const BEGINS_TEXT = /^[^\p{L}\p{N}]*[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
/** Words that may end the text and begin another request. */
const MORE_WISHES =
  /, (?:and|but)\b|\b(?:as soon as|but (?:make|keep|leave)|for now|everywhere)\b/i;

/** Everything up to the end, or up to a place at the end. It may be in quotes. */
export const rest: Reader = (tokens, at) => {
  const found = quote(tokens, at);
  if (at >= tokens.length || tokens[at]!.kind === 'quote') return found;
  const whole = textOf(tokens, at) + (tokens.at(-1)!.cut ?? '');
  if (
    isDescription(whole) ||
    MORE_WISHES.test(whole) ||
    hasWordsCut(tokens) ||
    !BEGINS_TEXT.test(whole)
  )
    return found;
  for (let end = Math.max(at + 1, tokens.length - LONGEST_PLACE); end < tokens.length; end++)
    found.push({ end, value: textOf(tokens, at, end), loose: true });
  found.push({ end: tokens.length, value: whole, loose: true });
  return found.filter(({ end }) => isText(tokens[at]) || isUnquotedText(tokens, at, end));
};

/** Texts in a row: `"A", "B" and "C"`, `"A" with "B"`. */
export const texts: Reader = (tokens, at) => {
  const found: string[] = [];
  for (let end = at; isText(tokens[end]);) {
    found.push(textAt(tokens, end++));
    let next = end;
    if (/^[,:]$/.test(wordAt(tokens, next))) next++;
    if (/^(?:and|with)$/.test(wordAt(tokens, next))) next++;
    if (next === end || !isText(tokens[next])) return readAs(end, found);
    end = next;
  }
  return [];
};

/**
 * Names in a row without quotes, each capitalized: `Ann Lee, Head of Support`, `Ann Lee (Baker)`.
 */
export const parts: Reader = (tokens, at) => {
  const found: (Reading & { value: string[] })[] = [];
  let open = [{ end: at, value: [] as string[] }];
  for (let count = 1; count <= MOST_PARTS && open.length > 0; count++) {
    const longer = open.flatMap(({ end, value }) => {
      const start = count > 1 && wordAt(tokens, end) === ',' ? end + 1 : end;
      const isNext = count === 1 || start > end || textAt(tokens, end).startsWith('(');
      return isNext
        ? namesAt(tokens, start).map(([end, name]) => ({ end, value: [...value, name] }))
        : [];
    });
    open = [...new Map(longer.map((one) => [one.end, one])).values()];
    for (const one of open)
      if (count > 1 || isPersonName(one.value[0]!)) found.push({ ...one, loose: true });
  }
  return found;
};

const isPersonName = (text: string) => text.split(' ').every((word) => /^\p{Lu}/u.test(word));

/** At least two names in a row. */
export const several: Reader = (tokens, at) =>
  parts(tokens, at).filter(({ value }) => (value as string[]).length > 1);

/**
 * The names that may begin here, and where they end: in quotes, or words that begin with a capital.
 */
function namesAt(tokens: Token[], at: number): [end: number, name: string][] {
  if (isText(tokens[at])) return [[at + 1, textAt(tokens, at)]];
  if (!/^\(?[\p{Lu}\p{N}]/u.test(textAt(tokens, at))) return [];
  return naming(
    tokens,
    at,
    LONGEST_NAME,
    ({ kind, word }) => kind === 'word' && !NO_PART.has(word),
  ).map(({ end, value }) => [end, (value as string).replace(/^\((.*)\)$/, '$1')]);
}

const NO_PART = wordSet('to as on at from first last also again now back too both');

/** A literal text: in quotes, a date, an amount, an address, a number. */
export const given: Reader = (tokens, at) =>
  [quote, readDate, readEmail, readPhone, readSum].flatMap((read) => read(tokens, at));

/** The subject of a remark: one reading for each number of tokens. */
export const thing: Reader = (tokens, at) => {
  const most = tokens.slice(at, at + LONGEST_THING);
  const length = most.findIndex(
    ({ kind, word }) => kind === 'mark' || kind === 'line' || verbs.has(word),
  );
  return most
    .slice(0, length === -1 ? undefined : length)
    .map((_, i) => ({ end: at + i + 1, value: tokens.slice(at, at + i + 1), loose: true }));
};
