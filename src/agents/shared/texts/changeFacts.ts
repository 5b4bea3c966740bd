import { mapById } from '../../../contract/mapById.ts';
import { diallingLink, type DiallingLink } from '../../../text/dialling.ts';
import { isTelephone } from '../../../text/telephone.ts';
import { telephoneSpans } from '../../../text/telephoneSpans.ts';
import { digitsOf, isMailbox, quoteText } from '../../../text/text.ts';
import { invalidInputError } from '../../../errors.ts';
import type { PageLink, TextSlot, SlotGroup, SlotTexts } from '../../../sites/formats/pageParts.ts';
import { isPriceAt } from '../../../sites/pages/texts/priceData.ts';
import {
  findAmountSpans,
  replaceAmount,
  isSameAmount,
  formatPricedAmount,
  scaleAmount,
} from '../text/moneyAmounts.ts';
import { plainText } from '../text/parseMarks.ts';
import { replaceInSlot, type SpanEdit } from '../text/replaceInSlot.ts';
import { findAddressSpans, findWords, matchSpans, type TextSpan } from '../text/textSpans.ts';

/** What of a page may state a fact: its texts, its links, and its groups for names of packages. */
export interface FactPage {
  slots: TextSlot[];
  links: PageLink[];
  groups: SlotGroup[];
  /** Ids of the texts in its footer, where the year may change; null if it has no footer. */
  footer?: string[] | null;
}

/** A change of a fact wherever a page states it. */
export type FactChange =
  | { kind: 'telephone' | 'email'; from?: string; to: string }
  | { kind: 'year'; from?: string; year: string }
  /** The price of the package `name`, or every price that is `from` now. */
  | { kind: 'price'; name?: string; from?: string; to: string }
  | { kind: 'raise'; percent: number };

/** The result of changing a fact on a page: new texts by slot, and new targets of links. */
export interface ChangedFacts {
  texts: SlotTexts;
  links: { id: string; target: string }[];
  /** All values of this kind that the page states: telephone numbers, years … */
  found: string[];
  /** The changed prices that readers see. */
  notes: [old: string, now: string][];
  /** Prices and years that may also have to change. They stay, since that is not certain. */
  left: string[];
}

/**
 * Changes a fact wherever a page states it. `{ kind: 'email', from: 'a@x.org', to: 'b@x.org' }`
 * changes the address in texts, structured data and `mailto:` links. Without `from`, a change of a
 * contact only tells what it found. The function is pure: its caller writes the result.
 * @throws DomainError INVALID_INPUT if the new telephone number or e-mail address is not valid
 */
export function changeFacts(page: FactPage, change: FactChange): ChangedFacts {
  if (change.kind === 'telephone' || change.kind === 'email') checkContact(change);
  switch (change.kind) {
    case 'telephone':
      return changeContacts(page, change, {
        spans: (text, { numbers }) => telephoneSpans(text, numbers),
        partsOf: diallingLink,
        key: 'telephone',
        same: isSameNumber,
      });
    case 'email':
      return changeContacts(page, change, {
        spans: findEmailSpans,
        partsOf: parseMailLink,
        key: 'email',
        same: isSameEmail,
      });
    case 'year':
      return changeYears(page, change);
    case 'raise':
      return raisePrices(page, 1 + change.percent / 100);
    case 'price':
      return change.name === undefined
        ? changeAmounts(page, (slot, oldAmount) =>
            isSameAmount(oldAmount, change.from ?? '')
              ? createNewPrice(slot, oldAmount, change.to)
              : undefined,
          )
        : changeNamedPrice(page, { ...change, name: change.name });
  }
}

export const invalidContactProblem = (contact: string, contactName: string) =>
  `${quoteText(contact)} is not a valid ${contactName}`;

/** Throws INVALID_INPUT if links can't dial the new number, or write to the new address. */
function checkContact({ kind, to }: { kind: 'telephone' | 'email'; to: string }) {
  const isValid =
    kind === 'email' ? isMailbox(to) : isTelephone(to) || SHORT_NUMBER.test(to.trim());
  if (isValid) return;
  const contactName = kind === 'email' ? 'e-mail address' : 'telephone number';
  throw invalidInputError(invalidContactProblem(to, contactName));
}

