import type { Slot, SlotGroup } from '../../sites/formats/page.ts';
import { foldWords } from '../text/fold.ts';
import { plainText } from '../text/marks.ts';
import { findWords, replaceSpans } from '../text/spans.ts';
import type { Field } from '../context/contextData.ts';
import { inOrder, splitLine, type Entry } from '../context/listEntries.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import { factsOf, isFactLine, textSlot } from '../facts/findFacts.ts';
import { inCaseOf, upperFirst } from '../text/letterCase.ts';
import { bareQuoteOf, isName, quoteOf } from '../context/citedQuotes.ts';
import { headingFit } from './headingFit.ts';
import { entryKeys, factKeys, names } from '../context/contextKeys.ts';

/** A member of a group, without the lists inside it. */
export interface Member {
  group: SlotGroup;
  slots: Slot[];
  /** The names of a table's columns, by slot. */
  columns: Map<Slot, string>;
  /** Labels: texts that all members of the template share. */
  common: Set<string>;
  isClone: boolean;
}

/**
 * The new texts of a member by slot, parts of the entry without a place in it, and texts of the
 * member that the entry does not replace.
 */
export interface Written {
  texts: Map<Slot, string>;
  unplaced: string[];
  missing: string[];
}

const LIKELY = 0.5;

/**
 * Writes an entry into a member. Empties texts of the old member that the entry does not replace: a
 * new item never shows another item's price or words. Links, images and labels stay, with the new
 * name in them.
 */
export function writeMember(member: Member, given: Entry): Written {
  const written: Written = { texts: new Map(), unplaced: [], missing: [] };
  const entry = withAuthor(member, readLine(member, given));
  const title = titleOf(member);
  const free = () => member.slots.filter((slot) => !written.texts.has(slot));
  if (title && entry.heading !== null) written.texts.set(title, entry.heading);
  const others = entry.fields.filter((field) => !writeField(written.texts, member, free(), field));
  const caption = title ? undefined : free().find(({ role }) => role === 'caption');
  const byline = caption && entry.heading !== null ? [entry.heading, ...valuesOf(others)] : [];
  if (caption && byline.length > 0) written.texts.set(caption, bylineOf(byline));
  const isNamed = title || byline.length > 0 || entry.heading === null;
  const said = isNamed ? entry.paragraphs : joined(entry);
  const paragraphs = said.filter((text) => !writeFact(written.texts, free(), text));
  const running = runningOf(free());
  for (const [slot, text] of inOrder(running, paragraphs)) written.texts.set(slot, text);
  if (paragraphs.length > 0 && running.length === 0) written.unplaced.push('text');
  for (const { key, values } of byline.length > 0
    ? others.filter(({ key }) => isFact(key))
    : others) {
    const slot = isFact(key) ? undefined : free().find(isRunning);
    if (slot) written.texts.set(slot, values.join(', '));
    else written.unplaced.push(key);
  }
  if (!isSame(member, entry)) leaveOut(written, member, free(), entry);
  return written;
}

/** Values about a person besides the name: `owner`, `Calloway Bakery`. */
const valuesOf = (fields: Field[]) =>
  fields.filter(({ key }) => !isFact(key)).flatMap(({ values }) => values);

/**
 * Whether an entry has the same name as the old member. Then texts that the entry lacks stay valid.
 */
export function isSame(member: Member, { heading }: Entry): boolean {
  const title = titleOf(member);
  return (
    !member.isClone &&
    !!title &&
    heading !== null &&
    foldWords(plainText(title.text)) === foldWords(heading)
  );
}

/** The slot with a member's name. */
export function titleOf({ group, slots }: Pick<Member, 'group' | 'slots'>): Slot | undefined {
  const heading = slots.find(({ role }) => role === 'heading');
  if (heading || group.role === 'card' || slots.some(isByline)) return heading;
  const texts = slots.filter((slot) => isOwn(slot) || slot.role === 'button');
  return texts.length > 1 ? texts[0] : undefined;
}

/** Whether a text names the author of another text in its member. */
const isByline = (slot: Slot) => slot.role === 'caption' && isOwn(slot);

/** Uses the author of a quote, given under its own key, as the name below it. */
function withAuthor({ slots }: Member, entry: Entry): Entry {
  const author = entry.fields.find(({ key }) => entryKeys.author.has(key));
  if (!author || entry.heading !== null || !slots.some(isByline)) return entry;
  return {
    ...entry,
    heading: author.values.join(', '),
    fields: entry.fields.filter((field) => field !== author),
  };
}

/** A name, with a second line about the person: see `fitByline`. */
function bylineOf(texts: string[]): string {
  const [name = '', ...about] = texts
    .flatMap((text) => text.split(/[,|]/))
    .map((text) => text.trim());
  return about.length > 0 ? `${name}\n${about.join(', ')}` : name;
}

/** Splits a line into two texts if the member has a place for each. */
function readLine(member: Member, entry: Entry): Entry {
  const { line } = entry;
  if (line === null) return entry;
  const title = titleOf(member);
  const quote = title || !member.slots.some(isByline) ? quoteOf(line) : bareQuoteOf(line);
  if (quote) return { ...entry, heading: quote.author, paragraphs: [quote.text] };
  if (member.slots.some(isByline) && isName(line)) return { ...entry, heading: line };
  const split = title && splitLine(line);
  if (split) return { ...entry, heading: split.heading, paragraphs: [upperFirst(split.text)] };
  const isTitle = title && !/[.!…]$/u.test(line);
  return isTitle ? { ...entry, heading: line } : { ...entry, paragraphs: [line] };
}

