import type { Slot } from '../../../sites/formats/format.ts';
import { plainText } from '../../text/marks.ts';
import { overlaps, spansOf, type Span } from '../../text/words.ts';
import { factPatterns, jsonFacts } from './factPatterns.ts';

export type FactKind =
  'email' | 'telephone' | 'address' | 'coordinates' | 'date' | 'hours' | 'price' | 'rating' | 'reviews';

/** A statement about one business, place or time, which is wrong on a page about another. */
export interface Fact extends Span {
  kind: FactKind;
  /** What a person calls it. */
  label: string;
  text: string;
  slot: Slot;
}

/** The facts of a slot, as spans of its visible text. */
export function factsOf(slot: Slot): Fact[] {
  const plain = plainText(slot.text);
  const named = jsonFacts.find(({ path }) => path.test(slot.jsonPath ?? ''));
  if (named) return [{ kind: named.kind, label: named.label, text: plain, slot, from: 0, to: plain.length }];
  const found: Fact[] = [];
  for (const { kind, label, patterns } of factPatterns) {
    for (const span of patterns.flatMap((pattern) => spansOf(plain, pattern))) {
      if (found.some((fact) => overlaps(fact, span))) continue;
      found.push({ kind, label, text: plain.slice(span.from, span.to), slot, ...span });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

/** The same for two ways of writing one fact: `+1-512-555-0142` and `(512) 555-0142`. */
export function isSameFact(a: Fact, b: Fact): boolean {
  if (a.kind !== b.kind) return false;
  const [x, y] = [keyOf(a), keyOf(b)];
  if (a.kind === 'telephone') return x.endsWith(y) || y.endsWith(x);
  return x === y;
}

/** Whether `whole` already says what `part` says: an address says its street, opening hours say when they begin. */
export function saysFact(whole: Fact, part: Fact): boolean {
  if (whole.kind !== part.kind) return false;
  const words = ` ${keyOf(whole)} `;
  return keyOf(part)
    .split(' ')
    .every((word) => words.includes(` ${word} `));
}

function keyOf({ kind, text }: Fact): string {
  if (kind === 'telephone') return text.replace(/\D/g, '').replace(/^00/, '');
  if (kind === 'hours') return timesOf(text).join(' ') || text.toLowerCase();
  if (kind === 'price' || kind === 'rating' || kind === 'reviews') return text.replace(/[^\d.–-]/g, '');
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@.]+/gu, ' ')
    .trim();
}

/** Times of day as minutes since midnight. */
function timesOf(text: string): number[] {
  return [...text.matchAll(/(\d{1,2})(?:[:.](\d{2}))?\s*([ap])?\.?m?/giu)].map(([, hour, minute, half]) => {
    const base = (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'p' ? 12 : 0);
    return base * 60 + Number(minute ?? 0);
  });
}
