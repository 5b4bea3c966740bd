import type { TextSlot, SlotGroup } from '../../../sites/formats/pageParts.ts';
import { foldWords } from '../text/foldText.ts';
import { plainText } from '../text/parseMarks.ts';
import { findWords, replaceSpans } from '../text/textSpans.ts';
import type { ContextField } from '../context/contextData.ts';
import { pairInOrder, splitHeadedLine, type ListEntry } from '../context/listEntries.ts';
import type { FactKind } from '../facts/factPatterns.ts';
import { findSlotFacts, isFactLine, textSlot } from '../facts/findFacts.ts';
import { matchLetterCase, upperFirst } from '../text/letterCase.ts';
import { readUnmarkedQuote, mayBePersonName, readQuote } from '../context/citedQuotes.ts';
import { scoreHeadingFit } from './headingFit.ts';
import { entryKeys, factKeys, pageTextKeys } from '../context/contextKeys.ts';

/** A member of a group, without the lists inside it. */
export interface MemberSlots {
  group: SlotGroup;
  slots: TextSlot[];
  /** The names of a table's columns, by slot. */
  columns: Map<TextSlot, string>;
  /** Labels: texts that all members of the template share. */
  common: Set<string>;
  isClone: boolean;
}

/**
 * The new texts of a member by slot, parts of the entry without a place in it, and texts of the
 * member that the entry does not replace.
 */
export interface WrittenMember {
  texts: Map<TextSlot, string>;
  unplaced: string[];
  missing: string[];
}

const MIN_COLUMN_FIT = 0.5;

/**
 * Writes an entry of the context's list into a member of a group, such as a card: `Starter: $900`
 * becomes the card's heading and price. Empties texts of the old member that the entry does not
 * replace: a new item never shows another item's price or words. Links, images and labels stay,
 * with the new name in them.
 */
export function writeMember(member: MemberSlots, listEntry: ListEntry): WrittenMember {
  const result: WrittenMember = { texts: new Map(), unplaced: [], missing: [] };
  const title = findMemberTitle(member);
  const entry = splitByline(member, useAuthorAsHeading(member, splitEntryLine(member, listEntry)));
  const listFreeSlots = () => member.slots.filter((slot) => !result.texts.has(slot));
  if (title && entry.heading !== null) result.texts.set(title, entry.heading);
  const otherFields = entry.fields.filter(
    (field) => !writeMemberField(result.texts, member, listFreeSlots(), field),
  );
  const caption = title ? undefined : listFreeSlots().find(({ role }) => role === 'caption');
  const byline =
    caption && entry.heading !== null ? [entry.heading, ...listPersonValues(otherFields)] : [];
  if (caption && byline.length > 0) result.texts.set(caption, formatByline(byline));
  const isNamed = title || byline.length > 0 || entry.heading === null;
  const entryTexts = isNamed ? entry.paragraphs : joinHeadingAndText(entry);
  const paragraphs = entryTexts.filter(
    (text) => !writeMemberFact(result.texts, listFreeSlots(), text),
  );
  const subtitle = findMemberSubtitle(member);
  const isRunning = (slot: TextSlot) => isRunningMemberText(slot) || slot === subtitle;
  const usualSlots = findRunningTexts(listFreeSlots());
  const runningSlots =
    paragraphs.length > usualSlots.length ? listFreeSlots().filter(isRunning) : usualSlots;
  for (const [slot, text] of pairByLength(runningSlots, paragraphs)) result.texts.set(slot, text);
  if (paragraphs.length > 0 && runningSlots.length === 0) result.unplaced.push('text');
  for (const { key, values } of byline.length > 0
    ? otherFields.filter(({ key }) => isFactFieldKey(key))
    : otherFields) {
    const slot = isFactFieldKey(key) ? undefined : listFreeSlots().find(isRunning);
    if (slot) result.texts.set(slot, values.join(', '));
    else result.unplaced.push(key);
  }
  if (!isSameMember(member, entry)) clearOldTexts(result, member, listFreeSlots(), entry);
  return result;
}

/** Values about a person besides the name: `owner`, `Calloway Bakery`. */
const listPersonValues = (fields: ContextField[]) =>
  fields.filter(({ key }) => !isFactFieldKey(key)).flatMap(({ values }) => values);

/**
 * Whether an entry has the same name as the old member. Then texts that the entry lacks stay valid.
 */
export function isSameMember(member: MemberSlots, { heading }: ListEntry): boolean {
  const title = findMemberTitle(member);
  return (
    !member.isClone &&
    !!title &&
    heading !== null &&
    foldWords(plainText(title.text)) === foldWords(heading)
  );
}

/** The slot with a member's name. */
export function findMemberTitle({
  group,
  slots,
}: Pick<MemberSlots, 'group' | 'slots'>): TextSlot | undefined {
  const heading = slots.find(({ role }) => role === 'heading');
  if (heading || group.role === 'card' || slots.some(isBylineSlot)) return heading;
  const ownTexts = slots.filter((slot) => isOwnText(slot) || slot.role === 'button');
  return ownTexts.length > 1 ? ownTexts[0] : undefined;
}

