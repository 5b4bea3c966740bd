import { phrases, wordSet } from '../../../../text/wordLists.ts';
import { fieldOf, type PageName, type PriceUnit } from '../instructions.ts';
import {
  readAmount,
  readDate,
  readDays,
  readEmail,
  readPercent,
  readPhone,
  readSum,
  readYear,
} from './factReaders.ts';
import { readDeleted, readPage, readPages } from './pageReaders.ts';
import { readAs, says, type Reader, type Reading } from './reader.ts';
import { textOf, type Token } from './tokens.ts';
import { synonyms, verbs, type SynonymName } from './synonyms.ts';

const isText = (token: Token | undefined) => token?.kind === 'quote' || token?.kind === 'name';
const LONGEST_VALUE = 6;
const LONGEST_LABEL = 8;
const LONGEST_PLACE = 12;

/** A text in quotes, or a name of the site. */
const quote: Reader = (tokens, at) => (isText(tokens[at]) ? readAs(at + 1, tokens[at]!.text) : []);

/**
 * The same, or words that all are names or numbers: any other words may be a description of what is
 * wanted.
 */
const value: Reader = (tokens, at) => [
  ...quote(tokens, at),
  ...growing(
    tokens,
    at,
    LONGEST_VALUE,
    ({ kind, text }) => kind === 'word' && /^[\p{Lu}\p{N}$€£+]/u.test(text),
  ),
];

/** Behind them stands a condition or a place, which is no part of a name. */
const ENDS_LABEL = wordSet(`
  but only except not instead for in on at until till with without as from by after before formerly
  previously when while if unless because so , (`);

/** The same, or a few words of which the first one is a name: `Book a call`. */
const label: Reader = (tokens, at) => [
  ...quote(tokens, at),
  ...(/^[\p{Lu}\p{N}]/u.test(tokens[at]?.text ?? '')
    ? growing(tokens, at, LONGEST_LABEL, isPartOfLabel)
    : []),
];

