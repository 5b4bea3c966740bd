import { telephoneSpans } from '../../text/telephoneSpans.ts';
import { digitsOf } from '../../text/text.ts';
import type { PageSource } from '../../sites/formats/format.ts';
import type { LinkBlock } from '../../sites/formats/linkBlocks.ts';
import type { OpaqueText, PageLink, Slot } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import { type MadePage, writeLinkBlock } from '../page/linkBlock.ts';
import { editAlike } from '../source/editAlike.ts';
import { editSource } from '../source/editSource.ts';
import { readSource } from '../source/readSource.ts';
import { outlineTexts } from '../textOutline.ts';
import { oneLine } from '../text/fold.ts';
import { inCaseOf } from '../text/letterCase.ts';
import { plainText } from '../text/marks.ts';
import { replaceInSlot } from '../text/replaceInSlot.ts';
import { addressSpans, findWords, reachOf, type Span } from '../text/spans.ts';
import { leftValues } from '../facts/leftValues.ts';
import { changeFacts, sameNumber } from './factChanges.ts';
import { linesWith } from './model/linesWith.ts';
import { refuseBlank } from './refuseBlank.ts';
import { marked } from './slotText.ts';
import { mayContain, mayLeadTo } from './sourceFilter.ts';
import { nothingReplaced, type Replacement } from './replacement.ts';

/** How often words occur in slots. */
export interface Hits {
  count: number;
  /** How many of the hits have the same letter case. */
  sameCase: number;
}

const plain = (slots: Slot[]): Slot[] =>
  slots.map((slot) => ({ ...slot, text: plainText(slot.text) }));

function replaceWords(
  slots: Slot[],
  from: string,
  to: string,
  { anyCase = false } = {},
): Replacement {
  const found = nothingReplaced();
  const isNumber = [from, to].every(isWholeNumber);
  for (const slot of slots) {
    const plain = plainText(slot.text);
    const { free, inside } = outsideAddresses(plain, findWords(plain, from, { anyCase }), slot);
    const alike = isNumber ? apart(otherWritings(plain, from, slot)) : [];
    found.count += free.length;
    found.inAddresses += inside.length;
    found.otherCase +=
      outsideAddresses(plain, findWords(plain, from, { anyCase: true }), slot).free.length -
      free.length;
    found.count += alike.length;
    const edits = [
      ...free.map((span) => ({
        ...span,
        text: anyCase ? inCaseOf(textAt(plain, span), from, to) : to,
      })),
      ...alike.map((span) => ({ ...span, text: to })),
    ].sort((a, b) => a.from - b.from);
    if (edits.length === 0) continue;
    const written = replaceInSlot(slot, edits);
    refuseBlank(slot, written);
    found.texts[slot.id] = written;
  }
  return found;
}

function differentContacts(found: string[], kind: 'telephone' | 'email'): string[] {
  const same =
    kind === 'telephone'
      ? sameNumber
      : (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const different: string[] = [];
  for (const one of found) if (!different.some((other) => same(one, other))) different.push(one);
  return different;
}

function addressesWith(slots: Slot[], links: PageLink[], name: string): string[] {
  const [word = ''] = name
    .toLowerCase()
    .split(/\s+/)
    .sort((a, b) => b.length - a.length);
  const shown = slots.flatMap(({ text }) => {
    const plain = plainText(text);
    return addressSpans(plain).map(({ from, to }) => plain.slice(from, to));
  });
  const all = [
    ...shown,
    ...links.map(({ href }) => href.split('?')[0]!.replace(/^(?:mailto|tel):/i, '')),
  ];
  return [...new Set(all.filter((address) => address.toLowerCase().includes(word)))];
}

const textAt = (plain: string, { from, to }: Span) => plain.slice(from, to);
const digitsAt = (plain: string, span: Span) => digitsOf(textAt(plain, span));
const isWhole = ([span]: Span[], text: string) => span?.from === 0 && span.to === text.length;
const isWholeNumber = (text: string) => isWhole(telephoneSpans(text.trim()), text.trim());

/** Spans that do not begin inside another one. */
function apart(spans: Span[]): Span[] {
  let end = 0;
  return spans
    .toSorted((a, b) => a.from - b.from)
    .filter(({ from, to }) => {
      if (from < end) return false;
      end = to;
      return true;
    });
}

/** The same digits of a telephone number in other writings. */
const otherWritings = (plain: string, from: string, { numbers }: Slot): Span[] =>
  telephoneSpans(plain, numbers).filter(
    (span) => textAt(plain, span) !== from.trim() && digitsAt(plain, span) === digitsOf(from),
  );

/**
 * Divides spans into those outside and those inside of a longer address or telephone number, which
 * stay.
 */
function outsideAddresses(plain: string, spans: Span[], { numbers }: Slot) {
  const reach = reachOf([...addressSpans(plain), ...telephoneSpans(plain, numbers)]);
  const isInside = ({ from, to }: Span) => reach(from) > from || reach(to) > to;
  return { free: spans.filter((span) => !isInside(span)), inside: spans.filter(isInside) };
}

function hitsOf(slots: Slot[], words: string): Hits {
  const plain = slots.map(({ text }) => plainText(text));
  const count = (options: { anyCase: boolean }) =>
    plain.reduce((sum, text) => sum + findWords(text, words, options).length, 0);
  return { count: count({ anyCase: true }), sameCase: count({ anyCase: false }) };
}

function linksNamed(links: PageLink[], text: string): PageLink[] {
  const wanted = lower(text);
  return links.filter((link) => lower(link.text) === wanted);
}

/** The texts with some words that no change of texts reaches. */
const opaqueWith = (opaque: OpaqueText[], words: string): string[] =>
  opaque
    .map(({ text }) => text)
    .filter((text) => findWords(text, words, { anyCase: true }).length > 0);

const lower = (text: string) => oneLine(text).toLowerCase();

/** The calls that run in worker threads (textsWorker.ts). Every call is pure. */
export const calls = {
  mayContain: ({ source }: PageSource, words: string) => mayContain(source, words),
  mayLeadTo,
  plain,
  outlineTexts,
  marked,
  replaceWords,
  leftValues,
  changeFacts,
  differentContacts,
  addressesWith,
  findWords: hitsOf,
  linksNamed,
  opaqueWith,
  linesWith,
  readSource,
  editSource,
  editAlike,
  /**
   * For each made page, the texts of a block that linked to the template and now links to that
   * page.
   */
  writeLinkBlocks: (block: LinkBlock, template: TemplatePage, made: MadePage[]) =>
    made.map((page) => writeLinkBlock(block, template, page)),
};
export type TextCalls = typeof calls;
