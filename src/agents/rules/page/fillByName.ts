import type { Slot } from '../../../sites/pages/format.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { replaceSpans } from '../../text/words.ts';
import type { Field } from '../context/data.ts';
import type { FactKind } from './factPatterns.ts';
import { factsOf } from './facts.ts';
import type { Filling } from './filling.ts';
import { isOwn, titleOf, wholeFact } from './member.ts';
import { slotsOf } from './memberSlots.ts';

/**
 * Gives facts to the members of groups that they are named after: `prices: { Starter: "€3,900" }` is the price of the
 * member `Starter`. The others keep theirs.
 * @returns whether a member took one of them
 */
export function fillByName(filling: Filling, fields: readonly Field[]): boolean {
  const given = fields.flatMap(({ key, values: [value] }) => {
    const kind = value === undefined ? undefined : wholeFact(value);
    return value === undefined || kind === undefined ? [] : [{ key, value, kind }];
  });
  if (given.length === 0) return false;
  const members = filling.groups.flatMap((group) => slotsOf(filling.slots, { group, mark: '' }).map((slots) => ({ group, slots }))); // prettier-ignore
  const byName = Map.groupBy(members, (member) =>
    foldWords(plainText((titleOf(member) ?? member.slots.find(isOwn))?.text ?? '')),
  );
  const placed = given.flatMap(({ key, value, kind }) =>
    (byName.get(key) ?? []).filter(({ slots }) => putFact(filling, slots, kind, value)),
  );
  return placed.length > 0;
}

function putFact(filling: Filling, slots: Slot[], kind: FactKind, value: string): boolean {
  const found = slots.filter((slot) => !filling.texts.has(slot)).flatMap((slot) => factsOf(slot));
  const fact = found.find((fact) => fact.kind === kind);
  if (fact) filling.put(fact.slot, replaceSpans(plainText(fact.slot.text), [{ ...fact, text: value }]));
  return fact !== undefined;
}
