import type { TextSlot, SlotTexts } from '../../../sites/formats/pageParts.ts';
import { digitsOf } from '../../../text/text.ts';
import { foldWords } from '../text/foldText.ts';
import { plainText } from '../text/parseMarks.ts';
import { replaceSpans } from '../text/textSpans.ts';
import type { ContextValue } from '../context/contextValues.ts';
import { countryCode } from '../facts/countries.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import { findSlotFacts, textSlot, type Fact } from '../facts/findFacts.ts';
import type { PageTopics } from './pageTopics.ts';

/** The page's texts, for searching the context's values. */
interface SearchedTexts {
  /** Texts from the context: texts, facts, the topic. */
  given: TextIndex;
  /** The template's texts, including those in which only the topic was replaced. */
  kept: TextIndex;
}

/** A page with its new texts. */
interface NewPageSlots {
  slug: string;
  /** The slots that the new page shows. */
  slots: readonly TextSlot[];
  /** New texts of slots that differ from the template's. */
  written: SlotTexts;
}

interface UsedContext {
  /** New texts of slots. */
  texts: ReadonlyMap<TextSlot, string>;
  /** New texts of facts. */
  replaced: ReadonlyMap<Fact, string>;
  /** The new page's topic. */
  topics: PageTopics | null;
  /** The context's full value of a fact, if the page only states a part of it. */
  placed: ReadonlyMap<Fact, string>;
}

interface TextIndex {
  texts: readonly string[];
  /** All texts folded and joined, with marks between. */
  folded: string;
  whole: ReadonlySet<string>;
  words: ReadonlySet<string>;
  digits: string;
}

const MIN_DIGITS = 7;
/**
 * Least words of a value that is searched in the template's own texts. Shorter values may match by
 * chance.
 */
const MIN_WORDS = 3;
const LEAST_SENTENCE_WORDS = 5;

/**
 * Finds the values of the context that the page does not show, each reduced to its missing part: if
 * the page has the name but not the price of `Starter: $900`, the value is `$900`.
 */
export function findUnusedValues(
  contextValues: ContextValue[],
  { slug, slots, written }: NewPageSlots,
  usedContext: UsedContext,
): ContextValue[] {
  const shownIds = new Set(slots.map(({ id }) => id));
  const facts = [...usedContext.replaced, ...usedContext.placed]
    .filter(([{ slot }]) => shownIds.has(slot.id))
    .map(([, text]) => text);
  const contextSlots = slots.filter((slot) => usedContext.texts.has(slot));
  const searchedTexts = {
    given: createTextIndex([
      ...contextSlots.map(({ id, text }) => plainText(written[id] ?? text)),
      ...facts,
      usedContext.topics?.new ?? '',
    ]),
    kept: createTextIndex(
      slots
        .filter((slot) => !usedContext.texts.has(slot))
        .map(({ id, text }) => plainText(written[id] ?? text)),
    ),
  };
  return contextValues.flatMap(({ owner, text }) => {
    if (/slug$/i.test(owner) && foldWords(slug).includes(foldWords(text))) return [];
    const missingPart = findMissingPart(searchedTexts, text);
    return missingPart === '' ? [] : [{ owner, text: missingPart }];
  });
}

function createTextIndex(texts: string[]): TextIndex {
  const folded = texts.map(foldWords);
  return {
    texts,
    folded: ` ${folded.join(' | ')} `,
    whole: new Set(folded),
    words: new Set(folded.flatMap((text) => text.split(' '))),
    digits: texts.map(digitsOf).join('|'),
  };
}

/** The scale after a rating. The page's own words give it, so only the number counts. */
const RATING_SCALE = /(?<=^\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|of|von)\s?5(?: stars)?$/;

/** The missing part of a value: the whole value, or some of its parts. */
function findMissingPart(searchedTexts: SearchedTexts, fullValue: string): string {
  const text = fullValue.replace(RATING_SCALE, '');
  if (isStatedIn(searchedTexts, text)) return '';
  if (isShortSentence(text)) return fullValue;
  const parts = splitIntoParts(text);
  const missingParts = parts.filter((part) => !isStatedIn(searchedTexts, part));
  return missingParts.length === parts.length ? fullValue : missingParts.join(', ');
}

/** Whether a text is a sentence of words that a page may have elsewhere by chance: `Care, now.` */
const isShortSentence = (text: string) =>
  /\p{L}[.!?…]$/u.test(text.trim()) && foldWords(text).split(' ').length < LEAST_SENTENCE_WORDS;

/**
 * Parts of a value that may be in separate places: facts, sentences, a name and its text, a quote
 * and its author.
 */
function splitIntoParts(text: string): string[] {
  const facts = findSlotFacts(textSlot(text)).filter(({ kind }) => UNSPLIT_KINDS.includes(kind));
  const textWithoutFacts = replaceSpans(
    text,
    facts.map((fact) => ({ ...fact, text: '\n' })),
  );
  const parts = textWithoutFacts
    .split(/[\n;()|"“”„«»]|[:,.!?…](?=\s|$)|\s[-–—/]\s|\s?[–—]/u)
    .map((part) => part.trim());
  return [...parts, ...facts.map((fact) => fact.text)].filter((part) => foldWords(part).length > 1);
}

/** Facts that contain punctuation: `(312) 555-0111`, `9 am – 5 pm`. */
const UNSPLIT_KINDS: FactKind[] = ['telephone', 'hours', 'price', 'date'];

function isStatedIn({ given, kept }: SearchedTexts, text: string): boolean {
  const folded = foldWords(text);
  if (folded === '') return true;
  const country = countryCode(text);
  if (country !== null && given.whole.has(foldWords(country))) return true;
  if (kept.whole.has(folded)) return true;
  if (containsPhrase(given, folded) && (!/^\d+$/.test(folded) || statesNumber(given, folded)))
    return true;
  if (folded.split(' ').length >= MIN_WORDS && containsPhrase(kept, folded)) return true;
  const digits = digitsOf(text);
  return (
    /^[+\d\s().\-–/]+$/.test(text) &&
    digits.length >= MIN_DIGITS &&
    [given, kept].some((texts) => texts.digits.includes(digits))
  );
}

const containsPhrase = ({ folded, words }: TextIndex, text: string) =>
  text.split(' ').every((word) => words.has(word)) && folded.includes(` ${text} `);

/** Whether texts have a number for itself, and not only as digits of a telephone number or date. */
const statesNumber = ({ texts }: TextIndex, number: string): boolean =>
  texts.some((text) => {
    const otherFacts = findSlotFacts(textSlot(text)).filter(
      (fact) => UNSPLIT_KINDS.includes(fact.kind) && digitsOf(fact.text) !== number,
    );
    const remainingText = replaceSpans(
      text,
      otherFacts.map((fact) => ({ ...fact, text: '\n' })),
    );
    return foldWords(remainingText).split(' ').includes(number);
  });
