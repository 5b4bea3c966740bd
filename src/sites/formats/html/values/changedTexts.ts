import { diffArrays } from 'diff';
import { plainLine } from '../../../pages/texts/slotText.ts';
import { collapseSpaces, digitsOf } from '../../../../text/text.ts';
import type { SlotTexts } from '../../pageParts.ts';
import { ancestors, parentOf, textContentOf, type PageElement } from '../document.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { mayBeCode } from './dataValues.ts';

/** An old text of a page and the new one. */
type TextPair = readonly [old: string, now: string];

/** E-mail addresses and telephone numbers as they are, else words, else single signs. */
const TOKEN =
  /[^\s"'<>()[\]{},;:=/?&@]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{1,63}|\+?\(?\p{Nd}[\p{Nd} ()./–-]{5,24}\p{Nd}|[\p{L}\p{N}\p{M}]+|\S/gu;

/** A text's words and signs. An e-mail address or a telephone number is one token. */
export const valueTokens = (text: string): string[] => text.match(TOKEN) ?? [];

/** How many texts must change words in the same way, unless the words are a contact. */
const LEAST = 2;
const MOST_EDITS = 200;
const LEAST_DIGITS = 7;
const isContact = (text: string) => /@/.test(text) || digitsOf(text).length >= LEAST_DIGITS;

/** The texts of a page that change, and what becomes of the data values that repeat them. */
export interface ChangedTexts {
  /**
   * The new text of an element's value; undefined if it repeats no text that changed.
   * @param isInList whether it stands in a list of values like it: only a long text is clear there
   */
  follow: (value: string, element: PageElement, isInList: boolean) => string | undefined;
  /** Whether an element's own text is about what changes elsewhere: an entry of a list of towns. */
  keepsOldText: (element: PageElement) => boolean;
}

const LEAST_LISTED = 25;
const LONGEST_ENTRY = 80;
/** The search for the nearest of equal texts walks up from each of them. */
const MOST_EQUAL = 50;

/** A text that changes, with its element. */
interface ChangedSlot {
  element: PageElement;
  pair: TextPair;
}

/**
 * Compares the texts of a page with new ones, to tell the new text of a data value. A value follows
 * a whole text, or words that several texts changed in the same way (`Austin` to `Lisbon`). Where
 * equal texts changed in different ways, as in the members of a list, the one beside the value
 * decides.
 * @returns undefined if no text changes
 */
export function changedTexts(
  places: readonly SlotPlace[],
  texts: SlotTexts,
): ChangedTexts | undefined {
  const changes = places.flatMap(({ slot, element }): ChangedSlot[] => {
    const text = texts[slot.id] ?? slot.text;
    return text === slot.text ? [] : [{ element, pair: [plainLine(slot.text), plainLine(text)] }];
  });
  if (changes.length === 0) return undefined;
  const whole = Map.groupBy(
    changes.filter(({ pair }) => isTelling(pair)),
    ({ pair: [old] }) => old,
  );
  const inside = countedPairs(changes.flatMap(({ pair }) => changedParts(pair)));
  const changing = new Set(changes.flatMap(({ element }) => [...ancestors(element)]));
  const wordsOfMost = [...inside].filter(([, counts]) => mostOf(counts, LEAST) !== undefined);
  const old = new Set([...whole.keys(), ...wordsOfMost.map(([word]) => word)]);
  const keepsOldText = (element: PageElement) => {
    const parent = parentOf(element);
    const entry = parent?.tagName === 'label' ? parent : element;
    if (element.tagName === 'textarea' || changing.has(entry)) return false;
    const text = collapseSpaces(textContentOf(entry)).trim();
    // an option without a text, as in a datalist, shows its value
    if (text === '' && entry.tagName === 'option') return true;
    return (
      text !== '' && text.length <= LONGEST_ENTRY && old.values().some((one) => text.includes(one))
    );
  };
  return {
    keepsOldText,
    follow(value, element, isInList) {
      const key = collapseSpaces(value).trim();
      if (isInList && key.length < LEAST_LISTED) return undefined;
      const now =
        nearest(whole.get(key) ?? [], element) ??
        mostOf(inside.get(key), isContact(key) ? 1 : LEAST);
      return now === undefined || keepsOldText(element)
        ? undefined
        : value.replace(value.trim(), () => now);
    },
  };
}

/** The new text of equal old ones; if there are several, that in the nearest element around. */
function nearest(changes: ChangedSlot[], element: PageElement): string | undefined {
  const found = new Set(changes.map(({ pair: [, now] }) => now));
  const [only] = found;
  if (found.size <= 1 || changes.length > MOST_EQUAL) return found.size === 1 ? only : undefined;
  for (const around of ancestors(element)) {
    const inside = changes.filter((one) => ancestors(one.element).some((own) => own === around));
    if (inside.length > 0)
      return inside.length < changes.length ? nearest(inside, around) : undefined;
  }
  return undefined;
}

function countedPairs(pairs: TextPair[]): Map<string, Map<string, number>> {
  const counted = new Map<string, Map<string, number>>();
  for (const [old, now] of pairs.filter(isTelling)) {
    const counts = counted.get(old) ?? new Map<string, number>();
    counted.set(old, counts.set(now, (counts.get(now) ?? 0) + 1));
  }
  return counted;
}

/** Whether a text is worth following: not a bare number, a short code, markup or a URL. */
const isTelling = ([old, now]: TextPair) =>
  now !== '' &&
  !mayBeCode(old) &&
  !mayBeCode(now) &&
  !/^[\0-\x7f]{0,2}$/.test(old) &&
  (/\p{L}/u.test(old) || digitsOf(old).length >= LEAST_DIGITS || /\p{Sc}/u.test(old));

/** The new text of most pairs; undefined if there are too few, or two have as many. */
function mostOf(counts: Map<string, number> | undefined, least: number): string | undefined {
  const [most, next] = [...(counts ?? [])].toSorted(([, a], [, b]) => b - a);
  return most && most[1] >= least && most[1] !== next?.[1] ? most[0] : undefined;
}

/** The words of a text that became other words. */
function changedParts([old, now]: TextPair): TextPair[] {
  const [was, is] = [old, now].map((text) => [...text.matchAll(TOKEN)]);
  const words = (tokens: RegExpExecArray[]) => tokens.map(([token]) => token);
  const changes = diffArrays(words(was!), words(is!), { maxEditLength: MOST_EDITS }) ?? [];
  const parts: TextPair[] = [];
  let removedPart = '';
  let [at, to] = [0, 0];
  for (const { added, removed, value } of changes) {
    if (added && removedPart !== '')
      parts.push([removedPart, sliceOf(now, is!.slice(to, to + value.length))]);
    removedPart = removed ? sliceOf(old, was!.slice(at, at + value.length)) : '';
    if (!added) at += value.length;
    if (!removed) to += value.length;
  }
  return parts;
}

const sliceOf = (text: string, tokens: RegExpExecArray[]) =>
  text.slice(tokens[0]!.index, tokens.at(-1)!.index + tokens.at(-1)![0].length);
