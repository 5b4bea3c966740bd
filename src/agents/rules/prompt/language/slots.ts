import { fieldOf, type PageName, type PriceUnit } from '../instructions.ts';
import {
  readAmount,
  readDays,
  readEmail,
  readPercent,
  readPhone,
  readSum,
  readYear,
} from './factReaders.ts';
import { readDeleted, readPage, readPages } from './pageReaders.ts';
import { readAs, says, type Reader, type Reading } from './reader.ts';
import { synonyms, type SynonymName } from './synonyms.ts';
import {
  given,
  label,
  parts,
  quote,
  rest,
  several,
  subject,
  texts,
  thing,
  title,
  value,
  words,
} from './textSlots.ts';
import { textAt, textOf, wordAt, type Token } from './tokens.ts';

const LONGEST_HOURS = 8;

/** Opening hours, in quotes or not: `9 to 5`, `9 am – 5 pm`, `10:00-18:00`. */
const hours: Reader = (tokens, at) => {
  if (tokens[at]?.kind === 'quote')
    return quote(tokens, at).filter(({ value }) => HOURS.test(String(value)));
  let length = 0;
  while (length < LONGEST_HOURS && isPartOfHours(tokens[at + length])) length++;
  const text = textOf(tokens, at, at + length);
  return HOURS.test(text) ? readAs(at + length, text) : [];
};
const HOURS = /\d.*\d/;

/** A time of day: `4 pm`, `16:30`, `noon`. */
const time: Reader = (tokens, at) => {
  const text = textAt(tokens, at);
  if (/^(?:\d{1,2}(?:[:.]\d{2})?[ap]\.?m\.?|\d{1,2}[:.]\d{2}|noon|midnight)$/i.test(text))
    return readAs(at + 1, text);
  if (!/^\d{1,2}(?:[:.]\d{2})?$/.test(text)) return [];
  const half = /^[ap]\.?m\.?$/i.exec(textAt(tokens, at + 1))?.[0];
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

/** A link's target or text. */
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
  readAs(at + 1, /^.+\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i.exec(textAt(tokens, at))?.[0]);

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** A position among several things: from 1, -1 for the last one. */
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
  const word = /^(?:(top|start|beginning)|bottom|end)$/.exec(wordAt(tokens, at));
  return readAs(at + 1, word && (word[1] ? 'first' : 'last'));
};

/** A phrase from the list with this name in synonyms.ts. */
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
    ...(prepositions.includes(wordAt(tokens, at))
      ? readPages(tokens, at + 1).filter((reading) => !isAudience(tokens, at, reading))
      : []),
  ];

/** Whether `for members` says for whom, and names no page. */
const isAudience = (tokens: Token[], at: number, { loose }: Reading) =>
  loose === true && wordAt(tokens, at) === 'for' && /^\p{Ll}/u.test(textAt(tokens, at + 1));

/** Whether a time is the opening or the closing time. */
const edgeOf: Reader = (tokens, at) => {
  const word = /^(?:(open)s?|closes?|until|till)$/.exec(wordAt(tokens, at));
  return readAs(at + 1, word && (word[1] ? 'opens' : 'closes'));
};

const UNITS: PriceUnit[] = ['month', 'year', 'week', 'day', 'hour', 'person'];
const unitOf = (phrase: string): PriceUnit =>
  UNITS.find((unit) => phrase.includes(unit)) ??
  (phrase === 'daily' ? 'day' : phrase === 'annually' ? 'year' : 'person');

/** All the remaining tokens. */
const tail: Reader = (tokens, at) =>
  at < tokens.length ? readAs(tokens.length, tokens.slice(at)) : [];

const [item, items] = [oneOf('ITEM'), oneOf('ITEMS')];

export const readers = {
  tail,
  quote,
  value,
  label,
  title,
  subject,
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
  item,
  item_: (tokens, at) => [...item(tokens, at), ...items(tokens, at)],
  items,
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
