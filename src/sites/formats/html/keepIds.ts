import { defined } from '../../../contract/defined.ts';
import { plainText } from '../../pages/slotText.ts';
import type { Edited, PageIds } from '../changes.ts';
import type { Slot, SlotTexts } from '../page.ts';
import {
  childrenOf,
  isText,
  parentOf,
  parseDocument,
  type Element,
  type HtmlDocument,
} from './document.ts';
import { hasWords } from '../../../text/text.ts';
import { isBlank } from './escape.ts';
import { knownGroups } from './groups/changeGroup.ts';
import type { Member } from './groups/findGroups.ts';
import { usableGroups } from './groups/usableGroups.ts';
import { idOf, idsAfter, numberIn, openPage, slotId, type Page } from './openPage.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { leavesOf } from './slots/plainSlotPlaces.ts';
import type { SlotPlace } from './slots/slotPlace.ts';

/**
 * Numbers the elements of a page's new source like those before.
 * @param order the elements of the page, in the order that the edit gave them
 */
export function numberedAlike(page: Page, source: string, order = page.elements): Edited {
  const after = parseDocument(source);
  const { elements } = after;
  const { length } = elements;
  const isSame =
    length === order.length && elements.every(({ tagName }, i) => tagName === order[i]!.tagName);
  const isInPlace = isSame && order === page.elements && !page.ids;
  if (isInPlace && countValues(page) === countValues(after)) return { source };
  const shared = isSame ? length : countShared(elements, order);
  const rest = Math.min(length, order.length) - shared;
  const behind = Math.min(rest, countShared(elements.toReversed(), order.toReversed()));
  const oldAt = (i: number) => {
    if (i < shared) return order[i];
    return i >= length - behind ? order[i - length + order.length] : undefined;
  };
  const numbers = elements.map((element, i) => {
    const old = oldAt(i);
    return [element, old ? page.numbers.get(old)! : '+'] as const;
  });
  return { source, ids: idsAfter({ elements, numbers: new Map(numbers) }, page.ids) };
}

/** The numbers of values in each block of structured data. */
const countValues = (page: HtmlDocument) =>
  page.elements
    .filter(({ tagName }) => tagName === 'script')
    .map((script) => leavesOf(page, script).length)
    .join();

/** How many elements at the start of two lists are the same, with all attributes. */
function countShared(a: readonly Element[], b: readonly Element[]): number {
  const isSame = (one: Element, other: Element | undefined) =>
    one.tagName === other?.tagName && JSON.stringify(one.attrs) === JSON.stringify(other.attrs);
  const first = a.findIndex((element, i) => !isSame(element, b[i]));
  return first === -1 ? a.length : first;
}

/**
 * The elements of a page in the order that they have after some texts were written.
 * @returns `page.elements` itself if no text changes the order of its parts
 */
export function orderAfter(page: Page, places: SlotPlace[], texts: SlotTexts): readonly Element[] {
  const moved = new Map<Element, Element[]>();
  for (const { slot, partsIn } of places) {
    const text = texts[slot.id];
    if (text === undefined || !partsIn) continue;
    for (const [parent, own] of Map.groupBy(partsIn(text), parentOf))
      if (parent) moved.set(parent, reordered(moved.get(parent) ?? childrenOf(parent), own));
  }
  const isMoved = [...moved].some(([parent, now]) =>
    childrenOf(parent).some((child, i) => child !== now[i]),
  );
  if (!isMoved) return page.elements;
  const waiting = childrenOf(page.root).reverse();
  const order: Element[] = [];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    order.push(element);
    waiting.push(...(moved.get(element) ?? childrenOf(element)).toReversed());
  }
  return order;
}

/** A list in which some entries took each other's places. */
function reordered(all: Element[], own: Element[]): Element[] {
  const isOwn = new Set(own);
  const next = own.values();
  return all.map((element) => (isOwn.has(element) ? next.next().value! : element));
}

/** Keeps the places of running texts that are written without a letter or a number. */
export function keepPlaces(page: Page, made: Edited, texts: SlotTexts): Edited {
  const wordless = findSlotPlaces(page).filter(
    ({ slot, partsIn }) => partsIn && !hasWords(plainText(texts[slot.id] ?? slot.text)),
  );
  if (wordless.length === 0) return made;
  const ids = made.ids ?? { numbers: [], next: 1 };
  const own = wordless.map(({ element }) => page.numbers.get(element)!);
  return { ...made, ids: { ...ids, wordless: [...new Set([...(ids.wordless ?? []), ...own])] } };
}