/** A short service number, such as 112. */
const SHORT_NUMBER = /^\d(?: ?\d){2,5}$/;

const createEmptyChange = (): ChangedFacts => ({
  texts: {},
  links: [],
  found: [],
  notes: [],
  left: [],
});

/** How to find and compare telephone numbers or e-mail addresses. `key`: in structured data. */
interface ContactNotation {
  spans: (text: string, slot: TextSlot) => TextSpan[];
  /** The number or address in a link's target, with the text around it. */
  partsOf: (href: string) => DiallingLink | null;
  key: string;
  same: (a: string, b: string) => boolean;
}

const findEmailSpans = (text: string) =>
  findAddressSpans(text).filter(({ from, to }) => text.slice(from, to).includes('@'));
function parseMailLink(href: string): DiallingLink | null {
  const [, head, number, query] = /^(mailto:)([^?]*)(\?.*)?$/is.exec(href) ?? [];
  return head === undefined ? null : { head, number: number!, rest: query ?? '' };
}

const isSameEmail = (first: string, second: string) =>
  first.trim().toLowerCase() === second.trim().toLowerCase();

/** Whether two notations are of the same number. One may lack the country code. */
export function isSameNumber(first: string, second: string): boolean {
  const [firstDigits, secondDigits] = [digitsOf(first), digitsOf(second).replace(/^0/, '')];
  const firstNational = firstDigits.replace(/^0/, '');
  return (
    Math.min(firstNational.length, secondDigits.length) >= 6 &&
    (firstNational.endsWith(secondDigits) || secondDigits.endsWith(firstNational))
  );
}

function changeContacts(
  { slots, links }: FactPage,
  { from, to }: { from?: string; to: string },
  { spans: findSpans, partsOf, key, same: isSameContact }: ContactNotation,
): ChangedFacts {
  const result = createEmptyChange();
  for (const slot of slots.filter(({ id }) => !id.endsWith('.placeholder'))) {
    const plain = plainText(slot.text);
    const isField = slot.jsonPath?.split('.').at(-1) === key;
    const contactSpans = isField ? [{ from: 0, to: plain.length }] : findSpans(plain, slot);
    const literalSpans = from === undefined ? [] : findWords(plain, from);
    const searchedSpans = contactSpans.length > 0 ? contactSpans : literalSpans;
    result.found.push(...searchedSpans.map((span) => plain.slice(span.from, span.to)));
    const edits = searchedSpans.filter(
      (span) => from !== undefined && isSameContact(plain.slice(span.from, span.to), from),
    );
    if (edits.length > 0)
      result.texts[slot.id] = replaceInSlot(
        slot,
        edits.map((span) => ({ ...span, text: to })),
      );
  }
  for (const { id, href } of links) {
    const linkParts = partsOf(href);
    if (!linkParts) continue;
    const { head, number, rest } = linkParts;
    result.found.push(number);
    if (from === undefined || !isSameContact(number, from)) continue;
    const newContact =
      key === 'email'
        ? to
        : /^http/i.test(head)
          ? digitsOf(formatDialledNumber(`+${number}`, to))
          : formatDialledNumber(number, to);
    result.links.push({ id, target: head + newContact + rest });
  }
  return result;
}

/**
 * A number as a link dials it. If the new number has no country code, the old link's code is used.
 */
function formatDialledNumber(oldNumber: string, newNumber: string): string {
  const [oldDigits, newDigits] = [digitsOf(oldNumber), digitsOf(newNumber)];
  if (newNumber.trim().startsWith('+')) return `+${newDigits}`;
  const national = newDigits.replace(/^0/, '');
  const code = oldDigits.slice(0, Math.max(0, oldDigits.length - national.length));
  return oldNumber.trim().startsWith('+') && code !== '' ? `+${code}${national}` : newDigits;
}

const YEAR_PATTERN = /(?<!\d)(?:19|20)\d{2}(?!\d)/g;
/** Most characters between a copyright sign and its year. */
const MAX_YEAR_DISTANCE = 40;

