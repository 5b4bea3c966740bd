import { mapById } from '../../../contract/mapById.ts';
import { withoutEnd } from '../../../contract/text.ts';
import type { Claim, Slot } from '../../../sites/formats/page.ts';
import { fold, foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { factsOf, isSameFact, textSlot, type Fact, MOST_FACTS } from '../../facts/findFacts.ts';

/** What the context and the template say, before a model wrote. Each line counts by itself. */
export interface Known {
  words: ReadonlySet<string>;
  /** Beginnings of longer words, since a name may be inflected. */
  stems: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
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
const dates = Array.from({ length: 12 }, (_, i) =>
  new Date(Date.UTC(2024, i, i + 1)).toLocaleDateString('en', {
    month: 'long',
    weekday: 'long',
    timeZone: 'UTC',
  }),
);

export function knownFrom(texts: readonly string[]): Known {
  const words = new Set(
    [...texts, ...calendar, ...dates].flatMap((text) => foldWords(text).split(' ')),
  );
  return {
    words,
    stems: new Set([...words].filter((word) => word.length > STEM).map(stemOf)),
    numbers: new Set(texts.flatMap(numbersIn)),
    facts: texts
      .flatMap((text) => text.split('\n').flatMap((line) => factsOf(textSlot(line))))
      .slice(0, MOST_FACTS),
    folded: ` ${texts.map(foldWords).join(' | ')} `,
  };
}

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
  const rest = facts.reduceRight(
    (left, { from, to }) => left.slice(0, from) + ' '.repeat(to - from) + left.slice(to),
    plain,
  );
  const numbers = [...rest.matchAll(NUMBER)].map(([number]) => number);
  const others = numbers.filter((number) => !isKnownNumber(number, known));
  return [
    ...new Set([
      ...strange.map((fact) => fact.text),
      ...others,
      ...namesIn(slot, rest, { ...known, isGerman }),
    ]),
  ];
}

/**
 * Whether all numbers and words of a fact are known: the fact may then be known in another
 * notation.
 */
const isMadeOf = (fact: Fact, known: Known) =>
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
const CLOSING = '"”’»)';
const ENDS = '.,;:!?…\'’"”“»)';

/** Runs of capitalized words inside sentences of which at least one word is unknown. */
function namesIn({ role }: Slot, plain: string, known: Known & { isGerman: boolean }): string[] {
  const words = plain.split(/\s+/).filter((word) => word !== '');
  if (NAMING.includes(role) && isTitleCase(words)) return [];
  const names: string[] = [];
  let run: { text: string; isStrange: boolean }[] = [];
  const end = () => {
    const strange = run.filter(({ isStrange }) => isStrange).length;
    if (strange > (known.isGerman ? 1 : 0)) names.push(run.map(({ text }) => text).join(' '));
    run = [];
  };
  let isFirst = true;
  for (const word of words) {
    const text = withoutEnd(word.replace(/^[("'“”„«‘’[–—-]+/u, ''), ENDS);
    const isOpening = text !== '' && !word.startsWith(text) && isQuote(word);
    if (isOpening) end();
    if (/^\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*$/u.test(text))
      run.push({
        text,
        isStrange: !isFirst && !isOpening && text.length > 1 && !isKnown(text, known),
      });
    else if (text !== '' && !(run.length > 0 && /^(?:&|of|de|da|do|van|von|the)$/u.test(text)))
      end();
    const last = withoutEnd(word, CLOSING).at(-1) ?? '';
    isFirst = '.!?…:–—|•'.includes(last);
    if (isFirst || ',;'.includes(last) || word.endsWith(')')) end();
  }
  end();
  return names;
}

const isQuote = (word: string) => /^["“„«]/u.test(word);

function isTitleCase(words: string[]): boolean {
  const long = words.filter((word) => word.length > 3 && /^\p{L}/u.test(word));
  return long.length > 1 && long.every((word) => /^\p{Lu}/u.test(word));
}

const isKnown = (word: string, { words, stems }: Known) =>
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
