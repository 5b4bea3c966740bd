import { isHeadline, type Slot } from '../../../sites/formats/page.ts';
import { escapeMarks } from '../../../sites/pages/slotText.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { findWords, replaceSpans, type Span } from '../../text/spans.ts';
import type { Field } from '../../context/contextData.ts';
import { daysAt, isSameDays } from '../../../text/days.ts';
import { factsOf, factsOrClosed } from '../../facts/findFacts.ts';
import { isHoursField } from '../../context/givenHours.ts';
import type { Filling } from '../../page/filling.ts';
import { contentWords, headingFit } from '../../page/headingFit.ts';
import { factKeys, isKnownKey } from '../../context/contextKeys.ts';
import { isVisible } from './pageParts.ts';

const LIKELY = 0.75;
const MOST_FIELDS = 200;
const LONGEST_LINE = 80;
const LONGEST_VALUE = 40;

/** Keys of facts that are replaced everywhere on a page, not only beside a label. */
const EVERYWHERE = new Set([...factKeys.telephone, ...factKeys.email, ...factKeys.address]);

/**
 * Puts values beside the labels that their keys name. A label is a `dt`, a row's `th`, a small line
 * above a heading, or words in a text (`open since 2014`).
 * @param renamed returns a text of the template as it reads on the new page
 */
export function fillLabels(filling: Filling, fields: Field[], renamed: (slot: Slot) => string) {
  const shown = filling.slots.filter(isVisible);
  const labels = labelsOf(shown, renamed);
  const lines = linesOf(shown, renamed);
  for (const field of fields.slice(0, MOST_FIELDS)) {
    if (EVERYWHERE.has(field.key) || field.key.startsWith('address ')) continue;
    const text = field.values.join(', ');
    // hours of single days are matched elsewhere, together with all hours of the page
    const own = isHoursField(field) ? labels.filter(({ value }) => !showsHours(value)) : labels;
    if (
      putBehindLabel(filling, own, field.key, text) ||
      putBehindWords(filling, lines, field.key, text)
    )
      filling.use(field);
  }
}

const showsHours = (slot: Slot) => factsOrClosed(slot).some(({ kind }) => kind === 'hours');

/** A label as it reads on the template and on the new page, and the text that it labels. */
export interface Label {
  names: readonly [string, string];
  value: Slot;
}

export const labelsOf = (shown: readonly Slot[], renamed: (slot: Slot) => string): Label[] =>
  shown.flatMap((slot, i) => {
    const value = valueOf(slot, shown[i + 1]);
    return value ? [{ names: [plainText(slot.text), renamed(slot)] as const, value }] : [];
  });

/** Puts a text beside the label that a key names. Returns whether there is such a label. */
export function putBehindLabel(
  filling: Filling,
  labels: Label[],
  key: string,
  text: string,
): boolean {
  const [best] = labels
    .map(({ names, value }) => ({ value, score: fit(key, names) }))
    .filter(({ value, score }) => score >= LIKELY && !filling.texts.has(value))
    .sort((a, b) => b.score - a.score);
  if (best) filling.put(best.value, text);
  return best !== undefined;
}

/**
 * How well a key fits a label, from 0 to 1.
 * - A key that equals the label fits fully.
 * - A known key names another text.
 * - If the label is days, the key must be the same days.
 * - Any other key must have all words of the label except the subject: `Start` does not fit
 * `Projects start at`.
 */
function fit(key: string, names: readonly [string, string]): number {
  if (names.some((name) => foldWords(name) === key)) return 1;
  if (isKnownKey(key)) return 0;
  const [own, label] = [daysAt(key), daysAt(names[0])];
  if (label.days.length > 0 && label.rest === '')
    return own.rest === '' && isSameDays(own.days, label.days) ? 1 : 0;
  const words = new Set(contentWords(names[0])).intersection(new Set(contentWords(names[1])));
  return words.isSubsetOf(new Set(contentWords(key)))
    ? Math.max(...names.map((name) => headingFit(key, name)))
    : 0;
}

/** The text that belongs to a label. undefined if the slot is no label. */
function valueOf(slot: Slot, next: Slot | undefined): Slot | undefined {
  if (!next || isHeadline(next)) return undefined;
  const isAbove =
    slot.role === 'paragraph' &&
    next.role === 'heading' &&
    isLine(slot) &&
    numberOf(next) - numberOf(slot) === 1;
  return slot.label || isAbove ? next : undefined;
}

const isLine = (slot: Slot) =>
  slot.text.length <= LONGEST_VALUE && !/[.!?…]$/u.test(slot.text) && factsOf(slot).length === 0;
/** The number of a slot's element in document order. */
const numberOf = ({ id }: Slot) => Number(/\d+/.exec(id)?.[0]);

/** A short text as it reads on the template, and as it reads on the new page (`now`). */
interface Line {
  slot: Slot;
  now: Slot;
  folded: string;
}

const LINES = new Set(['paragraph', 'list-item', 'table-cell', 'caption', 'other']);

const linesOf = (slots: Slot[], renamed: (slot: Slot) => string): Line[] =>
  slots
    .filter(({ role, text }) => LINES.has(role) && text.length <= LONGEST_LINE)
    .map((slot) => ({
      slot,
      now: { ...slot, text: escapeMarks(renamed(slot)) },
      folded: foldWords(renamed(slot)),
    }));

/** Replaces the value behind a key's words within a line: `Austin studio, open since 2014`. */
function putBehindWords(filling: Filling, lines: Line[], key: string, text: string): boolean {
  let isPut = false;
  for (const { slot, now, folded } of isKnownKey(key) ? [] : lines) {
    const span = folded.includes(key) && !filling.texts.has(slot) ? spanBehind(now, key) : null;
    // the whole line counts as this field's: another fact in it would be neither replaced nor
    // reported
    if (!span || factsOf(now).some((fact) => fact.to <= span.from || fact.from >= span.to))
      continue;
    filling.put(
      slot,
      replaceSpans(plainText(now.text), [{ ...span, text: text.replace(/\.$/, '') }]),
    );
    isPut = true;
  }
  return isPut;
}

function spanBehind(slot: Slot, key: string): Span | null {
  const plain = plainText(slot.text);
  const [found] = findWords(plain, key, { anyCase: true });
  if (!found || /[.!?…]$/u.test(plain)) return null;
  const from = found.to + /^[\s:–-]*/u.exec(plain.slice(found.to))![0].length;
  const rest = plain.slice(from);
  const fact = factsOf(slot).find((own) => own.from === from);
  if (fact) return { from, to: fact.to };
  const isLabel = plain.slice(found.to, from).includes(':') || /\d/.test(rest);
  const value = rest.split(/[,;|·]/)[0]!.trimEnd();
  return isLabel && value !== '' && value.length <= LONGEST_VALUE
    ? { from, to: from + value.length }
    : null;
}