/**
 * Changes the copyright year in the footer. On a page without a footer, the year must follow the
 * sign.
 */
function changeYears(
  { slots, footer = null }: FactPage,
  { from, year }: { from?: string; year: string },
): ChangedFacts {
  const result = createEmptyChange();
  const footerIds = footer && new Set(footer);
  const copyrightMark = footerIds ? /©|\(c\)|copyright/i : /©|\(c\)/i;
  for (const slot of slots) {
    if (
      isInStructuredData(slot) ||
      slot.role === 'caption' ||
      (footerIds && !footerIds.has(slot.id))
    )
      continue;
    const plain = plainText(slot.text);
    const span = findCopyrightYear(plain, copyrightMark);
    if (!span) continue;
    const oldYear = plain.slice(span.from, span.to);
    result.found.push(oldYear);
    if (from === undefined || from === oldYear)
      result.texts[slot.id] = replaceInSlot(slot, [{ ...span, text: year }]);
    else result.left.push(oldYear);
  }
  return result;
}

/** The year of a copyright: the last one of `© 2011–2025`. A sentence behind it is not searched. */
function findCopyrightYear(plain: string, mark: RegExp): TextSpan | undefined {
  const yearSpans = matchSpans(plain, YEAR_PATTERN);
  let yearIndex = yearSpans.findIndex(({ from }) =>
    mark.test(plain.slice(Math.max(0, from - MAX_YEAR_DISTANCE), from)),
  );
  if (yearIndex === -1) return undefined;
  while (
    yearSpans[yearIndex + 1] &&
    /^\s?(?:[-–—,&]|to)\s?$/.test(
      plain.slice(yearSpans[yearIndex]!.to, yearSpans[yearIndex + 1]!.from),
    )
  )
    yearIndex++;
  return yearSpans[yearIndex];
}

/** Whether a text is a price in structured data. */
export const isPriceSlot = ({ jsonPath }: TextSlot): boolean => isPriceAt(jsonPath);
const isInStructuredData = ({ role }: TextSlot) => role === 'structured-data';

/** Changes amounts of money. `newAmount` returns the new amount for an old one, if it changes. */
function changeAmounts(
  { slots }: FactPage,
  newAmount: (slot: TextSlot, old: string) => string | undefined,
): ChangedFacts {
  const result = createEmptyChange();
  for (const slot of slots) {
    const plain = plainText(slot.text);
    const isWholeAmount = isPriceSlot(slot) && /^\d/.test(plain);
    const spans = isWholeAmount ? [{ from: 0, to: plain.length }] : findAmountSpans(plain);
    const edits = spans.flatMap((span): SpanEdit[] => {
      const text = newAmount(slot, plain.slice(span.from, span.to));
      return text === undefined ? [] : [{ ...span, text }];
    });
    if (edits.length === 0) continue;
    result.texts[slot.id] = replaceInSlot(slot, edits);
    if (!isInStructuredData(slot))
      for (const { from, to, text } of edits) result.notes.push([plain.slice(from, to), text]);
  }
  return result;
}

/** Multiplies all prices. Those that rounding leaves the same are not noted. */
function raisePrices(page: FactPage, factor: number): ChangedFacts {
  const { notes, ...changed } = changeAmounts(page, (_, oldAmount) =>
    scaleAmount(oldAmount, factor),
  );
  return { ...changed, notes: notes.filter(([oldAmount, newAmount]) => oldAmount !== newAmount) };
}

/** Most characters between a package's name and its price in running text. */
const MAX_PRICE_DISTANCE = 12;

const createNewPrice = (slot: TextSlot, oldPrice: string, to: string) =>
  isPriceSlot(slot) ? formatPricedAmount(to) : replaceAmount(oldPrice, to);

interface PriceChange {
  name: string;
  from?: string;
  to: string;
}

