import { LRUCache } from 'lru-cache';
import { telephoneSpans } from '../../../text/telephoneSpans.ts';
import { rangeOfHours } from '../../../text/timesOfDay.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { escapeMarks } from '../../../sites/pages/texts/slotText.ts';
import { plainText } from '../text/parseMarks.ts';
import { matchSpans, type TextSpan } from '../text/textSpans.ts';
import { factLabels, factPatterns, jsonFactKinds, type FactKind } from './factPatterns.ts';

/**
 * Finds facts in texts. A fact is a statement about one business, place or time, such as a price or
 * a telephone number. It would be wrong on a page about another one.
 *
 * - `factPatterns.ts` has the kinds of facts, and the patterns by which they are found.
 * - `findFacts.ts` finds the facts of a text and compares them.
 * - `postalAddress.ts`, `ratings.ts` and `countries.ts` read one kind of fact.
 * - `remainingValues.ts` finds facts that an edit replaced in one text, but not in another.
 *
 * For example, the text `Call (512) 555-0142` has the fact
 * `{ kind: 'telephone', text: '(512) 555-0142', key: '5125550142', from: 5, to: 19, … }`.
 */

/** A fact, as a span of the plain text of its slot. */
export interface Fact extends TextSpan {
  kind: FactKind;
  /** The fact's name for people. */
  label: string;
  text: string;
  /** A form for comparisons, which is the same for most notations of one fact. */
  key: string;
  slot: TextSlot;
}

/** Most facts of a page that are compared with each other. Further facts stay unchanged. */
export const MOST_FACTS = 1_000;
/** Most facts of one text. Long tables of data are not searched to the end. */
const MAX_TEXT_FACTS = 500;
const CONSUMED = '\uFFFC';

type TextFact = Omit<Fact, 'slot'>;

/** Texts of more characters are not cached. */
const MAX_CACHED_LENGTH = 1_000;
/** Characters of all cached texts, with 100 for each entry: about 10,000 short texts. */
const CACHED_CHARACTERS = 1_000_000;
/**
 * Facts of short texts. Each page of a task asks for the template's facts several times, and a
 * cache with fewer entries than the page has texts would find none of them again.
 */
const factCache = new LRUCache<string, readonly TextFact[]>({
  maxSize: CACHED_CHARACTERS,
  sizeCalculation: (_facts, plain) => plain.length + 100,
});

/** The facts of a slot, as spans of its plain text. */
export function findSlotFacts(slot: TextSlot): Fact[] {
  const plain = plainText(slot.text);
  const [, kind] = jsonFactKinds.find(([path]) => path.test(slot.jsonPath ?? '')) ?? [];
  const wholeSpan = { from: 0, to: plain.length };
  if (kind) return [{ ...createFact(plain, kind, wholeSpan), slot }];
  const isCached = plain.length < MAX_CACHED_LENGTH && !slot.numbers;
  const facts = (isCached && factCache.get(plain)) || findTextFacts(plain, slot.numbers);
  if (isCached) factCache.set(plain, facts);
  return facts.map((fact) => ({ ...fact, slot }));
}

function createFact(plain: string, kind: FactKind, { from, to }: TextSpan): TextFact {
  const text = plain.slice(from, to);
  return { kind, label: factLabels[kind], text, key: createFactKey(kind, text), from, to };
}

function findTextFacts(plain: string, numbers: TextSlot['numbers']): TextFact[] {
  let remainingText = plain;
  const facts: TextFact[] = [];
  for (const [kind, patterns] of factPatterns) {
    for (const pattern of patterns) {
      facts.push(
        ...matchSpans(remainingText, pattern)
          .slice(0, MAX_TEXT_FACTS - facts.length)
          .map((span) => createFact(plain, kind, span)),
      );
      remainingText = remainingText.replace(pattern, (text) => CONSUMED.repeat(text.length));
    }
  }
  const telephones = telephoneSpans(remainingText, numbers).slice(0, MAX_TEXT_FACTS - facts.length);
  facts.push(...telephones.map((span) => createFact(plain, 'telephone', span)));
  return joinOpeningHours(
    plain,
    facts.sort((first, second) => first.from - second.from),
  );
}

/** The separators in a list of opening hours: `Mon–Fri 9–5, Sat 10–2 and Sun closed`. */
const HOURS_JOINTS = new Set([...',;·|/&', '', 'and', 'und', ', and', ', und']);

