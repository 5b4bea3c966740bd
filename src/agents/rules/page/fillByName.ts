import type { TextSlot, SlotGroup } from '../../../sites/formats/pageParts.ts';
import { replaceAmount } from '../../shared/text/moneyAmounts.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { replaceSpans } from '../../shared/text/textSpans.ts';
import type { ContextField } from '../../shared/context/contextData.ts';
import type { FactKind } from '../../shared/facts/factPatterns.ts';
import { findSlotFacts, textSlot } from '../../shared/facts/findFacts.ts';
import type { PageFilling } from '../../shared/page/pageFilling.ts';
import { isOwnText, findMemberTitle, findWholeFactKind } from '../../shared/page/writeMember.ts';
import { listMemberSlots } from '../../shared/page/memberSlots.ts';

/**
 * Puts facts into members of groups by the members' names (a group: like blocks, such as the cards
 * of packages; each is a member). `prices: { Starter: "€3,900" }` or `Starter price: €3,900` sets
 * the price of the card `Starter`. Other members keep their facts.
 * @param above the key above the fields. Below a key for prices, numbers need no currency.
 * @returns whether any member took a fact
 */
export function fillByName(
  filling: PageFilling,
  fields: readonly ContextField[],
  above = '',
): boolean {
  const isOfPrices = PRICE_KEY.test(foldWords(above));
  const namedFacts = fields.flatMap(({ key, values: [value] }) => {
    const name = readPricedName(key);
    const isPriced = value !== undefined && (name !== null || isOfPrices) && isPriceValue(value);
    const kind = value === undefined ? undefined : isPriced ? 'price' : findWholeFactKind(value);
    return value === undefined || kind === undefined
      ? []
      : [{ names: name === null ? [key] : [key, name], value, kind }];
  });
  if (namedFacts.length === 0) return false;
  const members = filling.groups.flatMap((group) =>
    listMemberSlots(filling.slots, { group, mark: '' }).map((slots) => ({ group, slots })),
  );
  const membersByName = Map.groupBy(members, readMemberName);
  const placedFacts = namedFacts.flatMap(({ names, value, kind }) =>
    [
      ...new Set(
        names.flatMap(
          (name) => membersByName.get(name) ?? membersByName.get(removePlanWords(name)) ?? [],
        ),
      ),
    ].filter(({ slots }) => putMemberFact(filling, slots, kind, value)),
  );
  return placedFacts.length > 0;
}

const PRICE_WORDS =
  'prices?|preise?|pris(?:er)?|prix|precios?|prezz[oi]|precos?|cost|kosten|fee|tariff?';
const NAME_WORDS = 'plan|package|paket|pakke|tier|monthly|month|per month|mo|from|ab|fra|starting';
/** A key that has a word for prices: `starter plan price`, `price starter`. */
const PRICE_KEY = new RegExp(`(?:^|\\s)(?:${PRICE_WORDS})(?:\\s|$)`, 'u');
const WORDS_BESIDE_NAME = new RegExp(
  `(?:^|(?<=\\s))(?:${PRICE_WORDS}|${NAME_WORDS}|of|for|the|von|for|av)(?=\\s|$)`,
  'gu',
);
const PLAN_WORD = /(?:^|\s)(?:the|plan|package|paket|pakke|tier)(?=\s|$)/gu;

/** The name in a key for a price: `starter` in `monthly price of starter`. null for other keys. */
function readPricedName(key: string): string | null {
  if (!PRICE_KEY.test(key)) return null;
  const name = key.replace(WORDS_BESIDE_NAME, ' ').replace(/\s+/g, ' ').trim();
  return name === '' ? null : name;
}

const removePlanWords = (name: string) => name.replace(PLAN_WORD, ' ').replace(/\s+/g, ' ').trim();

/** Whether a value is a price, or a number without a currency. */
const isPriceValue = (value: string) =>
  findWholeFactKind(value) === 'price' ||
  /^\d[\d.,'’\s]{0,20}(?:[.,][-–—]+)?$/u.test(value) ||
  findSlotFacts(textSlot(value)).some(({ kind, from }) => kind === 'price' && from === 0);

function readMemberName(member: { group: SlotGroup; slots: TextSlot[] }): string {
  const name = foldWords(
    plainText((findMemberTitle(member) ?? member.slots.find(isOwnText))?.text ?? ''),
  );
  const shortName = removePlanWords(name);
  return shortName === '' ? name : shortName;
}

/** Replaces a member's first fact of a kind. A price without a currency takes the old one's. */
function putMemberFact(
  filling: PageFilling,
  slots: TextSlot[],
  kind: FactKind,
  value: string,
): boolean {
  const freeFacts = slots
    .filter((slot) => !filling.texts.has(slot))
    .flatMap((slot) => findSlotFacts(slot));
  const fact = freeFacts.find((fact) => fact.kind === kind);
  const text = fact && kind === 'price' ? replaceAmount(fact.text, value) : value;
  if (fact) filling.put(fact.slot, replaceSpans(plainText(fact.slot.text), [{ ...fact, text }]));
  return fact !== undefined;
}
