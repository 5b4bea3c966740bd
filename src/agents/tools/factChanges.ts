import { mapById } from '../../contract/mapById.ts';
import { diallingLink, type DiallingLink } from '../../text/dialling.ts';
import { isTelephone } from '../../text/telephone.ts';
import { telephoneSpans } from '../../text/telephoneSpans.ts';
import { digitsOf, isMailbox, quoted } from '../../text/text.ts';
import { invalidInput } from '../../errors.ts';
import type { PageLink, Slot, SlotGroup, SlotTexts } from '../../sites/formats/page.ts';
import { isPriceAt } from '../../sites/pages/priceData.ts';
import { amountSpans, inPlaceOf, isSameAmount, pricedAmount, scaled } from '../text/amounts.ts';
import { plainText } from '../text/marks.ts';
import { replaceInSlot, type Edit } from '../text/replaceInSlot.ts';
import { addressSpans, findWords, spansOf, type Span } from '../text/spans.ts';

/** The parts of a page that may state facts. */
export interface FactPage {
  slots: Slot[];
  links: PageLink[];
  groups: SlotGroup[];
  /** Ids of the texts in its footer, where the year may change; null if it has no footer. */
  footer?: string[] | null;
}

/** A change of a fact wherever a page states it. */
export type FactChange =
  | { kind: 'telephone' | 'email'; from?: string; to: string }
  | { kind: 'year'; from?: string; year: string }
  /** The price of a package, or every price that is `from` now. */
  | { kind: 'price'; name?: string; from?: string; to: string }
  | { kind: 'raise'; percent: number };

/** The result of changing a page's facts. */
export interface FactsChanged {
  texts: SlotTexts;
  links: { id: string; target: string }[];
  /** All numbers or addresses of the kind on the page. */
  found: string[];
  /** The changed prices. */
  notes: [old: string, now: string][];
  /** Texts that may state the old fact too. They stay unchanged, since it is not certain. */
  left: string[];
}

/** Changes a fact wherever a page states it. Pure. */
export function changeFacts(page: FactPage, change: FactChange): FactsChanged {
  if (change.kind === 'telephone' || change.kind === 'email') checkContact(change);
  switch (change.kind) {
    case 'telephone':
      return contacts(page, change, {
        spans: (text, { numbers }) => telephoneSpans(text, numbers),
        partsOf: diallingLink,
        key: 'telephone',
        same: sameNumber,
      });
    case 'email':
      return contacts(page, change, {
        spans: emailSpans,
        partsOf: mailLink,
        key: 'email',
        same: sameAddress,
      });
    case 'year':
      return years(page, change);
    case 'raise':
      return raised(page, 1 + change.percent / 100);
    case 'price':
      return change.name === undefined
        ? changeAmounts(page, (slot, old) =>
            isSameAmount(old, change.from ?? '') ? newPrice(slot, old, change.to) : undefined,
          )
        : priced(page, { ...change, name: change.name });
  }
}

/** Throws INVALID_INPUT if links can't dial the new number, or write to the new address. */
function checkContact({ kind, to }: { kind: 'telephone' | 'email'; to: string }) {
  const isOne = kind === 'email' ? isMailbox(to) : isTelephone(to) || SHORT.test(to.trim());
  if (isOne) return;
  const what = kind === 'email' ? 'e-mail address' : 'telephone number';
  throw invalidInput(`${quoted(to)} is no ${what}`);
}

/** A short service number, such as 112. */
const SHORT = /^\d(?: ?\d){2,5}$/;

const nothing = (): FactsChanged => ({ texts: {}, links: [], found: [], notes: [], left: [] });

interface Contact {
  spans: (text: string, slot: Slot) => Span[];
  /** The number or address in a link's target, with the text around it. */
  partsOf: (href: string) => DiallingLink | null;
  key: string;
  same: (a: string, b: string) => boolean;
}

const emailSpans = (text: string) =>
  addressSpans(text).filter(({ from, to }) => text.slice(from, to).includes('@'));
function mailLink(href: string): DiallingLink | null {
  const [, head, number, rest] = /^(mailto:)([^?]*)(\?.*)?$/is.exec(href) ?? [];
  return head === undefined ? null : { head, number: number!, rest: rest ?? '' };
}

