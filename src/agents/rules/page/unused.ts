import type { Slot, SlotTexts } from '../../../sites/pages/format.ts';
import { digitsOf } from '../../../sites/html/text.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import type { Leaf } from '../context/leaves.ts';

/** What a page says, to look a context's values up in. */
interface Said {
  /** Texts that differ from the template's. */
  written: Texts;
  /** The template's that stay. */
  kept: Texts;
}

interface Texts {
  /** All of them folded, with marks between. */
  folded: string;
  whole: ReadonlySet<string>;
  words: ReadonlySet<string>;
  digits: string;
}

const LEAST_DIGITS = 7;
/** A text of the template's own counts as said by a value of so many words: fewer are there by chance. */
const LEAST_WORDS = 3;

/**
 * The values of a context that the page says nowhere, each with what is missing of it.
 * @param slots those of the new page
 */
export function unusedOf(leaves: Leaf[], slots: readonly Slot[], written: SlotTexts, slug: string): Leaf[] {
  const texts = (found: Slot[], of: (slot: Slot) => string) => textsOf(found.map((slot) => plainText(of(slot))));
  const said = {
    written: texts(slots.filter(({ id }) => id in written), ({ id }) => written[id]!), // prettier-ignore
    kept: texts(slots.filter(({ id }) => !(id in written)), ({ text }) => text), // prettier-ignore
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

/** A rating is a number in a sentence of the page's own words. */
const OF_FIVE = /(?<=^\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|of|von)\s?5(?: stars)?$/;

/** What of a value is nowhere: all of it, or some of its parts. */
function missingOf(said: Said, given: string): string {
  const text = given.replace(OF_FIVE, '');
  if (isIn(said, text)) return '';
  const parts = partsOf(text);
  const missing = parts.filter((part) => !isIn(said, part));
  return missing.length === parts.length ? given : missing.join(', ');
}

/** Sentences and parts of a line, which may stand in places of their own: a name and its text, a quote and its author. */
const partsOf = (text: string) =>
  text
    .split(/[\n:;,()|"“”„«»]|[.!?…](?=\s|$)|\s[-–—/]\s|\s?[–—]/u)
    .map((part) => part.trim())
    .filter((part) => foldWords(part).length > 1);

function isIn({ written, kept }: Said, text: string): boolean {
  const folded = foldWords(text);
  if (folded === '') return true;
  if (kept.whole.has(folded) || holds(written, folded)) return true;
  if (folded.split(' ').length >= LEAST_WORDS && holds(kept, folded)) return true;
  const digits = digitsOf(text);
  return /^[+\d\s().\-–/]+$/.test(text) && digits.length >= LEAST_DIGITS && [written, kept].some((texts) => texts.digits.includes(digits)); // prettier-ignore
}

const holds = ({ folded, words }: Texts, text: string) =>
  text.split(' ').every((word) => words.has(word)) && folded.includes(` ${text} `);
