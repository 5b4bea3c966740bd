import type { Slot, SlotTexts } from '../../sites/formats/page.ts';
import { digitsOf } from '../../text/text.ts';
import { foldWords } from '../text/fold.ts';
import { plainText } from '../text/marks.ts';
import { replaceSpans } from '../text/spans.ts';
import type { Leaf } from '../context/contextLeaves.ts';
import { countryCode } from '../facts/countries.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import { factsOf, textSlot, type Fact } from '../facts/findFacts.ts';
import type { Subject } from './subject.ts';

/** The page's texts, for searching the context's values. */
interface Said {
  /** Texts from the context: texts, facts, the subject. */
  given: Texts;
  /** The template's texts, including those in which only the subject was replaced. */
  kept: Texts;
}

/** A page with its new texts. */
interface Page {
  slug: string;
  /** The slots that the new page shows. */
  slots: readonly Slot[];
  /** New texts of slots that differ from the template's. */
  written: SlotTexts;
}

interface Given {
  /** New texts of slots. */
  texts: ReadonlyMap<Slot, string>;
  /** New texts of facts. */
  replaced: ReadonlyMap<Fact, string>;
  /** The new page's subject. */
  topics: Subject | null;
  /** The context's full value of a fact, where it is longer. */
  placed: ReadonlyMap<Fact, string>;
}

interface Texts {
  /** All texts folded and joined, with marks between. */
  folded: string;
  whole: ReadonlySet<string>;
  words: ReadonlySet<string>;
  digits: string;
}

const LEAST_DIGITS = 7;
/**
 * Least words of a value that is searched in the template's own texts. Shorter values may match by
 * chance.
 */
const LEAST_WORDS = 3;

/** The values of the context that the page does not show, each reduced to its missing part. */
export function unusedOf(leaves: Leaf[], { slug, slots, written }: Page, given: Given): Leaf[] {
  const shown = new Set(slots.map(({ id }) => id));
  const facts = [...given.replaced, ...given.placed]
    .filter(([{ slot }]) => shown.has(slot.id))
    .map(([, text]) => text);
  const own = slots.filter((slot) => given.texts.has(slot));
  const said = {
    given: textsOf([
      ...own.map(({ id, text }) => plainText(written[id] ?? text)),
      ...facts,
      given.topics?.new ?? '',
    ]),
    kept: textsOf(
      slots
        .filter((slot) => !given.texts.has(slot))
        .map(({ id, text }) => plainText(written[id] ?? text)),
    ),
  };
  return leaves.flatMap(({ owner, text }) => {
    if (/slug$/i.test(owner) && foldWords(slug).includes(foldWords(text))) return [];
    const missing = missingOf(said, text);
    return missing === '' ? [] : [{ owner, text: missing }];
  });
}

function textsOf(texts: string[]): Texts {
  const folded = texts.map(foldWords);
  return {
    folded: ` ${folded.join(' | ')} `,
    whole: new Set(folded),
    words: new Set(folded.flatMap((text) => text.split(' '))),
    digits: texts.map(digitsOf).join('|'),
  };
}

/** The scale after a rating. The page's own words give it, so only the number counts. */
const OF_FIVE = /(?<=^\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|of|von)\s?5(?: stars)?$/;

/** The missing part of a value: the whole value, or some of its parts. */
function missingOf(said: Said, given: string): string {
  const text = given.replace(OF_FIVE, '');
  if (isIn(said, text)) return '';
  const parts = partsOf(text);
  const missing = parts.filter((part) => !isIn(said, part));
  return missing.length === parts.length ? given : missing.join(', ');
}

/**
 * Parts of a value that may be in separate places: facts, sentences, a name and its text, a quote
 * and its author.
 */
function partsOf(text: string): string[] {
  const facts = factsOf(textSlot(text)).filter(({ kind }) => UNPARTED.includes(kind));
  const rest = replaceSpans(
    text,
    facts.map((fact) => ({ ...fact, text: '\n' })),
  );
  const parts = rest
    .split(/[\n;()|"“”„«»]|[:,.!?…](?=\s|$)|\s[-–—/]\s|\s?[–—]/u)
    .map((part) => part.trim());
  return [...parts, ...facts.map((fact) => fact.text)].filter((part) => foldWords(part).length > 1);
}

/** Facts that contain punctuation: `(312) 555-0111`, `9 am – 5 pm`. */
const UNPARTED: FactKind[] = ['telephone', 'hours', 'price', 'date'];

function isIn({ given, kept }: Said, text: string): boolean {
  const folded = foldWords(text);
  if (folded === '') return true;
  const country = countryCode(text);
  if (country !== null && given.whole.has(foldWords(country))) return true;
  if (kept.whole.has(folded) || holds(given, folded)) return true;
  if (folded.split(' ').length >= LEAST_WORDS && holds(kept, folded)) return true;
  const digits = digitsOf(text);
  return (
    /^[+\d\s().\-–/]+$/.test(text) &&
    digits.length >= LEAST_DIGITS &&
    [given, kept].some((texts) => texts.digits.includes(digits))
  );
}

const holds = ({ folded, words }: Texts, text: string) =>
  text.split(' ').every((word) => words.has(word)) && folded.includes(` ${text} `);