/** Keeps the ids of groups, and of texts that share an element with others, after a change. */
export function keepNames<Made extends Edited>(before: Page, made: Made): Made {
  if (!made.ids) return made;
  const { numbers, next, groups, wordless } = made.ids;
  const ids = { numbers, next, ...defined({ groups, wordless }) };
  const named = withTexts(before, openPage({ ...before.file, source: made.source, ids }));
  const after = openPage({ ...before.file, source: made.source, ids: named });
  return { ...made, ids: isInOrder(before, after) ? named : withGroups(before, after, named) };
}

/** Whether all elements are still there, in the same order. New ones may stand between them. */
function isInOrder(before: Page, after: Page): boolean {
  const old = before.elements.map((element) => before.numbers.get(element)!);
  const known = new Set(old);
  const now = after.elements
    .map((element) => after.numbers.get(element)!)
    .filter((number) => known.has(number));
  return now.length === old.length && now.every((number, i) => number === old[i]);
}

/** The ids of a page, with those of texts whose position in their element changed. */
function withTexts(before: Page, after: Page): PageIds {
  const ids = after.ids!;
  let { next } = ids;
  const was = new Map(before.elements.map((element) => [before.numbers.get(element), element]));
  const changed = after.elements.flatMap((element) => {
    const old = was.get(after.numbers.get(element));
    return old && isChanged(before, old, after, element) ? [{ old, element }] : [];
  });
  const gone = new Set(changed.map(({ element }) => idOf(after, element)));
  const stayed = Object.entries(before.ids?.texts ?? {}).filter(
    ([now]) => !gone.has(slotId(numberIn(now))),
  );
  const names = new Map(stayed);
  const formerly = new Map(Object.entries(before.ids?.texts ?? {}).map(([at, id]) => [id, at]));
  for (const { old, element } of changed) {
    const known = textsIn(before, old);
    const now = textsIn(after, element);
    const isAsBefore =
      now.length === known.length &&
      now.every(
        ({ slot }, i) => slot.id === (formerly.get(known[i]!.slot.id) ?? known[i]!.slot.id),
      );
    let from = 0;
    for (const [i, { slot }] of now.entries()) {
      const at = isAsBefore
        ? i
        : known.findIndex((one, j) => j >= from && isSameText(one.slot, slot));
      if (at !== -1) from = at + 1;
      const isJson = slot.jsonPath !== undefined;
      const fresh = () => `${idOf(after, element)}${isJson ? '.' : '-'}n${next++}`;
      const id = at !== -1 ? known[at]!.slot.id : known.length > 0 ? fresh() : slot.id;
      if (id !== slot.id) names.set(slot.id, id);
    }
  }
  return { ...ids, next, ...(names.size > 0 && { texts: Object.fromEntries(names) }) };
}

/** Whether the texts of an element may have changed their positions in it. */
function isChanged(before: Page, old: Element, after: Page, now: Element): boolean {
  if (now.tagName === 'script') return leavesOf(before, old).length !== leavesOf(after, now).length;
  const numbersIn = (page: Page, element: Element) =>
    childrenOf(element)
      .map((child) => page.numbers.get(child))
      .join(' ');
  const hasText = (element: Element) =>
    element.childNodes.some((node) => isText(node) && !isBlank(node.value));
  return (hasText(old) || hasText(now)) && numbersIn(before, old) !== numbersIn(after, now);
}

const textsIn = (page: Page, element: Element): SlotPlace[] =>
  findSlotPlaces(page).filter((place) => place.element === element && !place.attribute);

const isSameText = (one: Slot, other: Slot) =>
  plainText(one.text) === plainText(other.text) && keyOf(one) === keyOf(other);
const keyOf = ({ jsonPath = '' }: Slot) => jsonPath.replace(/^.*[.\]]/, '');

/**
 * The ids of a page, with those of groups that lost or moved their first member. A group keeps its
 * id as long as one of its members is left.
 */
function withGroups(before: Page, after: Page, ids: PageIds): PageIds {
  const there = new Set(after.numbers.values());
  const now = usableGroups(after).map(({ slotGroup: { id }, members }) => ({
    id,
    members: membersOf(after, members),
  }));
  const groups = { ...before.ids?.groups };
  for (const { id, group } of knownGroups(before)) {
    const [first, ...others] = membersOf(before, group.members).filter((one) => there.has(one));
    const found = now.find(({ members }) => members.includes(first ?? ''))?.id;
    const lone = first !== undefined && others.length === 0 ? `g${first}` : undefined;
    const name = found ?? lone ?? '';
    if (name !== id || lone !== undefined) groups[id] = name;
    else delete groups[id];
  }
  return { ...ids, groups };
}

/** The numbers of the first element of each member. */
const membersOf = ({ numbers }: Page, members: Member[]) =>
  members.map(({ elements }) => numbers.get(elements[0]!)!);
