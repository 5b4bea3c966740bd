import { telephoneSpans } from '../../../text/telephoneSpans.ts';
import { digitsOf } from '../../../text/text.ts';
import type { PageSource } from '../../../sites/formats/format.ts';
import type { LinkBlock } from '../../../sites/formats/linkBlocks.ts';
import type { OpaqueText, PageLink, TextSlot } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../agentTypes.ts';
import { type CreatedPageTexts, writeLinkBlock } from '../page/writeLinkBlock.ts';
import { repeatEdits } from '../markup/repeatEdits.ts';
import { editSource } from '../markup/editSource.ts';
import { readSourceLines } from '../markup/readSourceLines.ts';
import { createTextOutline } from './textOutline.ts';
import { toSingleLine } from '../text/foldText.ts';
import { matchLetterCase } from '../text/letterCase.ts';
import { plainText } from '../text/parseMarks.ts';
import { replaceInSlot } from '../text/replaceInSlot.ts';
import {
  findAddressSpans,
  findWords,
  createFurthestEndFinder,
  type TextSpan,
} from '../text/textSpans.ts';
import { findRemainingValues } from '../facts/remainingValues.ts';
import { changeFacts, isSameNumber } from './changeFacts.ts';
import { findLinesWith } from './findLinesWith.ts';
import { findOddPages } from './findOddPages.ts';
import { rejectBlankText } from './rejectBlankText.ts';
import { addInlineParts } from './addInlineParts.ts';
import { mayContainWords, mayLinkTo } from './sourceFilter.ts';
import { createEmptyReplacement, type SlotReplacement } from './slotReplacement.ts';

/** How often words occur in slots. */
export interface WordHits {
  count: number;
  /** How many of the hits have the same letter case. */
  sameCase: number;
}

const withPlainTexts = (slots: TextSlot[]): TextSlot[] =>
  slots.map((slot) => ({ ...slot, text: plainText(slot.text) }));

/**
 * Replaces whole words in slots. Leaves words inside a longer address or telephone number alone,
 * and counts those. If both texts are telephone numbers, other notations of the old one change too.
 * @param options.anyCase also replaces words in another letter case, which the new text takes over
 * @throws DomainError INVALID_INPUT if a text would be blank
 */
function replaceSlotWords(
  slots: TextSlot[],
  from: string,
  to: string,
  { anyCase = false } = {},
): SlotReplacement {
  const replacement = createEmptyReplacement();
  const isNumber = [from, to].every(isWholePhoneNumber);
  for (const slot of slots) {
    const plainWords = plainText(slot.text);
    const { free: freeSpans, inside: insideSpans } = splitByAddresses(
      plainWords,
      findWords(plainWords, from, { anyCase }),
      slot,
    );
    const otherWritings = isNumber ? removeOverlaps(findOtherWritings(plainWords, from, slot)) : [];
    replacement.count += freeSpans.length;
    replacement.inAddresses += insideSpans.length;
    replacement.otherCase +=
      splitByAddresses(plainWords, findWords(plainWords, from, { anyCase: true }), slot).free
        .length - freeSpans.length;
    replacement.count += otherWritings.length;
    const edits = [
      ...freeSpans.map((span) => ({
        ...span,
        text: anyCase ? matchLetterCase(readSpan(plainWords, span), from, to) : to,
      })),
      ...otherWritings.map((span) => ({ ...span, text: to })),
    ].sort((first, second) => first.from - second.from);
    if (edits.length === 0) continue;
    const writtenText = replaceInSlot(slot, edits);
    rejectBlankText(slot, writtenText);
    replacement.texts[slot.id] = writtenText;
  }
  return replacement;
}

function selectDifferentContacts(contacts: string[], kind: 'telephone' | 'email'): string[] {
  const isSameContact =
    kind === 'telephone'
      ? isSameNumber
      : (first: string, second: string) => first.toLowerCase() === second.toLowerCase();
  const differentContacts: string[] = [];
  for (const contact of contacts)
    if (!differentContacts.some((knownContact) => isSameContact(contact, knownContact)))
      differentContacts.push(contact);
  return differentContacts;
}

