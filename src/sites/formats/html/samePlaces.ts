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

/** The texts of a page with their slot ids, and its links (`s12.href`). */
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

/** The places and ids of the texts and links whose content is in `wanted`. */
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

/** The places of texts and links by their ids; null for an id that the page does not have. */
export function placesOf(page: Page, ids: string[]): (Place | null)[] {
  const wanted = new Set(ids);
  const own = thingsOf(page).filter(({ id }) => wanted.has(id));
  const says = new Set(own.map((thing) => thing.says));
  const byId = new Map(placed(page, says).map(([place, id]) => [id, place]));
  return ids.map((id) => byId.get(id) ?? null);
}

/**
 * The ids of the texts and links with the same content at the same places of another page; null
 * where the page has none.
 */
export function idsAt(page: Page, places: (Place | null)[]): (string | null)[] {
  const keyOf = ({ says, at, nth }: Place) => `${says}\n${at}\n${nth}`;
  const says = new Set(places.map((place) => place?.says));
  const byKey = new Map(placed(page, says).map(([place, id]) => [keyOf(place), id]));
  return places.map((place) => (place && byKey.get(keyOf(place))) ?? null);
}
