import { LRUCache } from 'lru-cache';
import { telephoneSpans } from '../../text/telephoneSpans.ts';
import { rangeOfHours } from '../../text/times.ts';
import type { Slot } from '../../sites/formats/page.ts';
import { escapeMarks } from '../../sites/pages/slotText.ts';
import { plainText } from '../text/marks.ts';
import { spansOf, type Span } from '../text/spans.ts';
import { factLabels, factPatterns, jsonFacts, type FactKind } from './factPatterns.ts';

/** A statement about one business, place or time. It would be wrong on a page about another. */
export interface Fact extends Span {
  kind: FactKind;
  /** The fact's name for people. */
  label: string;
  text: string;
  /** The same for most notations of one fact. */
  key: string;
  slot: Slot;
}

/** Most facts of a page that are compared with each other. Further facts stay unchanged. */
export const MOST_FACTS = 1_000;
/** Most facts of one text. Long tables of data are not searched to the end. */
const MOST = 500;
const TAKEN = '\uFFFC';

type TextFact = Omit<Fact, 'slot'>;

/** Texts of more characters are not cached. */
const SHORT = 1_000;
/** Facts of short texts. Each page of a task asks for the template's facts several times. */
const known = new LRUCache<string, readonly TextFact[]>({ max: 1_000 });

/** The facts of a slot, as spans of its plain text. */
export function factsOf(slot: Slot): Fact[] {
  const plain = plainText(slot.text);
  const [, kind] = jsonFacts.find(([path]) => path.test(slot.jsonPath ?? '')) ?? [];
  const whole = { from: 0, to: plain.length };
  if (kind) return [{ ...factIn(plain, kind, whole), slot }];
  const isCached = plain.length < SHORT && !slot.numbers;
  const facts = (isCached && known.get(plain)) || findFacts(plain, slot.numbers);
  if (isCached) known.set(plain, facts);
  return facts.map((fact) => ({ ...fact, slot }));
}

function factIn(plain: string, kind: FactKind, { from, to }: Span): TextFact {
  const text = plain.slice(from, to);
  return { kind, label: factLabels[kind], text, key: keyOf(kind, text), from, to };
}

function findFacts(plain: string, numbers: Slot['numbers']): TextFact[] {
  let rest = plain;
  const found: TextFact[] = [];
  for (const [kind, patterns] of factPatterns) {
    for (const pattern of patterns) {
      found.push(
        ...spansOf(rest, pattern)
          .slice(0, MOST - found.length)
          .map((span) => factIn(plain, kind, span)),
      );
      rest = rest.replace(pattern, (text) => TAKEN.repeat(text.length));
    }
  }
  const telephones = telephoneSpans(rest, numbers).slice(0, MOST - found.length);
  found.push(...telephones.map((span) => factIn(plain, 'telephone', span)));
  return joinHours(
    plain,
    found.sort((a, b) => a.from - b.from),
  );
}

/** The separators in a list of opening hours: `Mon–Fri 9–5, Sat 10–2 and Sun closed`. */
const JOINTS = new Set([...',;·|/&', '', 'and', 'und', ', and', ', und']);

const isJoint = (text: string) => !text.includes('\n') && JOINTS.has(text.trim().toLowerCase());

/** Makes one fact of opening hours that stand side by side in one line. */
function joinHours(plain: string, facts: TextFact[]): TextFact[] {
  const joined: TextFact[] = [];
  for (const fact of facts) {
    const last = joined.at(-1);
    const isList =
      fact.kind === 'hours' && last?.kind === 'hours' && isJoint(plain.slice(last.to, fact.from));
    if (!isList) joined.push(fact);
    else joined[joined.length - 1] = factIn(plain, 'hours', { from: last.from, to: fact.to });
  }
  return joined;
}

const CLOSED =
  /^(?:closed|geschlossen|by appointment(?: only)?|nach vereinbarung|open 24 hours|24\/7)$/i;

/** Whether a text replaces hours: `Closed`, `By appointment`. */
export const isClosed = (text: string) => CLOSED.test(text.trim());

/** The facts of a slot. A text such as `Closed` counts as opening hours. */
export function factsOrClosed(slot: Slot): Fact[] {
  const text = plainText(slot.text);
  if (!isClosed(text) || slot.role === 'structured-data') return factsOf(slot);
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
export const textSlot = (text: string): Slot => ({
  id: '',
  role: 'paragraph',
  section: null,
  text: escapeMarks(text),
  parts: [],
  locked: false,
});

const LONGEST_LINE = 60;
/** Whether a slot is a short line that holds a fact (`Rated 4.9 out of 5`), not running text. */
export const isFactLine = (slot: Slot): boolean =>
  plainText(slot.text).length < LONGEST_LINE && factsOf(slot).length > 0;

/** Whether two facts are the same, in any notation: `+1-512-555-0142` and `(512) 555-0142`. */
export function isSameFact(a: Fact, b: Fact): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'hours') return hoursKey(a) === hoursKey(b);
  return a.kind === 'telephone' ? a.key.endsWith(b.key) || b.key.endsWith(a.key) : a.key === b.key;
}

/**
 * Whether one fact contains another, as an address contains its street, or opening hours the
 * opening time.
 */
export function saysFact(whole: Fact, part: Fact): boolean {
  if (whole.kind !== part.kind) return false;
  const words = ` ${whole.key} `;
  return part.key.split(' ').every((word) => words.includes(` ${word} `));
}

function keyOf(kind: FactKind, text: string): string {
  if (kind === 'telephone') return text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
  if (kind === 'hours') return timesOf(text).join(' ') || text.toLowerCase();
  if (kind === 'price') return text.replace(/[.,][-–—]+/g, '').replace(/[^\d.–-]/g, '');
  if (kind === 'rating' || kind === 'reviews') return text.replace(/[^\d.–-]/g, '');
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@.]+/gu, ' ')
    .trim();
}

/** The key of opening hours, in which `9–5` is `09:00–17:00`. */
export const hoursKey = ({ text, key }: Pick<Fact, 'text' | 'key'>): string => {
  const times = key.split(' ').map(Number);
  return times.length === 2 && times.every((time) => !Number.isNaN(time))
    ? rangeOfHours(text, times).join(' ')
    : key;
};

/** Times of day as minutes since midnight. */
function timesOf(text: string): number[] {
  const digits = text.replace(/\b(?:noon|midday)\b/giu, '12pm').replace(/\bmidnight\b/giu, '12am');
  return [...digits.matchAll(/(\d{1,2})(?:(?:[:.]|\s?h\s?)(\d{2}))?\s*([ap])?\.?m?/giu)].map(
    ([, hour, minute, half]) => {
      const base = (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'p' ? 12 : 0);
      return base * 60 + Number(minute ?? 0);
    },
  );
}