/** The only other heading of a member: a line below its name, such as a person's role. */
function findMemberSubtitle(member: MemberSlots): TextSlot | undefined {
  const title = findMemberTitle(member);
  const [subtitle, ...otherHeadings] = member.slots
    .filter(({ role }) => role === 'heading')
    .slice(1);
  return title?.role === 'heading' && otherHeadings.length === 0 ? subtitle : undefined;
}

/** Whether a text names the author of another text in its member. */
const isBylineSlot = (slot: TextSlot) => slot.role === 'caption' && isOwnText(slot);

/** Uses the author of a quote, given under its own key, as the name below it. */
function useAuthorAsHeading({ slots }: MemberSlots, entry: ListEntry): ListEntry {
  const author = entry.fields.find(({ key }) => entryKeys.author.has(key));
  if (!author || entry.heading !== null || !slots.some(isBylineSlot)) return entry;
  return {
    ...entry,
    heading: author.values.join(', '),
    fields: entry.fields.filter((field) => field !== author),
  };
}

/**
 * Gives a person's line its own place, if the member has one: `Kari Moe, skipper` becomes the name
 * and a short text (`CEO at Megacorp`), or the two lines of a heading.
 */
function splitByline(member: MemberSlots, entry: ListEntry): ListEntry {
  const title = findMemberTitle(member);
  if (!title || entry.heading === null || entry.fields.length > 0) return entry;
  const [firstText = '', ...otherTexts] = entry.paragraphs;
  if (title.role === 'heading' && plainText(title.text).includes('\n')) {
    const hasLine = otherTexts.length > 0 && isMemberLabel(textSlot(firstText));
    return {
      ...entry,
      heading: addSecondLine(formatByline(hasLine ? [entry.heading, firstText] : [entry.heading])),
      paragraphs: hasLine ? otherTexts : entry.paragraphs,
    };
  }
  const [name, ...details] = entry.heading.split(', ');
  const isQuote = entry.line !== null && readQuote(entry.line)?.author === entry.heading;
  return isQuote && details.length > 0 && member.slots.some(isShortLine)
    ? {
        ...entry,
        heading: name!,
        paragraphs: [upperFirst(details.join(', ')), ...entry.paragraphs],
      }
    : entry;
}

const addSecondLine = (byline: string) => (byline.includes('\n') ? byline : `${byline}\n`);
const isShortLine = (slot: TextSlot) => isRunningMemberText(slot) && isMemberLabel(slot);

/** Pairs short lines with the short lines of a member, and longer texts with its longer texts. */
function pairByLength(slots: TextSlot[], texts: string[]): [TextSlot, string][] {
  const [lineSlots, textSlots] = [
    slots.filter(isMemberLabel),
    slots.filter((slot) => !isMemberLabel(slot)),
  ];
  const lines = texts.filter((text) => isMemberLabel(textSlot(text)));
  const longTexts = texts.filter((text) => !lines.includes(text));
  const isClear =
    lineSlots.length > 0 &&
    textSlots.length > 0 &&
    lines.length <= lineSlots.length &&
    longTexts.length > 0;
  return isClear
    ? [...pairInOrder(lineSlots, lines), ...pairInOrder(textSlots, longTexts)]
    : pairInOrder(slots, texts);
}

/** A name, with a second line about the person: see `fitByline`. */
function formatByline(texts: string[]): string {
  const [name = '', ...details] = texts
    .flatMap((text) => text.split(/[,|]/))
    .map((text) => text.trim());
  return details.length > 0 ? `${name}\n${details.join(', ')}` : name;
}

/** Splits a line into two texts if the member has a place for each. */
function splitEntryLine(member: MemberSlots, entry: ListEntry): ListEntry {
  const { line } = entry;
  if (line === null) return entry;
  const title = findMemberTitle(member);
  const quote =
    title || !member.slots.some(isBylineSlot) ? readQuote(line) : readUnmarkedQuote(line);
  if (quote) return { ...entry, heading: quote.author, paragraphs: [quote.text] };
  if (member.slots.some(isBylineSlot) && mayBePersonName(line)) return { ...entry, heading: line };
  const split = title && splitHeadedLine(line);
  if (split) return { ...entry, heading: split.heading, paragraphs: [upperFirst(split.text)] };
  const isTitle = title && !/[.!…]$/u.test(line);
  return isTitle ? { ...entry, heading: line } : { ...entry, paragraphs: [line] };
}

/**
 * The texts of an entry. If the name has no place in the member, it comes before the first text.
 */
function joinHeadingAndText({
  heading,
  paragraphs: [firstParagraph, ...otherParagraphs],
}: ListEntry): string[] {
  return [
    firstParagraph === undefined ? heading! : `${heading}: ${firstParagraph}`,
    ...otherParagraphs,
  ];
}