/** Changes a package's price in cards, table columns, data and texts (`Basic: $5`) that name it. */
function changeNamedPrice(
  { slots, groups }: FactPage,
  { name, from, to }: PriceChange,
): ChangedFacts {
  const result = createEmptyChange();
  const plainTexts = new Map(slots.map((slot) => [slot.id, plainText(slot.text)]));
  const isName = (id: string | undefined) =>
    id !== undefined && isSameEmail(plainTexts.get(id) ?? '', name);
  const edits = new Map<string, SpanEdit[]>();
  const changePrice = (slot: TextSlot, span: TextSpan | undefined) => {
    if (!span || edits.has(slot.id)) return;
    const old = plainTexts.get(slot.id)!.slice(span.from, span.to);
    if (!isInStructuredData(slot)) result.found.push(old);
    if (from !== undefined && !isSameAmount(old, from)) return;
    const text = createNewPrice(slot, old, to);
    edits.set(slot.id, [{ ...span, text }]);
    if (!isInStructuredData(slot)) result.notes.push([old, text]);
  };
  const slotsById = mapById(slots);
  for (const ids of [
    ...findNamedMembers(groups, isName),
    ...findNamedColumns(slots, groups, isName),
  ]) {
    const priceSlot = ids
      .map((id) => slotsById.get(id)!)
      .find((slot) => findAmountSpans(plainTexts.get(slot.id)!)[0]?.from === 0);
    if (priceSlot) changePrice(priceSlot, findAmountSpans(plainTexts.get(priceSlot.id)!)[0]);
  }
  const idsByPath = new Map(
    slots
      .filter(isInStructuredData)
      .map((slot) => [`${readElementId(slot)} ${slot.jsonPath}`, slot.id]),
  );
  for (const slot of slots) {
    const text = plainTexts.get(slot.id)!;
    const isNamed = isName(idsByPath.get(`${readElementId(slot)} ${createSiblingPath(slot)}`));
    if (isPriceSlot(slot) && isNamed) changePrice(slot, { from: 0, to: text.length });
    else
      for (const { to: end } of findWords(text, name))
        changePrice(
          slot,
          findAmountSpans(text).find(
            (span) => span.from >= end && span.from - end <= MAX_PRICE_DISTANCE,
          ),
        );
  }
  for (const [id, slotEdits] of edits)
    result.texts[id] = replaceInSlot(slotsById.get(id)!, slotEdits);
  const old = new Set(result.notes.map(([old]) => old));
  for (const { id } of slots) {
    const text = plainTexts.get(id)!;
    if (edits.has(id)) continue;
    result.left.push(
      ...findAmountSpans(text)
        .map(({ from, to }) => text.slice(from, to))
        .filter((amount) => old.has(amount)),
    );
  }
  return result;
}

const readElementId = ({ id }: TextSlot) => id.split('.', 1)[0];
const createSiblingPath = ({ jsonPath = '' }: TextSlot) =>
  `${jsonPath.slice(0, jsonPath.lastIndexOf('.') + 1)}name`;

/** The slot ids of the members of groups that have the name as one of their first two texts. */
const findNamedMembers = (
  groups: SlotGroup[],
  isName: (id: string | undefined) => boolean,
): string[][] =>
  groups.flatMap(({ members }) =>
    members.filter((ids) => ids.some((id, index) => index < 2 && isName(id))),
  );

/** The cells, one by one, of the columns with the name as heading. Counts from the last column. */
function findNamedColumns(
  slots: TextSlot[],
  groups: SlotGroup[],
  isName: (id: string | undefined) => boolean,
): string[][] {
  return groups
    .filter(({ role }) => role === 'table-row')
    .flatMap(({ members }) => {
      const firstIndex = slots.findIndex(({ id }) => id === members[0]![0]);
      let start = firstIndex;
      while (start > 0 && slots[start - 1]!.role === 'table-cell') start--;
      const headerIds = slots.slice(start, firstIndex).map(({ id }) => id);
      const offsetFromEnd = headerIds.length - headerIds.findIndex((id) => isName(id));
      return offsetFromEnd > headerIds.length
        ? []
        : members.map((ids) => [ids.at(-offsetFromEnd)!]).filter(([id]) => id !== undefined);
    });
}
