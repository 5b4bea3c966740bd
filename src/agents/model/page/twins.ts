import { orderOf } from '../../../sites/formats/groupOrder.ts';
import type { GroupCounts, Slot, SlotGroup } from '../../../sites/formats/page.ts';
import { remembered } from '../../../sites/remembered.ts';
import { plainText } from '../../text/marks.ts';

/** What structured data says of members that go: it goes with them. */
export interface Twins {
  /** Ids of its values. */
  gone: ReadonlySet<string>;
  /** Ids for `GeneratedPage.removed`. */
  removed: string[];
  /** Ids of the groups that structured data repeats. */
  groups: ReadonlySet<string>;
}

/** A list of structured data: its entries, by their indexes, for each member that one repeats. */
type List = Map<number, Set<number>>;

const SHORTEST = 4;

/**
 * Finds the entries of lists in structured data that repeat members of groups which go: questions
 * of an FAQ, offers. A list repeats a group if at least two of its entries repeat a member each.
 */
export function twinsOf(
  slots: readonly Slot[],
  groups: readonly SlotGroup[],
  counts: GroupCounts,
): Twins {
  const twins = { gone: new Set<string>(), removed: [] as string[], groups: new Set<string>() };
  const data = slots.filter(({ role }) => role === 'structured-data');
  for (const group of groups.filter(({ id }) => id in counts)) {
    const stays = new Set(orderOf(counts[group.id]!, group.members.length));
    for (const [key, list] of listsOf(data, slots, group)) {
      if (new Set([...list.values()].flatMap((entries) => [...entries])).size < 2) continue;
      twins.groups.add(group.id);
      const kept = new Set([...list].flatMap(([i, entries]) => (stays.has(i) ? [...entries] : [])));
      const going = [...list].flatMap(([i, entries]) => (stays.has(i) ? [] : [...entries]));
      for (const entry of new Set(going).difference(kept)) {
        const own = data.filter((slot) => isIn(slot, `${key}[${entry}]`));
        if (!twins.gone.has(own[0]!.id)) twins.removed.push(`${own[0]!.id}*`);
        for (const { id } of own) twins.gone.add(id);
      }
    }
  }
  return twins;
}

/** `s22 mainEntity[2].name`: a value's script and path. */
const placeOf = ({ id, jsonPath = '' }: Slot) => `${id.slice(0, id.indexOf('.'))} ${jsonPath}`;
const isIn = (slot: Slot, entry: string) =>
  placeOf(slot) === entry || placeOf(slot).startsWith(`${entry}.`);

/** The lists with entries that repeat members of a group, by their script and path. */
function listsOf(data: Slot[], slots: readonly Slot[], { members }: SlotGroup): Map<string, List> {
  const saying = new Map<string, Set<number>>();
  const texts = new Map(slots.map((slot) => [slot.id, plainText(slot.text)]));
  for (const [i, ids] of members.entries())
    for (const text of ids.map((id) => texts.get(id) ?? ''))
      if (text.length >= SHORTEST) remembered(saying, text, () => new Set<number>()).add(i);
  const lists = new Map<string, List>();
  for (const slot of data)
    for (const member of saying.get(plainText(slot.text)) ?? [])
      for (const { index, 1: entry } of placeOf(slot).matchAll(/\[(\d{1,6})\]/g)) {
        const list = remembered(lists, placeOf(slot).slice(0, index), () => new Map() as List);
        remembered(list, member, () => new Set<number>()).add(Number(entry));
      }
  return lists;
}