function findAddressesWith(slots: TextSlot[], links: PageLink[], name: string): string[] {
  const [longestWord = ''] = name
    .toLowerCase()
    .split(/\s+/)
    .sort((first, second) => second.length - first.length);
  const shownAddresses = slots.flatMap(({ text }) => {
    const plainWords = plainText(text);
    return findAddressSpans(plainWords).map(({ from, to }) => plainWords.slice(from, to));
  });
  const allAddresses = [
    ...shownAddresses,
    ...links.map(({ href }) => href.split('?')[0]!.replace(/^(?:mailto|tel):/i, '')),
  ];
  return [
    ...new Set(allAddresses.filter((address) => address.toLowerCase().includes(longestWord))),
  ];
}

const readSpan = (plain: string, { from, to }: TextSpan) => plain.slice(from, to);
const readDigits = (plain: string, span: TextSpan) => digitsOf(readSpan(plain, span));
const coversText = ([span]: TextSpan[], text: string) =>
  span?.from === 0 && span.to === text.length;
const isWholePhoneNumber = (text: string) => coversText(telephoneSpans(text.trim()), text.trim());

/** The spans that do not begin inside an earlier one. */
function removeOverlaps(spans: TextSpan[]): TextSpan[] {
  let previousEnd = 0;
  return spans
    .toSorted((first, second) => first.from - second.from)
    .filter(({ from, to }) => {
      if (from < previousEnd) return false;
      previousEnd = to;
      return true;
    });
}

/** The places in a text that have the digits of a telephone number in another notation. */
const findOtherWritings = (plain: string, from: string, { numbers }: TextSlot): TextSpan[] =>
  telephoneSpans(plain, numbers).filter(
    (span) => readSpan(plain, span) !== from.trim() && readDigits(plain, span) === digitsOf(from),
  );

/**
 * Divides spans into those inside a longer address or telephone number, which must not change, and
 * all others.
 */
function splitByAddresses(plainWords: string, spans: TextSpan[], { numbers }: TextSlot) {
  const furthestEnd = createFurthestEndFinder([
    ...findAddressSpans(plainWords),
    ...telephoneSpans(plainWords, numbers),
  ]);
  const isInside = ({ from, to }: TextSpan) => furthestEnd(from) > from || furthestEnd(to) > to;
  return { free: spans.filter((span) => !isInside(span)), inside: spans.filter(isInside) };
}

function countWordHits(slots: TextSlot[], words: string): WordHits {
  const plainTexts = slots.map(({ text }) => plainText(text));
  const countMatches = (options: { anyCase: boolean }) =>
    plainTexts.reduce((sum, text) => sum + findWords(text, words, options).length, 0);
  return { count: countMatches({ anyCase: true }), sameCase: countMatches({ anyCase: false }) };
}

function selectLinksByText(links: PageLink[], text: string): PageLink[] {
  const wantedText = lowerLine(text);
  return links.filter((link) => lowerLine(link.text) === wantedText);
}

/** Of texts that are kept byte for byte, such as front matter, those that contain some words. */
const opaqueWith = (opaque: OpaqueText[], words: string): string[] =>
  opaque
    .map(({ text }) => text)
    .filter((text) => findWords(text, words, { anyCase: true }).length > 0);

const lowerLine = (text: string) => toSingleLine(text).toLowerCase();

/** The calls that run in worker threads. See textsPool.ts. Every call is pure. */
export const textCalls = {
  mayContain: ({ source }: PageSource, words: string) => mayContainWords(source, words),
  mayLinkTo,
  plain: withPlainTexts,
  outlineTexts: createTextOutline,
  addInlineParts,
  replaceWords: replaceSlotWords,
  leftValues: findRemainingValues,
  changeFacts,
  differentContacts: selectDifferentContacts,
  addressesWith: findAddressesWith,
  findWords: countWordHits,
  linksNamed: selectLinksByText,
  opaqueWith,
  linesWith: findLinesWith,
  readSource: readSourceLines,
  editSource,
  editAlike: repeatEdits,
  findOddPages,
  /** For each created page, the texts of a copy of the block that links to the template. */
  writeLinkBlocks: (block: LinkBlock, template: TemplatePage, createdPages: CreatedPageTexts[]) =>
    createdPages.map((page) => writeLinkBlock(block, template, page)),
};
export type TextCalls = typeof textCalls;
