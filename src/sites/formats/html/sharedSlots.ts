import type { HtmlDocument } from './document.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { likeness, positionOf } from './likeness.ts';
import { landmarkOf } from './roles.ts';

/** Pages that are this alike are made from one template: what they share need not be the site's. */
const SAME_TEMPLATE = 0.9;

/** Tells whether other pages of the site ("sisters") have the same at the same place. */
export interface Witnesses {
  sisters: readonly HtmlDocument[];
  /**
   * Whether most sisters show it. Outside of landmarks, pages from the same template show the same
   * without it being the site's, so most of the other pages must show it too.
   */
  agree(inLandmark: boolean, shows: (sister: HtmlDocument) => boolean): boolean;
}

export function witnessesOf(template: HtmlDocument, sisters: HtmlDocument[]): Witnesses {
  const others = new Set(sisters.filter((sister) => likeness(template, sister) < SAME_TEMPLATE));
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

/** Always the page's own: a site may give two pages one title. */
const own = new Set(['title', 'description', 'social-title', 'social-description']);

/**
 * Ids of the slots that belong to the site: sister pages have the same text at the same place. A
 * page's title, descriptions and first-level heading are its own. If it has several such headings,
 * one in a landmark can be the site's name.
 */
export function findChrome(places: SlotPlace[], witnesses: Witnesses): Set<string> {
  const shown = new Map(
    witnesses.sisters.map((sister) => [sister, new Set(findSlotPlaces(sister).map(keyOf))]),
  );
  const topHeadings = places.filter(
    ({ slot, element }) => slot.level === 1 && !landmarkOf(element),
  ).length;
  const chrome = new Set<string>();
  for (const place of places) {
    const inLandmark = landmarkOf(place.element) !== null;
    if (own.has(place.slot.role) || (place.slot.level === 1 && !(inLandmark && topHeadings > 0)))
      continue;
    const key = keyOf(place);
    if (witnesses.agree(inLandmark, (sister) => shown.get(sister)?.has(key) ?? false))
      chrome.add(place.slot.id);
  }
  return chrome;
}

const keyOf = (place: SlotPlace) => `${positionOf(place.element)}\n${saysOf(place)}`;

/** A text with the attribute or property that it is of, to compare it on other pages. */
export const saysOf = ({ slot, attribute }: SlotPlace): string =>
  JSON.stringify([attribute, slot.jsonPath?.replace(/\[\d+\]/g, ''), slot.text]);
