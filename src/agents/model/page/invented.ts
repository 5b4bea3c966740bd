import { mapById } from '../../../contract/mapById.ts';
import { withoutEnd } from '../../../contract/text.ts';
import type { Claim, Slot } from '../../../sites/formats/page.ts';
import { fold, foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { factsOf, isSameFact, textSlot, type Fact, MOST_FACTS } from '../../facts/findFacts.ts';

/** What was known before a model wrote: the context and the template, each line by itself. */
export interface Known {
  words: ReadonlySet<string>;
  /** Beginnings of longer words: a name may be inflected. */
  stems: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  facts: Fact[];
  /** All of it folded, to look quotes up in. */
  folded: string;
}

const STEM = 5;
const stemOf = (word: string) => word.slice(0, STEM);

/** Days and months are no names, whoever writes them. */
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

/** A number however it is written: `4,800` is `4.800` is `4800`, `4,9` is `4.9`, `09` is `9`. */
const numberOf = (number: string) =>
  number
    .replace(/[^\p{Nd}](?=\p{Nd}{3}(?!\p{Nd}))/gu, '')
    .replace(/[^\p{Nd}]/gu, '.')
    .replace(/^0+(?=\p{Nd})/u, '');

/** Facts, numbers and names of a new text that were not known before. */
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

/** Whether all numbers and words of a fact are known: it may be written in another way. */
const isMadeOf = (fact: Fact, known: Known) =>
  numbersIn(fact.text).every((number) => isKnownNumber(number, known)) &&
  (fact.kind !== 'email' ||
    foldWords(fact.text)
      .split(' ')
      .every((word) => known.words.has(word)));

/** The parts of a date or a time may stand apart elsewhere; minutes of a full hour, not at all. */
function isKnownNumber(number: string, { numbers }: Known): boolean {
  if (numbers.has(numberOf(number)) || /^0+$/.test(number)) return true;
  const parts = number.split(/\P{Nd}/u);
  return parts.length > 2 && parts.every((part) => numbers.has(numberOf(part)));
}

const NAMING = ['heading', 'title', 'social-title', 'link', 'button', 'svg-text'];
const CLOSING = '"”’»)';
const ENDS = '.,;:!?…\'’"”“»)';

/** Runs of capitalized words inside sentences with one that is known from nowhere. */
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

/** Whether texts read as German, whose nouns are all capitalized. */
export function readsGerman(texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => fold(text).split(/[^\p{L}]+/u));
  const german = words.filter((word) =>
    /^(?:und|der|die|das|den|ein|eine|nicht|mit|fur|wir|sie|ist|auf)$/.test(word),
  );
  return german.length * 20 > words.length;
}

/** Quotes of the template with other words that the context does not give: nobody said them. */
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
