import type { HtmlDocument } from './document.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { likeness, positionOf } from './likeness.ts';
import { landmarkOf } from './roles.ts';

/**
 * From this likeness of their contents on, two pages are made from one template: what they share
 * there is the template's, not the site's.
 */
const SAME_TEMPLATE = 0.9;

/** Tells whether what stands somewhere on a page stands there on its sister pages too. */
export interface Witnesses {
  sisters: readonly HtmlDocument[];
  /**
   * Whether most sisters say so (the one sister, where there is only one). Outside landmarks, pages
   * made from the same template agree on what is their own, so there most of the other pages have
   * to say so as well.
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

/** The page's own words, whatever other pages say: a site may well give two pages one title. */
const own = new Set(['title', 'description', 'social-title', 'social-description']);

/**
 * Ids of the slots that belong to the site, not to the page: the same text stands at the same place
 * of its sister pages. A page's title, descriptions and first-level heading are its own; only where
 * it has several such headings can one, in a landmark, be the site's name.
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

/** What a text says and of what it is, wherever it stands on its page. */
export const saysOf = ({ slot, attribute }: SlotPlace): string =>
  JSON.stringify([attribute, slot.jsonPath?.replace(/\[\d+\]/g, ''), slot.text]);