const isHoursJoint = (text: string) =>
  !text.includes('\n') && HOURS_JOINTS.has(text.trim().toLowerCase());

/** Joins opening hours that are next to each other in one line into one fact. */
function joinOpeningHours(plain: string, facts: TextFact[]): TextFact[] {
  const joinedFacts: TextFact[] = [];
  for (const fact of facts) {
    const previous = joinedFacts.at(-1);
    const isList =
      fact.kind === 'hours' &&
      previous?.kind === 'hours' &&
      isHoursJoint(plain.slice(previous.to, fact.from));
    if (!isList) joinedFacts.push(fact);
    else
      joinedFacts[joinedFacts.length - 1] = createFact(plain, 'hours', {
        from: previous.from,
        to: fact.to,
      });
  }
  return joinedFacts;
}

const CLOSED_TEXT =
  /^(?:closed|geschlossen|by appointment(?: only)?|nach vereinbarung|open 24 hours|24\/7)$/i;

/** Whether a text replaces hours: `Closed`, `By appointment`. */
export const isClosedText = (text: string) => CLOSED_TEXT.test(text.trim());

/** The facts of a slot. A text such as `Closed` counts as opening hours. */
export function findSlotFactsOrClosed(slot: TextSlot): Fact[] {
  const text = plainText(slot.text);
  if (!isClosedText(text) || slot.role === 'structured-data') return findSlotFacts(slot);
  return [
    {
      kind: 'hours',
      label: factLabels.hours,
      text,
      key: text.toLowerCase(),
      slot,
      from: 0,
      to: text.length,
    },
  ];
}

/** Wraps plain text as a slot, so that facts can be found in it. */
export const textSlot = (text: string): TextSlot => ({
  id: '',
  role: 'paragraph',
  section: null,
  text: escapeMarks(text),
  parts: [],
  locked: false,
});

const LONGEST_LINE = 60;
/** Whether a slot is a short line that holds a fact (`Rated 4.9 out of 5`), not running text. */
export const isFactLine = (slot: TextSlot): boolean =>
  plainText(slot.text).length < LONGEST_LINE && findSlotFacts(slot).length > 0;

/** Whether two facts are the same, in any notation: `+1-512-555-0142` and `(512) 555-0142`. */
export function isSameFact(first: Fact, second: Fact): boolean {
  if (first.kind !== second.kind) return false;
  if (first.kind === 'hours') return hoursKey(first) === hoursKey(second);
  return first.kind === 'telephone'
    ? first.key.endsWith(second.key) || second.key.endsWith(first.key)
    : first.key === second.key;
}

/**
 * Whether one fact contains another, as an address contains its street, or opening hours the
 * opening time.
 */
export function containsFact(outer: Fact, inner: Fact): boolean {
  if (outer.kind !== inner.kind) return false;
  const words = ` ${outer.key} `;
  return inner.key.split(' ').every((word) => words.includes(` ${word} `));
}

function createFactKey(kind: FactKind, text: string): string {
  if (kind === 'telephone') return text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
  if (kind === 'hours') return readTimesOfDay(text).join(' ') || text.toLowerCase();
  if (kind === 'price') return text.replace(/[.,][-–—]+/g, '').replace(/[^\d.–-]/g, '');
  if (kind === 'rating' || kind === 'reviews') return text.replace(/[^\d.–-]/g, '');
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@.]+/gu, ' ')
    .trim();
}

/** The key of opening hours. `9–5` has the key of `09:00–17:00`. */
export const hoursKey = ({ text, key }: Pick<Fact, 'text' | 'key'>): string => {
  const times = key.split(' ').map(Number);
  return times.length === 2 && times.every((time) => !Number.isNaN(time))
    ? rangeOfHours(text, times).join(' ')
    : key;
};

/** Times of day as minutes since midnight. */
function readTimesOfDay(text: string): number[] {
  const digits = text.replace(/\b(?:noon|midday)\b/giu, '12pm').replace(/\bmidnight\b/giu, '12am');
  return [...digits.matchAll(/(\d{1,2})(?:(?:[:.]|\s?h\s?)(\d{2}))?\s*([ap])?\.?m?/giu)].map(
    ([, hour, minute, dayHalf]) => {
      const baseHour =
        (Number(hour) % (dayHalf ? 12 : 24)) + (dayHalf?.toLowerCase() === 'p' ? 12 : 0);
      return baseHour * 60 + Number(minute ?? 0);
    },
  );
}
