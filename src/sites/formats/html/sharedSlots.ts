import { remembered } from '../../remembered.ts';
import { likeness } from '../../../text/likeness.ts';
import { isHeadline } from '../page.ts';
import type { HtmlDocument } from './document.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { isBeyondEdges } from './changes/edges.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { positionOf, structureOf } from './positions.ts';
import { folderOf } from '../../pages/urls.ts';
import type { Page } from './openPage.ts';
import { landmarkOf } from './roles.ts';
import { endingWords, foldedWords, namingWords } from './subjectWords.ts';

/** The least `likeness` of pages from one template. What they share need not belong to the site. */
const SAME_TEMPLATE = 0.9;

/** Other pages of the site ("sisters"). They show what a page shares with the site. */
export interface Witnesses {
  sisters: readonly HtmlDocument[];
  /**
   * Whether most sisters have something that `shows` looks for. Outside of landmarks, most sisters
   * from other templates must have it too, since pages from one template share more than the site's
   * chrome.
   */
  agree(inLandmark: boolean, shows: (sister: HtmlDocument) => boolean): boolean;
}

export function witnessesOf(template: HtmlDocument, sisters: HtmlDocument[]): Witnesses {
  const structure = structureOf(template);
  const others = new Set(
    sisters.filter((sister) => likeness(structure, structureOf(sister)) < SAME_TEMPLATE),
  );
  return {
    sisters,
    agree(inLandmark, shows) {
      const showing = sisters.filter(shows);
      return (
        isMost(showing.length, sisters.length) &&
        (inLandmark || isMost(showing.filter((sister) => others.has(sister)).length, others.size))
      );
    },
  };
}

const isMost = (count: number, all: number) => count > 0 && count * 2 > all;

/** Roles that are never chrome, though a site may give two pages the same title. */
const own = new Set(['title', 'description', 'social-title', 'social-description']);

/**
 * Ids of the slots of the site's chrome: sister pages have the same text at the same place. A
 * page's title and descriptions are not chrome. A first-level heading is chrome too if all sisters
 * but copies have it, even if they are from the same template: it is the site's name then.
 */
export function findChrome(page: HtmlDocument, witnesses: Witnesses): Set<string> {
  const places = findSlotPlaces(page);
  const keys = places.map(keyOf);
  // a copy of the page shares all of it
  const others = witnesses.sisters.filter(
    (sister) => !keys.every((key) => keysIn(sister).has(key)),
  );
  const chrome = new Set<string>();
  for (const place of places) {
    const { element } = place;
    const inLandmark = landmarkOf(element) !== null || isBeyondEdges(page, element);
    if (own.has(place.slot.role)) continue;
    const key = keyOf(place);
    const shows = (sister: HtmlDocument) => keysIn(sister).has(key);
    const isSiteName = isHeadline(place.slot) && others.length > 0 && others.every(shows);
    if (isSiteName || witnesses.agree(inLandmark, shows)) chrome.add(place.slot.id);
  }
  return chrome;
}

/**
 * Ids of texts that name what the page is about, and that most other pages of its folder have too:
 * a list of all shops, or a sentence on where the first one was. They are not about the page.
 */
export function findShared(page: Page, sisters: readonly Page[]): Set<string> {
  const { slug } = page.file;
  const words = endingWords(slug);
  const siblings = sisters.filter((sister) => {
    const others = new Set([...endingWords(sister.file.slug), ...namingWords(sister)]);
    const isBeside = folderOf(sister.file.slug) === folderOf(slug);
    return isBeside && words.some((word) => !others.has(word));
  });
  const named = findSlotPlaces(page).filter(
    ({ slot }) =>
      !own.has(slot.role) &&
      slot.level !== 1 &&
      foldedWords(slot.text).some((word) => words.includes(word)),
  );
  if (named.length === 0 || siblings.length === 0) return new Set();
  const isShared = (place: SlotPlace) => {
    const key = keyOf(place);
    return isMost(siblings.filter((sister) => keysIn(sister).has(key)).length, siblings.length);
  };
  return new Set(named.filter(isShared).map(({ slot }) => slot.id));
}

/** The keys of a page's texts. */
const keysIn = (page: HtmlDocument): ReadonlySet<string> =>
  remembered(knownKeys, page.numbers, () => new Set(findSlotPlaces(page).map(keyOf)));

const knownKeys = new WeakMap<HtmlDocument['numbers'], ReadonlySet<string>>();

const keyOf = (place: SlotPlace) => `${positionOf(place.element)}\n${saysOf(place)}`;

/** A text with its attribute or JSON property, to compare it with other pages. */
export const saysOf = ({ slot, attribute }: SlotPlace): string =>
  JSON.stringify([attribute, slot.jsonPath?.replace(/\[\d+\]/g, ''), slot.text]);
