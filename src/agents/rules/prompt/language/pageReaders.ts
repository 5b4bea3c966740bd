import { normalizeSlug } from '../../../../sites/pages/slug.ts';
import { phrases, wordSet } from '../../../../text/wordLists.ts';
import type { PageName } from '../instructions.ts';
import { readDays } from './factReaders.ts';
import { isName } from './nameLimits.ts';
import { readAs, says, type Reader, type Reading } from './reader.ts';
import { textOf, type Token, wordAt } from './tokens.ts';

const HOME = /^(?:home ?page|home|(?:front|start|index|root|main) page|index|root)$/iu;
const HOMES = phrases(
  'home page | front page | start page | index page | root page | main page | homepage | home | ' +
    'index | root',
).map((phrase) => phrase.split(' '));
const ARTICLES = wordSet('the our my');
const CALLED = wordSet('called titled named at');
const WORD = /^[\p{L}\p{N}&][\p{L}\p{M}\p{N}'’&-]*$/u;
/** A slug without a slash at its beginning: `examples/landing`. Not `24/7` or `and/or`. */
const BARE_SLUG =
  /^(?!(?:and|or|he|she|his|her|yes|no|on|off|n|w|a|b)\/)[a-z][\w-]*(?:\/[a-z][\w.-]*)+$/iu;
const NO_NAME = wordSet(`
  we i you they but except not only keep it its this that these those them all every each any
  everything the a an page pages old new other first second last and from to navigation menu footer
  nav`);
/**
 * Whether a name without quotes ends here, because another place follows: `the free plan on the
 * pricing page`.
 */
const endsName = (tokens: Token[], at: number) =>
  ['from', 'off'].includes(tokens[at]!.word) ||
  (['on', 'in', 'at', 'to'].includes(tokens[at]!.word) &&
    (ARTICLES.has(wordAt(tokens, at + 1)) || tokens[at + 1]?.kind === 'slug'));
const ENDS_NAME = wordSet('and is are was it should');
const LONGEST_NAME = 8;
const MOST_PAGES = 50;

const PAGE_WORDS = wordSet('page pages post article');
const isPageWord = (token: Token | undefined) => PAGE_WORDS.has(token?.word ?? '');
const behindArticle = (tokens: Token[], at: number) =>
  ARTICLES.has(wordAt(tokens, at)) ? at + 1 : at;
const named = (text: string): PageName =>
  text.startsWith('/')
    ? { slug: normalizeSlug(text) }
    : HOME.test(text)
      ? { slug: '/' }
      : { title: text };

/**
 * Reads a page's name: a slug, a title with or without quotes, or the home page. A title with
 * neither quotes nor the word `page` is a loose reading.
 */
export const readPage: Reader = (tokens, start) => {
  let at = behindArticle(tokens, start);
  if (tokens[at]?.word === 'blog' && /^(?:post|article)$/.test(wordAt(tokens, at + 1))) at++;
  const home = HOMES.find((words) => says(tokens, at, words));
  if (home) return readAs(at + home.length, { slug: '/' });
  const isCalled = isPageWord(tokens[at]) && !isPageWord(tokens[at + 1]);
  if (isCalled) at += CALLED.has(wordAt(tokens, at + 1)) ? 2 : 1;
  const { kind, text = '' } = tokens[at] ?? {};
  if (kind === 'slug') return readAs(at + 1, named(text));
  const end = at + (isPageWord(tokens[at + 1]) ? 2 : 1);
  if (kind === 'word' && BARE_SLUG.test(text))
    return [{ end, value: named(`/${text}`), loose: !isCalled }];
  if (kind === 'quote' || kind === 'name') return readAs(end, named(text));
  return [...wordsAt(tokens, at, isCalled)];
};

function* wordsAt(tokens: Token[], at: number, isCalled: boolean): Generator<Reading> {
  if (NO_NAME.has(wordAt(tokens, at)) || LOOKS.has(wordAt(tokens, at))) return;
  for (let length = 1; length <= LONGEST_NAME; length++) {
    const token = tokens[at + length - 1];
    if (length > 1 && isPageWord(token)) return;
    const isPart = token?.kind === 'word' && WORD.test(token.text) && !ENDS_NAME.has(token.word);
    if (
      (!isPart && token?.word !== "'s" && token?.word !== '-') ||
      (!isCalled && endsName(tokens, at + length - 1))
    )
      return;
    if (!isPart || !isName(tokens, at, at + length) || isDay(tokens, at, at + length)) continue;
    const value = named(textOf(tokens, at, at + length));
    if (isPageWord(tokens[at + length])) yield { end: at + length + 1, value };
    if (!isPageWord(token)) yield { end: at + length, value, loose: !isCalled };
  }
}

const isDay = (tokens: Token[], start: number, end: number) =>
  readDays(tokens, start).some((reading) => reading.end === end);

/** Words that tell how something should look: `in blue`. */
const LOOKS = wordSet(`
  bold italic italics capitals caps colour color red blue green black white grey gray yellow orange
  purple pink brown`);

/** The index behind `, and`, `and` or `,`. null if none of them is here. */
function endOfComma(tokens: Token[], at: number): number | null {
  const comma = tokens[at]?.word === ',' ? 1 : 0;
  const and = tokens[at + comma]?.word === 'and' ? 1 : 0;
  return comma + and === 0 ? null : at + comma + and;
}

/** Pages in a row: `/a, the pricing page and "About us"`. */
export const readPages: Reader = (tokens, at) => listOf(tokens, at, readPage);

function listOf(tokens: Token[], start: number, read: Reader): Reading[] {
  const found = new Map<number, Reading>();
  const open = read(tokens, start).map((reading) => ({ ...reading, value: [reading.value] }));
  for (let reading = open.shift(); reading; reading = open.shift()) {
    if (found.has(reading.end)) continue;
    found.set(reading.end, reading);
    const next = endOfComma(tokens, reading.end);
    if (next === null || reading.value.length === MOST_PAGES) continue;
    const { value, loose = false } = reading;
    for (const more of read(tokens, next))
      open.push({
        end: more.end,
        value: [...value, more.value],
        loose: loose || (more.loose ?? false),
      });
  }
  return [...found.values()];
}

/**
 * Pages to delete: slugs, the home page, and names with the word `page`. Any other name may be a
 * text to remove from a page.
 */
export const readDeleted: Reader = (tokens, at) => {
  const start = behindArticle(tokens, at);
  const arePages =
    tokens[start]?.word === 'pages' || tokens.some(({ word }, i) => i > start && word === 'pages');
  return listOf(tokens, start, (all, from) => deletedAt(all, from, arePages));
};

function deletedAt(tokens: Token[], start: number, arePages: boolean): Reading[] {
  const at = behindArticle(tokens, start);
  if (tokens[at]?.word === 'home' && tokens[at + 1]?.word !== 'page') return [];
  return readPage(tokens, at).filter(
    ({ end }) =>
      arePages ||
      tokens[at]?.kind === 'slug' ||
      tokens.slice(at, end).some((token) => isPageWord(token) || token.word === 'homepage'),
  );
}
