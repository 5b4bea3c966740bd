import { mapById } from '../../../contract/mapById.ts';
import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import type { PageClaim, TextSlot } from '../../../sites/formats/pageParts.ts';
import { foldForComparison, foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { wordSet } from '../../../text/wordLists.ts';
import { timesIn, type TimeInText } from '../../../text/timesOfDay.ts';
import {
  findSlotFacts,
  hoursKey,
  isSameFact,
  textSlot,
  type Fact,
  MOST_FACTS,
} from '../../shared/facts/findFacts.ts';

/**
 * What is known before a model writes: everything that the context and the template say. Whatever a
 * new text says beyond it may be an invention, which a note names.
 */
export interface KnownContent {
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

const STEM_LENGTH = 5;
const stemWord = (word: string) => word.slice(0, STEM_LENGTH);

/** Days and months never count as names, even if they are capitalized. */
const englishDates = Array.from({ length: 12 }, (_, i) =>
  new Date(Date.UTC(2024, i, i + 1)).toUTCString(),
);
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'nb'];
const localDates = LANGUAGES.flatMap((language) =>
  Array.from({ length: 12 }, (_, i) =>
    new Date(Date.UTC(2024, i, i + 1)).toLocaleDateString(language, {
      month: 'long',
      weekday: 'long',
      timeZone: 'UTC',
    }),
  ),
);

/** Collects what the texts of the context and the template say. Facts are found line by line. */
export function createKnownContent(texts: readonly string[]): KnownContent {
  const words = new Set(
    [...texts, ...englishDates, ...localDates].flatMap((text) => foldWords(text).split(' ')),
  );
  const facts = texts
    .flatMap((text) => text.split('\n').flatMap((line) => findSlotFacts(textSlot(line))))
    .slice(0, MOST_FACTS);
  return {
    words,
    times: new Set([...texts.flatMap(findPossibleTimes), ...facts.flatMap(listOpeningTimes)]),
    stems: new Set([...words].filter((word) => word.length > STEM_LENGTH).map(stemWord)),
    numbers: new Set(texts.flatMap(listUniformNumbers)),
    facts,
    folded: ` ${texts.map(foldWords).join(' | ')} `,
  };
}

const HALF_DAY = 12 * 60;

/** The times in a text, and those that it may mean: `5:30` is 17:30 too. */
const findPossibleTimes = (text: string): number[] =>
  timesIn(text).flatMap(({ minutes, isOpen }) =>
    isOpen ? [minutes, minutes + HALF_DAY] : [minutes],
  );

/** The beginning and the end of opening hours. */
const listOpeningTimes = (fact: Fact): number[] =>
  fact.kind === 'hours'
    ? [fact.key, hoursKey(fact)].flatMap((key) => key.split(' ').map(Number))
    : [];

const NUMBER_PATTERN = /\p{Nd}+(?:[.,\u00a0\u202f'’]\p{Nd}+)*/gu;
const listUniformNumbers = (text: string): string[] =>
  [...text.matchAll(NUMBER_PATTERN)].map(([number]) => toUniformNumber(number));

/**
 * A number in a uniform notation: `4,800`, `4.800` and `4800` are equal, as are `4,9` and `4.9`,
 * `09` and `9`.
 */
const toUniformNumber = (number: string) =>
  number
    .replace(/[^\p{Nd}](?=\p{Nd}{3}(?!\p{Nd}))/gu, '')
    .replace(/[^\p{Nd}]/gu, '.')
    .replace(/^0+(?=\p{Nd})/u, '');

/**
 * Finds facts, numbers and names in a new text that neither the context nor the template has.
 * @param text the new text of the slot, with marks
 * @returns them as the text writes them, such as `['$4,900', 'Jane Doe']`
 */
export function findInventions(
  slot: TextSlot,
  text: string,
  knownContent: KnownContent,
  { isGerman = false } = {},
): string[] {
  const plain = plainText(text);
  const facts = findSlotFacts({ ...slot, text });
  const unknownFacts = facts.filter(
    (fact) =>
      !knownContent.facts.some((knownFact) => isSameFact(knownFact, fact)) &&
      !isFactOfKnownParts(fact, knownContent),
  );
  const textWithoutFacts = facts.reduceRight(
    (remainingText, { from, to }) => blankOut(remainingText, from, to),
    plain,
  );
  const times = timesIn(textWithoutFacts);
  const unknownTimes = times.filter((time) => !isKnownTime(time, knownContent));
  const textWithoutTimes = times.reduceRight(
    (remainingText, { start, end }) => blankOut(remainingText, start, end),
    textWithoutFacts,
  );
  const numbers = [...textWithoutTimes.matchAll(NUMBER_PATTERN)].map(([number]) => number);
  const unknownNumbers = numbers.filter((number) => !isKnownNumber(number, knownContent));
  return [
    ...new Set([
      ...unknownFacts.map((fact) => fact.text),
      ...unknownTimes.map(({ start, end }) => textWithoutFacts.slice(start, end)),
      ...unknownNumbers,
      ...findUnknownNames(slot, textWithoutTimes, { ...knownContent, isGerman }),
    ]),
  ];
}

/** A text without a part of it, except a full stop that ends a sentence. */
const blankOut = (text: string, from: number, to: number) => {
  const end = text[to - 1] === '.' ? to - 1 : to;
  return text.slice(0, from) + ' '.repeat(end - from) + text.slice(end);
};

/** Whether a time is known, in any notation. A number alone may be an hour: `9-17`. */
const isKnownTime = ({ minutes, isOpen }: TimeInText, { times, numbers }: KnownContent) =>
  [minutes, ...(isOpen ? [minutes + HALF_DAY] : [])].some((time) => times.has(time)) ||
  (minutes % 60 === 0 &&
    [minutes / 60, (minutes / 60) % 12].some((hour) => numbers.has(String(hour))));

/**
 * Whether all numbers and words of a fact are known: the fact may then be known in another
 * notation.
 */
const isFactOfKnownParts = (fact: Fact, knownContent: KnownContent) =>
  (fact.kind === 'hours' && listOpeningTimes(fact).every((time) => knownContent.times.has(time))) ||
  hasKnownWords(fact, knownContent);

const hasKnownWords = (fact: Fact, knownContent: KnownContent) =>
  listUniformNumbers(fact.text).every((number) => isKnownNumber(number, knownContent)) &&
  (fact.kind !== 'email' ||
    foldWords(fact.text)
      .split(' ')
      .every((word) => knownContent.words.has(word)));

/**
 * Whether a number is known. The parts of a date or time may be known separately, and `00` minutes
 * count as known.
 */
function isKnownNumber(number: string, { numbers }: KnownContent): boolean {
  if (numbers.has(toUniformNumber(number)) || /^0+$/.test(number)) return true;
  const parts = number.split(/\P{Nd}/u);
  return parts.length > 2 && parts.every((part) => numbers.has(toUniformNumber(part)));
}

const NAMING_ROLES = ['heading', 'title', 'social-title', 'link', 'button', 'svg-text'];
/** Marks that may close a quote or a bracket: German ones close with “ and «. */
const CLOSING_MARKS = '"”’»)“‘«›]';
const END_MARKS = '.,;:!?…\'’"”“»)«‘›]';
/** Marks after which a sentence, a line or an entry begins. */
const MARKS_BEFORE_BEGINNING = '.!?…:–—|•·→/。！？؟।';

/**
 * Finds names that are not known: runs of capitalized words inside of a sentence, of which at least
 * one word is unknown. In German, where all nouns are capitalized, at least two words of a run must
 * be unknown and not be common nouns.
 */
function findUnknownNames(
  { role }: TextSlot,
  plain: string,
  knownContent: KnownContent & { isGerman: boolean },
): string[] {
  const words = plain
    .replaceAll('\n', ' • ')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (NAMING_ROLES.includes(role) && isTitleCase(words)) return [];
  const names: string[] = [];
  let nameRun: { text: string; isStrange: boolean }[] = [];
  const endRun = () => {
    const unknownCount = nameRun.filter(({ isStrange }) => isStrange).length;
    if (unknownCount > (knownContent.isGerman ? 1 : 0))
      names.push(nameRun.map(({ text }) => text).join(' '));
    nameRun = [];
  };
  let isFirst = true;
  let isAfterArticle = false;
  let previousWord = '';
  for (const word of words) {
    const text = trimEndCharacters(word.replace(OPENING_MARKS, ''), END_MARKS);
    const isOpening = text !== '' && !word.startsWith(text) && opensQuote(word);
    if (isOpening) endRun();
    if (/^\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*$/u.test(text))
      nameRun.push({
        text,
        isStrange:
          !isFirst &&
          !isOpening &&
          text.length > 1 &&
          !isKnownWord(text, knownContent) &&
          !(knownContent.isGerman && (isAfterArticle || isGermanNoun(text))),
      });
    else if (text !== '' && !(nameRun.length > 0 && /^(?:&|of|de|da|do|van|von|the)$/u.test(text)))
      endRun();
    isAfterArticle = isBeforeNoun(text, previousWord);
    previousWord = text;
    const lastMark = trimEndCharacters(word, CLOSING_MARKS).at(-1) ?? '';
    isFirst = MARKS_BEFORE_BEGINNING.includes(lastMark) || isPunctuation(word) || isNumbering(word);
    if (isFirst || ',;'.includes(lastMark) || word.endsWith(')')) endRun();
  }
  endRun();
  return names;
}

/**
 * German words before a common noun, and not before a name alone: articles, pronouns, adjectives.
 */
const GERMAN_ARTICLE =
  /^(?:der|die|das|de[mns]|(?:k?ein|mein|dein|sein|unser|euer|eur|ihr|dies|jed|jen|all|viel|welch)(?:e[mnrs]?)?|im|am|zu[mr]|beim|vom|ins|\p{Ll}{3,30}e[ms])$/u;
const GERMAN_PREPOSITION =
  /^(?:mit|aus|von|nach|bei|seit|zu|für|durch|ohne|gegen|um|in|an|auf|über|unter|vor|hinter|neben|zwischen)$/u;
const isBeforeNoun = (word: string, previousWord: string) =>
  GERMAN_ARTICLE.test(word.replace(/^[EDIU]/u, (first) => first.toLowerCase())) ||
  (GERMAN_PREPOSITION.test(previousWord.toLowerCase()) && /^\p{Ll}{3,30}e[nr]?$/u.test(word));
/** Endings of common nouns, and words so long that they are made of several. */
const GERMAN_NOUN =
  /(?:ung(?:s|en)?|[hk]eit(?:en)?|schaft(?:en)?|[stn]ion(?:en)?|tät(?:en)?|ismus|(?:er|eb|nd|nt|ht)nis(?:se[ns]?)?|tum[es]{0,2}|ling(?:e[ns]?|s)?|chens?|erei(?:en)?|ment(?:en?|s)?|innen|.{3}ern)$|.{12}/u;
const isGermanNoun = (word: string) => /^\p{Lu}[\p{Ll}-]+/u.test(word) && GERMAN_NOUN.test(word);

const OPENING_MARKS = /^[("'“”„«»‘’‚‹›[¿¡*–—-]+/u;
/** A quotation mark or dash alone, which French sets apart. */
const isPunctuation = (word: string) => /^[\p{P}\p{S}]+$/u.test(word) && !/[&+]/.test(word);
/** `1.`, `2)`, `b)` before an entry. */
const isNumbering = (word: string) => /^\(?(?:\d{1,2}[.)]|\p{L}\))$/u.test(word);
/** Whether a word opens a quote, or a bracket with more words. */
const opensQuote = (word: string) =>
  /^["“”„«»‚‹›¿¡]/u.test(word) || (/^[([]/u.test(word) && !/[)\]][.,;:!?…]?$/u.test(word));

function isTitleCase(words: string[]): boolean {
  const longWords = words.filter((word) => word.length > 3 && /^\p{L}/u.test(word));
  return longWords.length > 1 && longWords.every((word) => /^\p{Lu}/u.test(word));
}

/** Pronouns and articles: capitalized at the start of a sentence, or out of politeness. */
const COMMON_WORDS = wordSet(`
  wir uns unser unsere unserem unseren unserer sie ihr ihre ihrem ihren ihrer ihnen du dein deine
  ihres unseres euch euer eure euren eurer eurem
  der die das den dem ein eine einen im am zum zur bei mit fur und auch hier jetzt heute
  nous vous notre nos votre vos le la les un une des du chez avec pour et ici
  vi var vare din dine dere deres den det en et hos med for og her
  nosotros nuestro nuestra nuestros usted ustedes su sus el los las una con para y aqui
  nos nosso nossa nossos voce o os as um uma com e
  noi nostro nostra lei voi il lo gli i per qui wij ons onze het een bij met voor uw`);

const isKnownWord = (word: string, { words, stems }: KnownContent) =>
  (/^\p{Lu}\p{Ll}*$/u.test(word) && COMMON_WORDS.has(foldWords(word))) ||
  foldWords(word.replace(/['’]s$/u, ''))
    .split(' ')
    .every((part) => words.has(part) || (part.length > STEM_LENGTH && stems.has(stemWord(part))));

/** Whether texts are in German, where all nouns are capitalized. */
export function isGermanText(texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => foldForComparison(text).split(/[^\p{L}]+/u));
  const germanWords = words.filter((word) =>
    /^(?:und|der|die|das|den|ein|eine|nicht|mit|fur|wir|sie|ist|auf)$/.test(word),
  );
  return germanWords.length * 20 > words.length;
}

/** The slots of changed quotes whose new words the context does not have: nobody said them. */
export function findInventedQuotes(
  claims: readonly PageClaim[],
  texts: ReadonlyMap<TextSlot, string>,
  knownContent: KnownContent,
): TextSlot[] {
  const slotsById = mapById([...texts.keys()]);
  return claims
    .filter(({ kind }) => kind === 'quote')
    .flatMap(({ slots, byline }) => slots.filter((id) => !byline.includes(id)))
    .flatMap((id) => slotsById.get(id) ?? [])
    .filter(
      (slot) =>
        !isHiddenSlotId(slot.id) &&
        !knownContent.folded.includes(` ${foldWords(plainText(texts.get(slot)!))} `),
    );
}

const isHiddenSlotId = (id: string) => /^s(?!0\.)\d+\.\d+$/.test(id);
