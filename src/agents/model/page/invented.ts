import { mapById } from '../../../contract/mapById.ts';
import { withoutEnd } from '../../../contract/text.ts';
import type { Claim, Slot } from '../../../sites/formats/page.ts';
import { fold, foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { wordSet } from '../../../text/wordLists.ts';
import { timesIn, type TimeAt } from '../../../text/times.ts';
import {
  factsOf,
  hoursKey,
  isSameFact,
  textSlot,
  type Fact,
  MOST_FACTS,
} from '../../facts/findFacts.ts';

/** What the context and the template say, before a model wrote. Each line counts by itself. */
export interface Known {
  words: ReadonlySet<string>;
  /** Beginnings of longer words, since a name may be inflected. */
  stems: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Times of day in minutes, in whatever notation. */
  times: ReadonlySet<number>;
  facts: Fact[];
  /** All texts folded, for searching quotes. */
  folded: string;
}

const STEM = 5;
const stemOf = (word: string) => word.slice(0, STEM);

/** Days and months never count as names, even if they are capitalized. */
const calendar = Array.from({ length: 12 }, (_, i) =>
  new Date(Date.UTC(2024, i, i + 1)).toUTCString(),
);
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'nb'];
const dates = LANGUAGES.flatMap((language) =>
  Array.from({ length: 12 }, (_, i) =>
    new Date(Date.UTC(2024, i, i + 1)).toLocaleDateString(language, {
      month: 'long',
      weekday: 'long',
      timeZone: 'UTC',
    }),
  ),
);

export function knownFrom(texts: readonly string[]): Known {
  const words = new Set(
    [...texts, ...calendar, ...dates].flatMap((text) => foldWords(text).split(' ')),
  );
  const facts = texts
    .flatMap((text) => text.split('\n').flatMap((line) => factsOf(textSlot(line))))
    .slice(0, MOST_FACTS);
  return {
    words,
    times: new Set([...texts.flatMap(statedTimes), ...facts.flatMap(timesOfHours)]),
    stems: new Set([...words].filter((word) => word.length > STEM).map(stemOf)),
    numbers: new Set(texts.flatMap(numbersIn)),
    facts,
    folded: ` ${texts.map(foldWords).join(' | ')} `,
  };
}

const HALF_DAY = 12 * 60;

/** The times in a text, and those that it may mean: `5:30` is 17:30 too. */
const statedTimes = (text: string): number[] =>
  timesIn(text).flatMap(({ minutes, isOpen }) =>
    isOpen ? [minutes, minutes + HALF_DAY] : [minutes],
  );

/** The beginning and the end of opening hours. */
const timesOfHours = (fact: Fact): number[] =>
  fact.kind === 'hours'
    ? [fact.key, hoursKey(fact)].flatMap((key) => key.split(' ').map(Number))
    : [];

