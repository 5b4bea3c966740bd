import type { Place } from '../page.ts';
import { attributeOf, type Element } from './document.ts';
import { positionOf } from './likeness.ts';
import { addressesOf } from './links/pageAddresses.ts';
import { isLink, nameOf } from './links/pageLinks.ts';
import { idOf, type Page } from './openPage.ts';
import { saysOf } from './sharedSlots.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';

interface Thing {
  id: string;
  says: string;
  element: Element;
}

/** Texts by their slots' ids, and links (`s12.href`). */
function* thingsOf(page: Page): Generator<Thing> {
  for (const place of findSlotPlaces(page))
    yield { id: place.slot.id, says: saysOf(place), element: place.element };
  const addresses = addressesOf(page);
  for (const element of page.elements.filter(isLink)) {
    const href = attributeOf(element, 'href') ?? '';
    const target = addresses.slugOf(href) ?? addresses.pathOf(href) ?? href;
    const says = JSON.stringify(['link', nameOf(element), target]);
    yield { id: `${idOf(page, element)}.href`, says, element };
  }
}

/** The texts and links of a page with one of these contents, with their places. */
function placed(page: Page, wanted: ReadonlySet<string | undefined>): [Place, string][] {
  const counts = new Map<string, number>();
  const found: [Place, string][] = [];
  for (const { id, says, element } of thingsOf(page)) {
    if (!wanted.has(says)) continue;
    const at = positionOf(element);
    const key = `${says}\n${at}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    found.push([{ says, at, nth }, id]);
  }
  return found;
}

/** Where texts and links of a page stand; null for an id that it does not have. */
export function placesOf(page: Page, ids: string[]): (Place | null)[] {
  const wanted = new Set(ids);
  const own = thingsOf(page).filter(({ id }) => wanted.has(id));
  const says = new Set(own.map((thing) => thing.says));
  const byId = new Map(placed(page, says).map(([place, id]) => [id, place]));
  return ids.map((id) => byId.get(id) ?? null);
}

/**
 * The ids of the texts and links that say the same at the same places of another page; null for one
 * that is not there.
 */
export function idsAt(page: Page, places: (Place | null)[]): (string | null)[] {
  const keyOf = ({ says, at, nth }: Place) => `${says}\n${at}\n${nth}`;
  const says = new Set(places.map((place) => place?.says));
  const byKey = new Map(placed(page, says).map(([place, id]) => [keyOf(place), id]));
  return places.map((place) => (place && byKey.get(keyOf(place))) ?? null);
}
