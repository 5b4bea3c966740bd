import type { Claim } from '../../page.ts';
import type { BlockAt } from '../blocks/findBlocks.ts';
import {
  attributeOf,
  childrenOf,
  childText,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { landmarkOf } from '../roles.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { jsonClaims } from './jsonClaims.ts';
import { mapIn } from './findMaps.ts';
import { findQuotes } from './findQuotes.ts';

/**
 * Finds the claims of a page: quotes, stars, maps and coordinates in its content, head and
 * structured data. Landmarks are left out, since they belong to the site.
 */
export function findClaims(
  page: HtmlDocument,
  places: readonly SlotPlace[],
  blocks: readonly BlockAt[],
): Claim[] {
  const elements = page.elements.filter((element) => !landmarkOf(element));
  const visible = places.filter(
    ({ element, slot }) => slot.role !== 'structured-data' && !landmarkOf(element),
  );
  const byElement = Map.groupBy(visible, ({ element }) => element);
  const built = elements.flatMap((element): Claim[] => {
    const slots = (byElement.get(element) ?? []).map(({ slot }) => slot.id);
    const found = mapIn(element) ?? starsIn(element);
    const number = page.numbers.get(element);
    const id = element.tagName === 'meta' ? `s${number}.content` : `s${number}`;
    return found ? [{ id, ...found, slots, byline: [] }] : [];
  });
  const quotes = findQuotes(elements, visible, blocks).map(({ element, ...quote }): Claim => ({
    id: `s${page.numbers.get(element)}`,
    kind: 'quote',
    ...quote,
  }));
  return [...quotes, ...built, ...elements.flatMap((element) => jsonClaims(page, element))];
}

const STAR = /(?:^|\s)(?:[\w-]*-)?stars?(?:-(?:fill|half|solid))?(?=\s|$)/i;
const LEAST_STARS = 3;

/** A star rating in an element, of characters or of icons. */
function starsIn(element: Element): Pick<Claim, 'kind' | 'text'> | undefined {
  const [row] = /[★⭐☆✩✮✭]{3,10}/u.exec(childText(element).replace(/[\s\uFE0F]/gu, '')) ?? [];
  if (row !== undefined) return { kind: 'rating', text: row };
  const icons = childrenOf(element).filter((child) => STAR.test(attributeOf(child, 'class') ?? ''));
  const isRating = icons.length >= LEAST_STARS && icons.length <= 10;
  return isRating ? { kind: 'rating', text: '★'.repeat(icons.length) } : undefined;
}
