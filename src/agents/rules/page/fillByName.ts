import type { Slot, SlotGroup } from '../../../sites/formats/page.ts';
import { inPlaceOf } from '../../text/amounts.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { replaceSpans } from '../../text/spans.ts';
import type { Field } from '../../context/contextData.ts';
import type { FactKind } from '../../facts/factPatterns.ts';
import { factsOf, textSlot } from '../../facts/findFacts.ts';
import type { Filling } from '../../page/filling.ts';
import { isOwn, titleOf, wholeFact } from '../../page/member.ts';
import { slotsOf } from '../../page/memberSlots.ts';

/**
 * Puts facts into members of groups by the members' names. `prices: { Starter: "€3,900" }` or
 * `Starter price: €3,900` sets the price of the member `Starter`. Other members keep their facts.
 * @param above the key above the fields. Below a key for prices, numbers need no currency.
 * @returns whether any member took a fact
 */
export function fillByName(filling: Filling, fields: readonly Field[], above = ''): boolean {
  const isOfPrices = PRICED.test(foldWords(above));
  const given = fields.flatMap(({ key, values: [value] }) => {
    const name = namePriced(key);
    const isPriced = value !== undefined && (name !== null || isOfPrices) && isPrice(value);
    const kind = value === undefined ? undefined : isPriced ? 'price' : wholeFact(value);
    return value === undefined || kind === undefined
      ? []
      : [{ names: name === null ? [key] : [key, name], value, kind }];
  });
  if (given.length === 0) return false;
  const members = filling.groups.flatMap((group) =>
    slotsOf(filling.slots, { group, mark: '' }).map((slots) => ({ group, slots })),
  );
  const byName = Map.groupBy(members, nameOf);
  const placed = given.flatMap(({ names, value, kind }) =>
    [
      ...new Set(names.flatMap((name) => byName.get(name) ?? byName.get(withoutPlan(name)) ?? [])),
    ].filter(({ slots }) => putFact(filling, slots, kind, value)),
  );
  return placed.length > 0;
}

const PRICE = 'prices?|preise?|pris(?:er)?|prix|precios?|prezz[oi]|precos?|cost|kosten|fee|tariff?';
const WORDS = 'plan|package|paket|pakke|tier|monthly|month|per month|mo|from|ab|fra|starting';
/**
 * Words of a key that stand beside a name: `starter plan price`, `price starter`, `monthly price of
 * starter`.
 */
const PRICED = new RegExp(`(?:^|\\s)(?:${PRICE})(?:\\s|$)`, 'u');
const BESIDE = new RegExp(
  `(?:^|(?<=\\s))(?:${PRICE}|${WORDS}|of|for|the|von|for|av)(?=\\s|$)`,
  'gu',
);
const PLAN = /(?:^|\s)(?:the|plan|package|paket|pakke|tier)(?=\s|$)/gu;

/** The name in a key for something's price. null for other keys. */
function namePriced(key: string): string | null {
  if (!PRICED.test(key)) return null;
  const name = key.replace(BESIDE, ' ').replace(/\s+/g, ' ').trim();
  return name === '' ? null : name;
}

const withoutPlan = (name: string) => name.replace(PLAN, ' ').replace(/\s+/g, ' ').trim();

/** Whether a value is a price, or a number without a currency. */
const isPrice = (value: string) =>
  wholeFact(value) === 'price' ||
  /^\d[\d.,'’\s]{0,20}(?:[.,][-–—]+)?$/u.test(value) ||
  factsOf(textSlot(value)).some(({ kind, from }) => kind === 'price' && from === 0);

function nameOf(member: { group: SlotGroup; slots: Slot[] }): string {
  const name = foldWords(plainText((titleOf(member) ?? member.slots.find(isOwn))?.text ?? ''));
  const short = withoutPlan(name);
  return short === '' ? name : short;
}

/** Puts a fact into a member. A price without a currency takes the template's currency. */
function putFact(filling: Filling, slots: Slot[], kind: FactKind, value: string): boolean {
  const found = slots.filter((slot) => !filling.texts.has(slot)).flatMap((slot) => factsOf(slot));
  const fact = found.find((fact) => fact.kind === kind);
  const text = fact && kind === 'price' ? inPlaceOf(fact.text, value) : value;
  if (fact) filling.put(fact.slot, replaceSpans(plainText(fact.slot.text), [{ ...fact, text }]));
  return fact !== undefined;
}
