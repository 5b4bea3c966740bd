import type { Place } from '../page.ts';
import type { PageFile } from '../../../contract/site.ts';
import { attributeOf, type Element, type HtmlDocument } from './document.ts';
import { slotId } from './openPage.ts';
import { addressesOf } from './links/pageAddresses.ts';
import { isLink, nameOf } from './links/pageLinks.ts';
import { positionOf } from './likeness.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';

interface Thing {
  id: string;
  says: string;
  element: Element;
}

/** Texts by their slots' ids, and links (`s12.href`). */
function* thingsOf(page: HtmlDocument, file: PageFile): Generator<Thing> {
  for (const { slot, element, attribute } of findSlotPlaces(page)) {
    const path = slot.jsonPath?.replace(/\[\d+\]/g, '');
    yield { id: slot.id, says: JSON.stringify([attribute, path, slot.text]), element };
  }
  const addresses = addressesOf(page, { template: file, target: file });
  for (const [element, number] of page.numbers) {
    if (!isLink(element)) continue;
    const href = attributeOf(element, 'href') ?? '';
    const target = addresses.slugOf(href) ?? addresses.pathOf(href) ?? href;
    yield {
      id: `${slotId(number)}.href`,
      says: JSON.stringify(['link', nameOf(element), target]),
      element,
    };
  }
}

/** Everything of a page that says one of these, with its place. */
function placed(
  page: HtmlDocument,
  file: PageFile,
  wanted: (thing: Thing) => boolean,
): [Place, string][] {
  const counts = new Map<string, number>();
  const found: [Place, string][] = [];
  for (const thing of thingsOf(page, file)) {
    if (!wanted(thing)) continue;
    const at = positionOf(thing.element);
    const key = `${thing.says}\n${at}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    found.push([{ says: thing.says, at, nth }, thing.id]);
  }
  return found;
}

/** Where texts and links of a page stand; null for an id that it does not have. */
export function placesOf(page: HtmlDocument, file: PageFile, ids: string[]): (Place | null)[] {
  const own = new Set(ids);
  const says = new Set(
    [...thingsOf(page, file)].filter(({ id }) => own.has(id)).map((thing) => thing.says),
  );
  const byId = new Map(
    placed(page, file, (thing) => says.has(thing.says)).map(([place, id]) => [id, place]),
  );
  return ids.map((id) => byId.get(id) ?? null);
}

/**
 * The ids of the texts and links that say the same at the same places of another page; null for one
 * that is not there.
 */
export function idsAt(
  page: HtmlDocument,
  file: PageFile,
  places: (Place | null)[],
): (string | null)[] {
  const keyOf = ({ says, at, nth }: Place) => `${says}\n${at}\n${nth}`;
  const says = new Set(places.map((place) => place?.says));
  const byKey = new Map(
    placed(page, file, (thing) => says.has(thing.says)).map(([place, id]) => [keyOf(place), id]),
  );
  return places.map((place) => (place && byKey.get(keyOf(place))) ?? null);
}
