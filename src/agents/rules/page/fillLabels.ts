import { isHeadline, type TextSlot } from '../../../sites/formats/pageParts.ts';
import { escapeMarks } from '../../../sites/pages/texts/slotText.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { findWords, replaceSpans, type TextSpan } from '../../shared/text/textSpans.ts';
import type { ContextField } from '../../shared/context/contextData.ts';
import { beginsWithDay } from '../../shared/facts/factPatterns.ts';
import { findSlotFacts } from '../../shared/facts/findFacts.ts';
import type { PageFilling } from '../../shared/page/pageFilling.ts';
import { listContentWords, scoreHeadingFit } from '../../shared/page/headingFit.ts';
import { factKeys, isKnownKey } from '../../shared/context/contextKeys.ts';
import { isVisibleSlot, readElementNumber } from './pageParts.ts';

const MIN_LABEL_FIT = 0.75;
const MOST_FIELDS = 200;
const LONGEST_LINE = 80;
const LONGEST_VALUE = 40;

/** Keys of facts that are replaced everywhere on a page, not only beside a label. */
const KEYS_REPLACED_EVERYWHERE = new Set([
  ...factKeys.telephone,
  ...factKeys.email,
  ...factKeys.address,
]);

/**
 * Puts values beside the labels that their keys name. A label is a `dt`, a row's `th`, a small line
 * above a heading, or words in a text: the field `open since: 2019` changes `open since 2014`.
 * @param renamed returns a text of the template as it reads on the new page
 */
export function fillLabels(
  filling: PageFilling,
  fields: ContextField[],
  renamed: (slot: TextSlot) => string,
) {
  const visibleSlots = filling.slots.filter(isVisibleSlot);
  const labels = findLabels(visibleSlots, renamed);
  const lines = findShortLines(visibleSlots, renamed);
  for (const field of fields.slice(0, MOST_FIELDS)) {
    if (KEYS_REPLACED_EVERYWHERE.has(field.key) || field.key.startsWith('address ')) continue;
    const text = field.values.join(', ');
    if (
      putBehindLabel(filling, labels, field.key, text) ||
      putBehindWords(filling, lines, field.key, text)
    )
      filling.use(field);
  }
}

/** A label as it reads on the template and on the new page, and the text that it labels. */
export interface PageLabel {
  names: readonly [string, string];
  value: TextSlot;
}

/** Finds the labels among slots in document order, and the text that each of them labels. */
export const findLabels = (
  visibleSlots: readonly TextSlot[],
  renamed: (slot: TextSlot) => string,
): PageLabel[] =>
  visibleSlots.flatMap((slot, index) => {
    const value = findLabelledSlot(slot, visibleSlots[index + 1]);
    return value ? [{ names: [plainText(slot.text), renamed(slot)] as const, value }] : [];
  });

/** Puts a text beside the label that fits a key best. Returns whether there is such a label. */
export function putBehindLabel(
  filling: PageFilling,
  labels: PageLabel[],
  key: string,
  text: string,
): boolean {
  const [bestLabel] = labels
    .map(({ names, value }) => ({ value, score: scoreLabelFit(key, names) }))
    .filter(({ value, score }) => score >= MIN_LABEL_FIT && !filling.texts.has(value))
    .sort((first, second) => second.score - first.score);
  if (bestLabel) filling.put(bestLabel.value, text);
  return bestLabel !== undefined;
}

/**
 * How well a key fits a label, from 0 to 1.
 * - A key that equals the label fits fully.
 * - Otherwise, a known key fits no label, since it names another text. A label that begins with
 *   days (`Mon–Fri`) fits no other key.
 * - Any other key must have all words of the label except the topic: `Start` does not fit
 *   `Projects start at`.
 */
function scoreLabelFit(key: string, names: readonly [string, string]): number {
  if (names.some((name) => foldWords(name) === key)) return 1;
  if (isKnownKey(key) || beginsWithDay(names[0])) return 0;
  const words = new Set(listContentWords(names[0])).intersection(
    new Set(listContentWords(names[1])),
  );
  return words.isSubsetOf(new Set(listContentWords(key)))
    ? Math.max(...names.map((name) => scoreHeadingFit(key, name)))
    : 0;
}

/** The text that a label labels, which is the next slot. undefined if the slot is not a label. */
function findLabelledSlot(slot: TextSlot, nextSlot: TextSlot | undefined): TextSlot | undefined {
  if (!nextSlot || isHeadline(nextSlot)) return undefined;
  const isAbove =
    slot.role === 'paragraph' &&
    nextSlot.role === 'heading' &&
    isLabelLine(slot) &&
    readElementNumber(nextSlot) - readElementNumber(slot) === 1;
  return slot.label || isAbove ? nextSlot : undefined;
}

const isLabelLine = (slot: TextSlot) =>
  slot.text.length <= LONGEST_VALUE &&
  !/[.!?…]$/u.test(slot.text) &&
  findSlotFacts(slot).length === 0;
/** A short text: `slot` on the template, and `now` on the new page. `folded` is for comparison. */
interface ShortLine {
  slot: TextSlot;
  now: TextSlot;
  folded: string;
}

const LINE_ROLES = new Set(['paragraph', 'list-item', 'table-cell', 'caption', 'other']);

const findShortLines = (slots: TextSlot[], renamed: (slot: TextSlot) => string): ShortLine[] =>
  slots
    .filter(({ role, text }) => LINE_ROLES.has(role) && text.length <= LONGEST_LINE)
    .map((slot) => ({
      slot,
      now: { ...slot, text: escapeMarks(renamed(slot)) },
      folded: foldWords(renamed(slot)),
    }));

/** Replaces the value behind a key's words within a line: `Austin studio, open since 2014`. */
function putBehindWords(
  filling: PageFilling,
  lines: ShortLine[],
  key: string,
  text: string,
): boolean {
  let isPut = false;
  for (const { slot, now: newSlot, folded } of isKnownKey(key) ? [] : lines) {
    const span =
      folded.includes(key) && !filling.texts.has(slot) ? findValueBehind(newSlot, key) : null;
    // a line with another fact is left alone: since the line is filled then, that fact would be
    // neither replaced nor reported
    if (
      !span ||
      findSlotFacts(newSlot).some((fact) => fact.to <= span.from || fact.from >= span.to)
    )
      continue;
    filling.put(
      slot,
      replaceSpans(plainText(newSlot.text), [{ ...span, text: text.replace(/\.$/, '') }]),
    );
    isPut = true;
  }
  return isPut;
}

/** Where the value behind a key's words is in a text: `2014` in `open since 2014`. */
function findValueBehind(slot: TextSlot, key: string): TextSpan | null {
  const plain = plainText(slot.text);
  const [keySpan] = findWords(plain, key, { anyCase: true });
  if (!keySpan || /[.!?…]$/u.test(plain)) return null;
  const from = keySpan.to + /^[\s:–-]*/u.exec(plain.slice(keySpan.to))![0].length;
  const textBehind = plain.slice(from);
  const fact = findSlotFacts(slot).find((candidate) => candidate.from === from);
  if (fact) return { from, to: fact.to };
  const isLabel = plain.slice(keySpan.to, from).includes(':') || /\d/.test(textBehind);
  const value = textBehind.split(/[,;|·]/)[0]!.trimEnd();
  return isLabel && value !== '' && value.length <= LONGEST_VALUE
    ? { from, to: from + value.length }
    : null;
}