const sameAddress = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Whether two notations are of the same number. One may lack the country code. */
export function sameNumber(a: string, b: string): boolean {
  const [one, other] = [digitsOf(a), digitsOf(b).replace(/^0/, '')];
  const own = one.replace(/^0/, '');
  return Math.min(own.length, other.length) >= 6 && (own.endsWith(other) || other.endsWith(own));
}

function contacts(
  { slots, links }: FactPage,
  { from, to }: { from?: string; to: string },
  { spans, partsOf, key, same }: Contact,
): FactsChanged {
  const result = nothing();
  for (const slot of slots.filter(({ id }) => !id.endsWith('.placeholder'))) {
    const plain = plainText(slot.text);
    const isField = slot.jsonPath?.split('.').at(-1) === key;
    const all = isField ? [{ from: 0, to: plain.length }] : spans(plain, slot);
    const own = from === undefined ? [] : findWords(plain, from);
    const known = all.length > 0 ? all : own;
    result.found.push(...known.map((span) => plain.slice(span.from, span.to)));
    const edits = known.filter(
      (span) => from !== undefined && same(plain.slice(span.from, span.to), from),
    );
    if (edits.length > 0)
      result.texts[slot.id] = replaceInSlot(
        slot,
        edits.map((span) => ({ ...span, text: to })),
      );
  }
  for (const { id, href } of links) {
    const parts = partsOf(href);
    if (!parts) continue;
    const { head, number, rest } = parts;
    result.found.push(number);
    if (from === undefined || !same(number, from)) continue;
    const now =
      key === 'email'
        ? to
        : /^http/i.test(head)
          ? digitsOf(dialled(`+${number}`, to))
          : dialled(number, to);
    result.links.push({ id, target: head + now + rest });
  }
  return result;
}

/**
 * A number as a link dials it. If the new number has no country code, the old link's code is used.
 */
function dialled(old: string, now: string): string {
  const [before, after] = [digitsOf(old), digitsOf(now)];
  if (now.trim().startsWith('+')) return `+${after}`;
  const national = after.replace(/^0/, '');
  const code = before.slice(0, Math.max(0, before.length - national.length));
  return old.trim().startsWith('+') && code !== '' ? `+${code}${national}` : after;
}

const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/g;
/** Most characters between a copyright sign and its year. */
const REACH = 40;

/**
 * Changes the copyright year in the footer. On a page without a footer, the year must follow the
 * sign.
 */
function years(
  { slots, footer = null }: FactPage,
  { from, year }: { from?: string; year: string },
): FactsChanged {
  const result = nothing();
  const own = footer && new Set(footer);
  const mark = own ? /©|\(c\)|copyright/i : /©|\(c\)/i;
  for (const slot of slots) {
    if (isData(slot) || slot.role === 'caption' || (own && !own.has(slot.id))) continue;
    const plain = plainText(slot.text);
    const span = yearBehind(plain, mark);
    if (!span) continue;
    const old = plain.slice(span.from, span.to);
    result.found.push(old);
    if (from === undefined || from === old)
      result.texts[slot.id] = replaceInSlot(slot, [{ ...span, text: year }]);
    else result.left.push(old);
  }
  return result;
}

/** The year of a copyright: the last year of `© 2011–2025`, but no year of a sentence after it. */
function yearBehind(plain: string, mark: RegExp): Span | undefined {
  const all = spansOf(plain, YEAR);
  let at = all.findIndex(({ from }) => mark.test(plain.slice(Math.max(0, from - REACH), from)));
  if (at === -1) return undefined;
  while (all[at + 1] && /^\s?(?:[-–—,&]|to)\s?$/.test(plain.slice(all[at]!.to, all[at + 1]!.from)))
    at++;
  return all[at];
}

/** Whether a text is a price in structured data. */
export const isPrice = ({ jsonPath }: Slot): boolean => isPriceAt(jsonPath);
const isData = ({ role }: Slot) => role === 'structured-data';

/**
 * Changes amounts. `newAmount` returns the replacement for an amount in a text; undefined keeps it.
 */
function changeAmounts(
  { slots }: FactPage,
  newAmount: (slot: Slot, old: string) => string | undefined,
): FactsChanged {
  const result = nothing();
  for (const slot of slots) {
    const plain = plainText(slot.text);
    const isWhole = isPrice(slot) && /^\d/.test(plain);
    const spans = isWhole ? [{ from: 0, to: plain.length }] : amountSpans(plain);
    const edits = spans.flatMap((span): Edit[] => {
      const text = newAmount(slot, plain.slice(span.from, span.to));
      return text === undefined ? [] : [{ ...span, text }];
    });
    if (edits.length === 0) continue;
    result.texts[slot.id] = replaceInSlot(slot, edits);
    if (!isData(slot))
      for (const { from, to, text } of edits) result.notes.push([plain.slice(from, to), text]);
  }
  return result;
}