/** Puts a field into the place that its key names; false if the member has no such place. */
function writeMemberField(
  texts: Map<TextSlot, string>,
  { columns }: MemberSlots,
  freeSlots: TextSlot[],
  field: ContextField,
): boolean {
  const value = field.values.join(', ');
  const measureFit = (slot: TextSlot) => scoreHeadingFit(field.key, columns.get(slot) ?? '');
  const [column] = freeSlots
    .filter((slot) => measureFit(slot) >= MIN_COLUMN_FIT)
    .sort((first, second) => measureFit(second) - measureFit(first));
  const fact = freeSlots
    .flatMap(findSlotFacts)
    .find(({ kind }) => kind === (findFactKind(field.key) ?? findWholeFactKind(value)));
  const role = findRoleForKey(field.key);
  const slot = column ?? fact?.slot ?? freeSlots.find((slot) => slot.role === role);
  if (!slot) return false;
  const isSpan =
    !column &&
    fact &&
    findSlotFacts({ ...slot, text: value }).some(({ from, to }) => to - from === value.length);
  texts.set(slot, isSpan ? replaceSpans(plainText(slot.text), [{ ...fact, text: value }]) : value);
  return true;
}

/**
 * Puts a text that is only a fact (`Starter: $3,900`) into the place of the member's own fact;
 * false if there is none.
 */
function writeMemberFact(
  texts: Map<TextSlot, string>,
  freeSlots: TextSlot[],
  text: string,
): boolean {
  const kind = findWholeFactKind(text);
  const fact =
    kind &&
    freeSlots
      .filter(isOwnText)
      .flatMap(findSlotFacts)
      .find((fact) => fact.kind === kind);
  if (fact) texts.set(fact.slot, replaceSpans(plainText(fact.slot.text), [{ ...fact, text }]));
  return fact !== undefined;
}

/** The kind of fact if the whole text is one. */
export const findWholeFactKind = (text: string): FactKind | undefined =>
  findSlotFacts(textSlot(text)).find(({ from, to }) => to - from === text.length)?.kind;

const findFactKind = (key: string) =>
  (Object.keys(factKeys) as FactKind[]).find((kind) => factKeys[kind].includes(key));
const isFactFieldKey = (key: string) => findFactKind(key) !== undefined;
const includesKey = (list: readonly string[], key: string) => list.includes(key);
const findRoleForKey = (key: string) =>
  entryKeys.author.has(key)
    ? 'caption'
    : includesKey(pageTextKeys.button, key)
      ? 'button'
      : includesKey(pageTextKeys.imageAlt, key)
        ? 'image-alt'
        : undefined;

const LONGEST_LABEL = 40;
/** Whether a text is a label (`per month`, `Read more`), which is true for any member. */
export const isMemberLabel = (slot: TextSlot) =>
  plainText(slot.text).length <= LONGEST_LABEL &&
  !/[.!?…]$/u.test(slot.text) &&
  findSlotFacts(slot).length === 0;

const ownTextRoles = ['heading', 'paragraph', 'list-item', 'table-cell', 'caption', 'other'];

/**
 * Whether a slot has words about its own member: no link label, image text or text for screen
 * readers only.
 */
export const isOwnText = (slot: TextSlot) =>
  !slot.id.includes('.') &&
  (ownTextRoles.includes(slot.role) ||
    (['link', 'button'].includes(slot.role) && !isMemberLabel(slot)));

/** Whether a slot is for running text, and not a line with a fact (`$4,800 a month`). */
const isRunningMemberText = (slot: TextSlot) =>
  isOwnText(slot) && slot.role !== 'heading' && !isFactLine(slot);

/** The slots for running text. If a member only has a line with a fact (`$5 off`), that line. */
function findRunningTexts(freeSlots: TextSlot[]): TextSlot[] {
  const runningSlots = freeSlots.filter(isRunningMemberText);
  return runningSlots.length > 0
    ? runningSlots
    : freeSlots.filter((slot) => isOwnText(slot) && slot.role !== 'heading').slice(0, 1);
}

/**
 * Empties texts about the old member. If its name occurs in a link or an image's text, the new name
 * replaces it there.
 */
function clearOldTexts(
  { texts, missing }: WrittenMember,
  member: MemberSlots,
  freeSlots: TextSlot[],
  entry: ListEntry,
) {
  const oldName = plainText(findMemberTitle(member)?.text ?? '');
  for (const slot of freeSlots) {
    const plain = plainText(slot.text);
    if (isOwnText(slot) && !member.common.has(plain)) {
      texts.set(slot, '');
      missing.push(describeMissingText(slot, member));
    } else if (entry.heading !== null && findWords(plain, oldName, { anyCase: true }).length > 0)
      texts.set(slot, replaceName(plain, oldName, entry.heading));
  }
}

const describeMissingText = (slot: TextSlot, { columns }: MemberSlots) =>
  columns.get(slot)?.toLowerCase() ??
  findSlotFacts(slot)[0]?.label ??
  (slot.role === 'heading' ? 'heading' : 'text');

function replaceName(plain: string, oldName: string, newName: string): string {
  const mentions = findWords(plain, oldName, { anyCase: true });
  return replaceSpans(
    plain,
    mentions.map((span) => ({
      ...span,
      text: matchLetterCase(plain.slice(span.from, span.to), oldName, newName),
    })),
  );
}