/**
 * The texts of an entry. If the name has no place in the member, it comes before the first text.
 */
function joined({ heading, paragraphs: [first, ...others] }: Entry): string[] {
  return [first === undefined ? heading! : `${heading}: ${first}`, ...others];
}

/** Puts a field into the place that its key names; false if the member has no such place. */
function writeField(
  texts: Map<Slot, string>,
  { columns }: Member,
  free: Slot[],
  field: Field,
): boolean {
  const value = field.values.join(', ');
  const fits = (slot: Slot) => headingFit(field.key, columns.get(slot) ?? '');
  const [column] = free.filter((slot) => fits(slot) >= LIKELY).sort((a, b) => fits(b) - fits(a));
  const fact = free
    .flatMap(factsOf)
    .find(({ kind }) => kind === (kindOf(field.key) ?? wholeFact(value)));
  const role = roleFor(field.key);
  const slot = column ?? fact?.slot ?? free.find((slot) => slot.role === role);
  if (!slot) return false;
  const isSpan =
    !column &&
    fact &&
    factsOf({ ...slot, text: value }).some(({ from, to }) => to - from === value.length);
  texts.set(slot, isSpan ? replaceSpans(plainText(slot.text), [{ ...fact, text: value }]) : value);
  return true;
}

/**
 * Puts a text that is only a fact (`Starter: $3,900`) into the place of the member's own fact;
 * false if there is none.
 */
function writeFact(texts: Map<Slot, string>, free: Slot[], text: string): boolean {
  const kind = wholeFact(text);
  const fact =
    kind &&
    free
      .filter(isOwn)
      .flatMap(factsOf)
      .find((fact) => fact.kind === kind);
  if (fact) texts.set(fact.slot, replaceSpans(plainText(fact.slot.text), [{ ...fact, text }]));
  return fact !== undefined;
}

/** The kind of fact if the whole text is one. */
export const wholeFact = (text: string): FactKind | undefined =>
  factsOf(textSlot(text)).find(({ from, to }) => to - from === text.length)?.kind;

const kindOf = (key: string) =>
  (Object.keys(factKeys) as FactKind[]).find((kind) => factKeys[kind].includes(key));
const isFact = (key: string) => kindOf(key) !== undefined;
const has = (list: readonly string[], key: string) => list.includes(key);
const roleFor = (key: string) =>
  entryKeys.author.has(key)
    ? 'caption'
    : has(names.button, key)
      ? 'button'
      : has(names.imageAlt, key)
        ? 'image-alt'
        : undefined;

const LONGEST_LABEL = 40;
/** Whether a text is a label (`per month`, `Read more`), which is true for any member. */
export const isLabel = (slot: Slot) =>
  plainText(slot.text).length <= LONGEST_LABEL &&
  !/[.!?…]$/u.test(slot.text) &&
  factsOf(slot).length === 0;

const texts = ['heading', 'paragraph', 'list-item', 'table-cell', 'caption', 'other'];

/**
 * Whether a slot has words about its own member: no link label, image text or text for screen
 * readers only.
 */
export const isOwn = (slot: Slot) =>
  !slot.id.includes('.') &&
  (texts.includes(slot.role) || (['link', 'button'].includes(slot.role) && !isLabel(slot)));

/** Whether a slot is for running text, and not a line with a fact (`$4,800 a month`). */
const isRunning = (slot: Slot) => isOwn(slot) && slot.role !== 'heading' && !isFactLine(slot);

/** The slots for running text. If a member only has a line with a fact (`$5 off`), that line. */
function runningOf(free: Slot[]): Slot[] {
  const running = free.filter(isRunning);
  return running.length > 0
    ? running
    : free.filter((slot) => isOwn(slot) && slot.role !== 'heading').slice(0, 1);
}

/**
 * Empties texts about the old member. If its name occurs in a link or an image's text, the new name
 * replaces it there.
 */
function leaveOut({ texts, missing }: Written, member: Member, free: Slot[], entry: Entry) {
  const old = plainText(titleOf(member)?.text ?? '');
  for (const slot of free) {
    const plain = plainText(slot.text);
    if (isOwn(slot) && !member.common.has(plain)) {
      texts.set(slot, '');
      missing.push(missingName(slot, member));
    } else if (entry.heading !== null && findWords(plain, old, { anyCase: true }).length > 0)
      texts.set(slot, renamed(plain, old, entry.heading));
  }
}

const missingName = (slot: Slot, { columns }: Member) =>
  columns.get(slot)?.toLowerCase() ??
  factsOf(slot)[0]?.label ??
  (slot.role === 'heading' ? 'heading' : 'text');

function renamed(plain: string, old: string, name: string): string {
  const found = findWords(plain, old, { anyCase: true });
  return replaceSpans(
    plain,
    found.map((span) => ({ ...span, text: inCaseOf(plain.slice(span.from, span.to), old, name) })),
  );
}