/** `(before: Acme)` is said of a name. */
const FORMER = /^\((?:before|formerly|previously|was|until|once|earlier)$/i;

/**
 * Such words belong to a label by the word beside them: `Get in touch`, `Log in`, `Try it for
 * free`.
 */
const IDIOMS = new Set(
  phrases(
    'in touch | log in | sign in | check in | drop in | come in | walk in | opt in | for free | ' +
      'ask for | call for | on us',
  ),
);

const isIdiom = (...words: (Token | undefined)[]) =>
  IDIOMS.has(words.map((token) => token?.word).join(' '));

const isPartOfLabel = (token: Token, next: Token | undefined, before: Token | undefined) =>
  (token.kind === 'word' || token.kind === 'mark' || token.kind === 'name') &&
  (!(ENDS_LABEL.has(token.text) || FORMER.test(token.text)) ||
    isIdiom(token, next) ||
    isIdiom(before, token)) &&
  !(token.text === 'and' && /^\p{Ll}/u.test(next?.text ?? ''));

function growing(
  tokens: Token[],
  at: number,
  most: number,
  fits: (token: Token, next: Token | undefined, before: Token | undefined) => boolean,
): Reading[] {
  const found: Reading[] = [];
  const ends = (length: number) => {
    const [before, token, next] = [-1, 0, 1].map((i) => tokens[at + length + i]);
    return !token || !fits(token, next, before);
  };
  for (let length = 1; length <= most && !ends(length - 1); length++)
    found.push({ end: at + length, value: textOf(tokens, at, length), loose: true });
  return isText(tokens[at])
    ? []
    : found.filter(({ end }) => end < tokens.length || !hasWordsCut(tokens));
}

/** `Me too`: is the last word the text's, or a kindness? Only quotes tell. */
const hasWordsCut = (tokens: Token[]) => /\p{L}/u.test(tokens.at(-1)?.cut ?? '');

/** Words that say what a text should be like, not what it should say. */
const DESCRIBES =
  /^(?:be |sound |look )?(?:something|anything|whatever|better|nicer|more|less|shorter|longer|catchier|friendlier|bolder|a (?:more|better|shorter|longer|new|different)|the same|one that|match|upper ?case|lower ?case|sentence case|title case|bold|red|blue|green|bigger|smaller)\b/i;

/** A text to write begins so, and its description does not: `to mention our team`. */
const BEGINS_TEXT = /^[^\p{L}\p{N}]*[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
/** They may end the text: then a wish for something else follows. */
const MORE_WISHES =
  /, (?:and|but)\b|\b(?:instead of|as soon as|except|but (?:not|only|make|keep|leave|don't|without)|for now|everywhere)\b/i;

/**
 * Everything up to the end, or to a place that stands there. Quotes around all of it are none of
 * it.
 */
const rest: Reader = (tokens, at) => {
  if (at >= tokens.length || tokens[at]!.kind === 'quote') return quote(tokens, at);
  const cut = tokens.at(-1)!.cut ?? '';
  const whole = textOf(tokens, at, tokens.length - at) + cut;
  const found = quote(tokens, at);
  if (
    hasWordsCut(tokens) ||
    DESCRIBES.test(whole) ||
    MORE_WISHES.test(whole) ||
    !BEGINS_TEXT.test(whole)
  )
    return found;
  for (let end = Math.max(at + 1, tokens.length - LONGEST_PLACE); end < tokens.length; end++)
    found.push({ end, value: textOf(tokens, at, end - at), loose: true });
  return [...found, { end: tokens.length, value: whole, loose: true }];
};

const NO_NAME = wordSet('the a an this that all every each any both first second third last');

/** Words of any case that name something: `the pricing table`. */
const words: Reader = (tokens, at) =>
  NO_NAME.has(tokens[at]?.word ?? '')
    ? []
    : growing(
        tokens,
        at,
        LONGEST_VALUE,
        ({ kind, text }) => kind === 'word' && /^[\p{L}\p{N}]/u.test(text),
      );

/** `9 to 5`, `9 am – 5 pm`, `10:00-18:00`, in quotes or not. */
const hours: Reader = (tokens, at) => {
  if (tokens[at]?.kind === 'quote') return quote(tokens, at);
  let length = 0;
  while (length < LONGEST_VALUE + 2 && isPartOfHours(tokens[at + length])) length++;
  const text = textOf(tokens, at, length);
  return /\d.*\d/.test(text) ? readAs(at + length, text) : [];
};

/** One time of a day: `4 pm`, `16:30`, `noon`. */
const time: Reader = (tokens, at) => {
  const text = tokens[at]?.text ?? '';
  if (/^(?:\d{1,2}(?:[:.]\d{2})?[ap]\.?m\.?|\d{1,2}[:.]\d{2}|noon|midnight)$/i.test(text))
    return readAs(at + 1, text);
  if (!/^\d{1,2}(?:[:.]\d{2})?$/.test(text)) return [];
  const half = /^[ap]\.?m\.?$/i.exec(tokens[at + 1]?.text ?? '')?.[0];
  return half === undefined ? readAs(at + 1, text) : readAs(at + 2, `${text} ${half}`);
};

const isPartOfHours = (token: Token | undefined) =>
  token !== undefined &&
  token.kind !== 'quote' &&
  /^(?:[\d:.]{1,5}(?:[ap]\.?m\.?)?(?:[-–][\d:.]{1,5}(?:[ap]\.?m\.?)?)?|[ap]\.?m\.?|to|until|till|-|–|and|noon|midnight|o'clock)$/i.test(
    token.text,
  );

const slug: Reader = (tokens, at) => {
  const token = tokens[at];
  const isSlug = token?.kind === 'slug' || (token?.kind === 'quote' && token.text.startsWith('/'));
  return isSlug ? readAs(at + 1, token.text) : [];
};

/** Where a link leads, or what it says. */
export interface Target {
  quoted?: string;
  address?: string;
  page?: PageName;
}

const target: Reader = (tokens, at) => {
  const { kind, text } = tokens[at] ?? {};
  if (kind === 'quote') return readAs(at + 1, { quoted: text });
  if (kind === 'slug' || kind === 'address') return readAs(at + 1, { address: text });
  const email = readEmail(tokens, at).flatMap(({ end, value }) =>
    readAs(end, { address: `mailto:${String(value)}` }),
  );
  const pages = readPage(tokens, at).filter(
    ({ end, loose }) => !loose && !tokens.slice(at, end).some(({ word }) => word === 'on'),
  );
  return [...email, ...pages.flatMap(({ end, value }) => readAs(end, { page: value }))];
};

const file: Reader = (tokens, at) =>
  readAs(at + 1, /^.+\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i.exec(tokens[at]?.text ?? '')?.[0]);

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** Which one of several: from 1, -1 for the last one. */
const position: Reader = (tokens, at) => {
  const { word = '', text = '' } = tokens[at] ?? {};
  if (word === 'number') return position(tokens, at + 1);
  if (word === 'last' || word === 'bottom') return readAs(at + 1, -1);
  if (word === 'top') return readAs(at + 1, 1);
  const [, number] = /^#?(\d{1,3})(?:st|nd|rd|th)?$/.exec(text) ?? [];
  return readAs(at + 1, number === undefined ? ordinals.indexOf(word) + 1 || null : Number(number));
};

/** An end of a page: `top`, `bottom`. */
const end: Reader = (tokens, at) => {
  const word = /^(?:(top|start|beginning)|bottom|end)$/.exec(tokens[at]?.word ?? '');
  return readAs(at + 1, word && (word[1] ? 'first' : 'last'));
};

/** Texts in a row: `"A", "B" and "C"`, `"A" with "B"`. */
const texts: Reader = (tokens, at) => {
  const found: string[] = [];
  for (let i = at; isText(tokens[i]);) {
    found.push(tokens[i]!.text);
    let next = i + 1;
    if (tokens[next]?.word === ',' || tokens[next]?.word === ':') next++;
    if (['and', 'with'].includes(tokens[next]?.word ?? '')) next++;
    if (next === i + 1 || !isText(tokens[next])) return readAs(i + 1, found);
    i = next;
  }
  return [];
};

/**
 * Names in a row without quotes: `Ann Lee, Head of Support`, `Ann Lee (Baker)`. Each one begins as
 * names do.
 */
const parts: Reader = (tokens, at) => {
  const found: Reading[] = [];
  let open: { end: number; texts: string[] }[] = [{ end: at, texts: [] }];
  for (let count = 0; count < MOST_PARTS && open.length > 0; count++) {
    open = open.flatMap(({ end, texts }) => {
      const start = tokens[end]?.word === ',' && texts.length > 0 ? end + 1 : end;
      const isNext = texts.length === 0 || start > end || (tokens[end]?.text ?? '').startsWith('(');
      return isNext
        ? namesAt(tokens, start).map(({ end, value }) => ({ end, texts: [...texts, value] }))
        : [];
    });
    open = [...new Map(open.map((one) => [one.end, one])).values()];
    found.push(
      ...open.flatMap(({ end, texts }) =>
        count > 0 || isName(texts[0]!) ? [{ end, value: texts, loose: true }] : [],
      ),
    );
  }
  return found;
};
const isName = (text: string) => text.split(' ').every((word) => /^\p{Lu}/u.test(word));

/** At least two of them. */
const several: Reader = (tokens, at) =>
  parts(tokens, at).filter(({ value }) => (value as string[]).length > 1);

const MOST_PARTS = 6;
const LONGEST_PART = 6;

/** A name at a place: in quotes, or words of which the first is written large. */
function namesAt(tokens: Token[], at: number): { end: number; value: string }[] {
  if (isText(tokens[at])) return [{ end: at + 1, value: tokens[at]!.text }];
  if (!/^\(?[\p{Lu}\p{N}]/u.test(tokens[at]?.text ?? '')) return [];
  return growing(tokens, at, LONGEST_PART, isPartOfName).map(({ end, value }) => ({
    end,
    value: withoutBrackets(String(value)),
  }));
}

const NO_PART = wordSet('to as on at from first last also again now back too both');
const isPartOfName = ({ kind, word }: Token) => kind === 'word' && !NO_PART.has(word);
const withoutBrackets = (text: string) => (/^\(.*\)$/.test(text) ? text.slice(1, -1) : text);

/** A text that is given as it stands: in quotes, a date, an amount, an address, a number. */
const given: Reader = (tokens, at) => [
  ...quote(tokens, at),
  ...[readDate, readEmail, readPhone, readSum].flatMap((read) => read(tokens, at)),
];

/** One of the synonyms of a name, as it is written. */
const oneOf = (
  name: SynonymName,
  read: (phrase: string) => unknown = (phrase) => phrase,
): Reader => {
  const choices = synonyms[name].map((phrase) => ({
    value: read(phrase),
    words: phrase.split(' '),
  }));
  return (tokens, at) =>
    choices
      .filter(({ words }) => says(tokens, at, words))
      .map(({ value, words }) => ({ end: at + words.length, value }));
};

const everywhere = oneOf('EVERYWHERE', () => 'everywhere');

const placeBy =
  (prepositions: string[]): Reader =>
  (tokens, at) => [
    ...everywhere(tokens, at),
    ...(prepositions.includes(tokens[at]?.word ?? '') ? readPages(tokens, at + 1) : []),
  ];

/** What a remark speaks of, as it is written. */
const thing: Reader = (tokens, at) => {
  const found: Reading[] = [];
  for (let length = 1; length <= LONGEST_THING && isPartOfThing(tokens[at + length - 1]); length++)
    found.push({ end: at + length, value: tokens.slice(at, at + length), loose: true });
  return found;
};
const LONGEST_THING = 10;
const isPartOfThing = (token: Token | undefined) =>
  token !== undefined && token.kind !== 'mark' && token.kind !== 'line' && !verbs.has(token.word);

/** What a time is of. */
const edgeOf: Reader = (tokens, at) => {
  const word = /^(?:(open)s?|closes?|until|till)$/.exec(tokens[at]?.word ?? '');
  return readAs(at + 1, word && (word[1] ? 'opens' : 'closes'));
};

const UNITS: PriceUnit[] = ['month', 'year', 'week', 'day', 'hour', 'person'];
const unitOf = (phrase: string): PriceUnit =>
  UNITS.find((unit) => phrase.includes(unit)) ??
  (phrase === 'daily' ? 'day' : phrase === 'annually' ? 'year' : 'person');

/** All that is left. */
const tail: Reader = (tokens, at) =>
  at < tokens.length ? readAs(tokens.length, tokens.slice(at)) : [];

export const readers = {
  tail,
  quote,
  value,
  label,
  rest,
  words,
  hours,
  slug,
  target,
  file,
  position,
  texts,
  place: placeBy(synonyms.OF),
  from: placeBy(synonyms.IN),
  into: placeBy([...synonyms.OF, 'to', 'into']),
  off: placeBy(['off', 'from']),
  parts,
  several,
  given,
  time,
  page: readPage,
  deleted: readDeleted,
  field: oneOf('FIELD', fieldOf),
  element: oneOf('ELEMENT', (phrase) => phrase.replace(/s$/, '')),
  label_: oneOf('LABEL'),
  all: oneOf('ALL'),
  target_: oneOf('TARGET'),
  part: oneOf('PART'),
  where: oneOf('WHERE'),
  item: oneOf('ITEM'),
  item_: (tokens, at) => [...oneOf('ITEM')(tokens, at), ...oneOf('ITEMS')(tokens, at)],
  items: oneOf('ITEMS'),
  group: oneOf('GROUP'),
  amount: readAmount,
  sum: readSum,
  percent: readPercent,
  per: oneOf('PER', unitOf),
  phone: readPhone,
  email: readEmail,
  year: readYear,
  days: readDays,
  edge: edgeOf,
  end,
  thing,
} satisfies Record<string, Reader>;

export type SlotType = keyof typeof readers;