function raised(page: FactPage, factor: number): FactsChanged {
  const { notes, ...changed } = changeAmounts(page, (_, old) => scaled(old, factor));
  return { ...changed, notes: notes.filter(([old, now]) => old !== now) };
}

/** Most characters between a package's name and its price in running text. */
const NEAR = 12;

const newPrice = (slot: Slot, old: string, to: string) =>
  isPrice(slot) ? pricedAmount(to) : inPlaceOf(old, to);

interface Priced {
  name: string;
  from?: string;
  to: string;
}

function priced({ slots, groups }: FactPage, { name, from, to }: Priced): FactsChanged {
  const result = nothing();
  const plain = new Map(slots.map((slot) => [slot.id, plainText(slot.text)]));
  const isName = (id: string | undefined) =>
    id !== undefined && sameAddress(plain.get(id) ?? '', name);
  const edits = new Map<string, Edit[]>();
  const change = (slot: Slot, span: Span | undefined) => {
    if (!span || edits.has(slot.id)) return;
    const old = plain.get(slot.id)!.slice(span.from, span.to);
    if (!isData(slot)) result.found.push(old);
    if (from !== undefined && !isSameAmount(old, from)) return;
    const text = newPrice(slot, old, to);
    edits.set(slot.id, [{ ...span, text }]);
    if (!isData(slot)) result.notes.push([old, text]);
  };
  const byId = mapById(slots);
  for (const ids of [...membersNamed(groups, isName), ...columnsNamed(slots, groups, isName)]) {
    const priced = ids
      .map((id) => byId.get(id)!)
      .find((slot) => amountSpans(plain.get(slot.id)!)[0]?.from === 0);
    if (priced) change(priced, amountSpans(plain.get(priced.id)!)[0]);
  }
  const byPath = new Map(
    slots.filter(isData).map((slot) => [`${elementOf(slot)} ${slot.jsonPath}`, slot.id]),
  );
  for (const slot of slots) {
    const text = plain.get(slot.id)!;
    const named = isName(byPath.get(`${elementOf(slot)} ${siblingName(slot)}`));
    if (isPrice(slot) && named) change(slot, { from: 0, to: text.length });
    else
      for (const { to: end } of findWords(text, name))
        change(
          slot,
          amountSpans(text).find((span) => span.from >= end && span.from - end <= NEAR),
        );
  }
  for (const [id, own] of edits) result.texts[id] = replaceInSlot(byId.get(id)!, own);
  const old = new Set(result.notes.map(([old]) => old));
  for (const { id } of slots) {
    const text = plain.get(id)!;
    if (edits.has(id)) continue;
    result.left.push(
      ...amountSpans(text)
        .map(({ from, to }) => text.slice(from, to))
        .filter((amount) => old.has(amount)),
    );
  }
  return result;
}

const elementOf = ({ id }: Slot) => id.split('.', 1)[0];
const siblingName = ({ jsonPath = '' }: Slot) =>
  `${jsonPath.slice(0, jsonPath.lastIndexOf('.') + 1)}name`;

/** Slots of the members with the name as one of their first two texts. */
const membersNamed = (
  groups: SlotGroup[],
  isName: (id: string | undefined) => boolean,
): string[][] =>
  groups.flatMap(({ members }) =>
    members.filter((ids) => ids.some((id, i) => i < 2 && isName(id))),
  );

/** Cells of the columns with the name as their heading. The header row may lack its first cell. */
function columnsNamed(
  slots: Slot[],
  groups: SlotGroup[],
  isName: (id: string | undefined) => boolean,
): string[][] {
  return groups
    .filter(({ role }) => role === 'table-row')
    .flatMap(({ members }) => {
      const first = slots.findIndex(({ id }) => id === members[0]![0]);
      let start = first;
      while (start > 0 && slots[start - 1]!.role === 'table-cell') start--;
      const head = slots.slice(start, first).map(({ id }) => id);
      const behind = head.length - head.findIndex((id) => isName(id));
      return behind > head.length
        ? []
        : members.map((ids) => [ids.at(-behind)!]).filter(([id]) => id !== undefined);
    });
}