const NUMBER = /\p{Nd}+(?:[.,\u00a0\u202f'’]\p{Nd}+)*/gu;
const numbersIn = (text: string): string[] =>
  [...text.matchAll(NUMBER)].map(([number]) => numberOf(number));

/**
 * A number in a uniform notation: `4,800`, `4.800` and `4800` are equal, as are `4,9` and `4.9`,
 * `09` and `9`.
 */
const numberOf = (number: string) =>
  number
    .replace(/[^\p{Nd}](?=\p{Nd}{3}(?!\p{Nd}))/gu, '')
    .replace(/[^\p{Nd}]/gu, '.')
    .replace(/^0+(?=\p{Nd})/u, '');

/** Facts, numbers and names in a new text that neither the context nor the template has. */
export function inventedIn(
  slot: Slot,
  text: string,
  known: Known,
  { isGerman = false } = {},
): string[] {
  const plain = plainText(text);
  const facts = factsOf({ ...slot, text });
  const strange = facts.filter(
    (fact) => !known.facts.some((other) => isSameFact(other, fact)) && !isMadeOf(fact, known),
  );
  const said = facts.reduceRight((left, { from, to }) => blanked(left, from, to), plain);
  const times = timesIn(said);
  const wrongTimes = times.filter((time) => !isKnownTime(time, known));
  const rest = times.reduceRight((left, { start, end }) => blanked(left, start, end), said);
  const numbers = [...rest.matchAll(NUMBER)].map(([number]) => number);
  const others = numbers.filter((number) => !isKnownNumber(number, known));
  return [
    ...new Set([
      ...strange.map((fact) => fact.text),
      ...wrongTimes.map(({ start, end }) => said.slice(start, end)),
      ...others,
      ...namesIn(slot, rest, { ...known, isGerman }),
    ]),
  ];
}

/** A text without a part of it, except a full stop that ends a sentence. */
const blanked = (text: string, from: number, to: number) => {
  const end = text[to - 1] === '.' ? to - 1 : to;
  return text.slice(0, from) + ' '.repeat(end - from) + text.slice(end);
};

/** Whether a time is known, in any notation. A number alone may be an hour: `9-17`. */
const isKnownTime = ({ minutes, isOpen }: TimeAt, { times, numbers }: Known) =>
  [minutes, ...(isOpen ? [minutes + HALF_DAY] : [])].some((time) => times.has(time)) ||
  (minutes % 60 === 0 &&
    [minutes / 60, (minutes / 60) % 12].some((hour) => numbers.has(String(hour))));

/**
 * Whether all numbers and words of a fact are known: the fact may then be known in another
 * notation.
 */
const isMadeOf = (fact: Fact, known: Known) =>
  (fact.kind === 'hours' && timesOfHours(fact).every((time) => known.times.has(time))) ||
  isSpelled(fact, known);

const isSpelled = (fact: Fact, known: Known) =>
  numbersIn(fact.text).every((number) => isKnownNumber(number, known)) &&
  (fact.kind !== 'email' ||
    foldWords(fact.text)
      .split(' ')
      .every((word) => known.words.has(word)));

/**
 * Whether a number is known. The parts of a date or time may be known separately, and `00` minutes
 * count as known.
 */
function isKnownNumber(number: string, { numbers }: Known): boolean {
  if (numbers.has(numberOf(number)) || /^0+$/.test(number)) return true;
  const parts = number.split(/\P{Nd}/u);
  return parts.length > 2 && parts.every((part) => numbers.has(numberOf(part)));
}

const NAMING = ['heading', 'title', 'social-title', 'link', 'button', 'svg-text'];
/** Marks that may close a quote or a bracket: German ones close with “ and «. */
const CLOSING = '"”’»)“‘«›]';
const ENDS = '.,;:!?…\'’"”“»)«‘›]';
/** Marks after which a sentence, a line or an entry begins. */
const BEGINS = '.!?…:–—|•·→/。！？؟।';

/**
 * Runs of capitalized words inside sentences of which at least one word is unknown. In German,
 * where all nouns are capitalized, two words that are no common nouns.
 */
function namesIn({ role }: Slot, plain: string, known: Known & { isGerman: boolean }): string[] {
  const words = plain
    .replaceAll('\n', ' • ')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (NAMING.includes(role) && isTitleCase(words)) return [];
  const names: string[] = [];
  let run: { text: string; isStrange: boolean }[] = [];
  const end = () => {
    const strange = run.filter(({ isStrange }) => isStrange).length;
    if (strange > (known.isGerman ? 1 : 0)) names.push(run.map(({ text }) => text).join(' '));
    run = [];
  };
  let isFirst = true;
  let isAfterArticle = false;
  let before = '';
  for (const word of words) {
    const text = withoutEnd(word.replace(OPENING, ''), ENDS);
    const isOpening = text !== '' && !word.startsWith(text) && isQuote(word);
    if (isOpening) end();
    if (/^\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*$/u.test(text))
      run.push({
        text,
        isStrange:
          !isFirst &&
          !isOpening &&
          text.length > 1 &&
          !isKnown(text, known) &&
          !(known.isGerman && (isAfterArticle || isGermanNoun(text))),
      });
    else if (text !== '' && !(run.length > 0 && /^(?:&|of|de|da|do|van|von|the)$/u.test(text)))
      end();
    isAfterArticle = isBeforeNoun(text, before);
    before = text;
    const last = withoutEnd(word, CLOSING).at(-1) ?? '';
    isFirst = BEGINS.includes(last) || isMark(word) || isNumbering(word);
    if (isFirst || ',;'.includes(last) || word.endsWith(')')) end();
  }
  end();
  return names;
}

/** Words before which a common noun stands, and no name alone: articles, pronouns, adjectives. */
const GERMAN_ARTICLE =
  /^(?:der|die|das|de[mns]|(?:k?ein|mein|dein|sein|unser|euer|eur|ihr|dies|jed|jen|all|viel|welch)(?:e[mnrs]?)?|im|am|zu[mr]|beim|vom|ins|\p{Ll}{3,30}e[ms])$/u;
const GERMAN_PREPOSITION =
  /^(?:mit|aus|von|nach|bei|seit|zu|für|durch|ohne|gegen|um|in|an|auf|über|unter|vor|hinter|neben|zwischen)$/u;
const isBeforeNoun = (word: string, before: string) =>
  GERMAN_ARTICLE.test(word.replace(/^[EDIU]/u, (first) => first.toLowerCase())) ||
  (GERMAN_PREPOSITION.test(before.toLowerCase()) && /^\p{Ll}{3,30}e[nr]?$/u.test(word));
/** Endings of common nouns, and words so long that they are made of several. */
const GERMAN_NOUN =
  /(?:ung(?:s|en)?|[hk]eit(?:en)?|schaft(?:en)?|[stn]ion(?:en)?|tät(?:en)?|ismus|(?:er|eb|nd|nt|ht)nis(?:se[ns]?)?|tum[es]{0,2}|ling(?:e[ns]?|s)?|chens?|erei(?:en)?|ment(?:en?|s)?|innen|.{3}ern)$|.{12}/u;
const isGermanNoun = (word: string) => /^\p{Lu}[\p{Ll}-]+/u.test(word) && GERMAN_NOUN.test(word);

const OPENING = /^[("'“”„«»‘’‚‹›[¿¡*–—-]+/u;
/** A quotation mark or dash alone, which French sets apart. */
const isMark = (word: string) => /^[\p{P}\p{S}]+$/u.test(word) && !/[&+]/.test(word);
/** `1.`, `2)`, `b)` before an entry. */
const isNumbering = (word: string) => /^\(?(?:\d{1,2}[.)]|\p{L}\))$/u.test(word);
/** Whether a word opens a quote, or a bracket with more words. */
const isQuote = (word: string) =>
  /^["“”„«»‚‹›¿¡]/u.test(word) || (/^[([]/u.test(word) && !/[)\]][.,;:!?…]?$/u.test(word));

function isTitleCase(words: string[]): boolean {
  const long = words.filter((word) => word.length > 3 && /^\p{L}/u.test(word));
  return long.length > 1 && long.every((word) => /^\p{Lu}/u.test(word));
}

/** Pronouns and articles: capitalized at the start of a sentence, or out of politeness. */
const COMMON = wordSet(`
  wir uns unser unsere unserem unseren unserer sie ihr ihre ihrem ihren ihrer ihnen du dein deine
  ihres unseres euch euer eure euren eurer eurem
  der die das den dem ein eine einen im am zum zur bei mit fur und auch hier jetzt heute
  nous vous notre nos votre vos le la les un une des du chez avec pour et ici
  vi var vare din dine dere deres den det en et hos med for og her
  nosotros nuestro nuestra nuestros usted ustedes su sus el los las una con para y aqui
  nos nosso nossa nossos voce o os as um uma com e
  noi nostro nostra lei voi il lo gli i per qui wij ons onze het een bij met voor uw`);

const isKnown = (word: string, { words, stems }: Known) =>
  (/^\p{Lu}\p{Ll}*$/u.test(word) && COMMON.has(foldWords(word))) ||
  foldWords(word.replace(/['’]s$/u, ''))
    .split(' ')
    .every((part) => words.has(part) || (part.length > STEM && stems.has(stemOf(part))));

/** Whether texts are in German, where all nouns are capitalized. */
export function readsGerman(texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => fold(text).split(/[^\p{L}]+/u));
  const german = words.filter((word) =>
    /^(?:und|der|die|das|den|ein|eine|nicht|mit|fur|wir|sie|ist|auf)$/.test(word),
  );
  return german.length * 20 > words.length;
}

/** Changed quotes whose new words the context does not have: nobody said them. */
export function inventedQuotes(
  claims: readonly Claim[],
  texts: ReadonlyMap<Slot, string>,
  known: Known,
): Slot[] {
  const byId = mapById([...texts.keys()]);
  return claims
    .filter(({ kind }) => kind === 'quote')
    .flatMap(({ slots, byline }) => slots.filter((id) => !byline.includes(id)))
    .flatMap((id) => byId.get(id) ?? [])
    .filter(
      (slot) =>
        !isHiddenValue(slot.id) &&
        !known.folded.includes(` ${foldWords(plainText(texts.get(slot)!))} `),
    );
}

const isHiddenValue = (id: string) => /^s\d+\.\d+$/.test(id);
