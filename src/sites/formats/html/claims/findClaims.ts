import type { PageClaim } from '../../pageParts.ts';
import type { LocatedBlock } from '../blocks/findBlocks.ts';
import {
  attributeOf,
  childrenOf,
  childText,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { landmarkOf } from '../roles.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { findJsonClaims } from './jsonClaims.ts';
import { readMap } from './findMaps.ts';
import { findQuotes } from './findQuotes.ts';

/**
 * Claims: quotes, star ratings, maps and coordinates, which a page states by its markup and which
 * may be false on a page about another place. `findClaims` finds those of a template:
 * `findQuotes.ts` and `findMaps.ts` in its content and head, `jsonClaims.ts` in structured data. If
 * the new page does without one, `dropValues` removes its data, and `leftOutValues.ts` finds the
 * data of other blocks that the page no longer has.
 *
 * `<blockquote><p>They built our site in a week.</p><cite>Ruth Calloway</cite></blockquote>` is a
 * claim of the kind `quote`. Its text is the sentence, and its byline is the slot of the name.
 */

/**
 * Finds the claims of a page. Landmarks are left out, since they belong to the site.
 * @param places the page's slots
 * @param blocks the page's blocks, which tell which author belongs to a quote
 */
export function findClaims(
  page: HtmlDocument,
  places: readonly SlotPlace[],
  blocks: readonly LocatedBlock[],
): PageClaim[] {
  const elements = page.elements.filter((element) => !landmarkOf(element));
  const visible = places.filter(
    ({ element, slot }) => slot.role !== 'structured-data' && !landmarkOf(element),
  );
  const placesByElement = Map.groupBy(visible, ({ element }) => element);
  const builtClaims = elements.flatMap((element): PageClaim[] => {
    const slots = (placesByElement.get(element) ?? []).map(({ slot }) => slot.id);
    const claim = readMap(element) ?? readStars(element);
    const number = page.elementNumbers.get(element);
    const id = element.tagName === 'meta' ? `s${number}.content` : `s${number}`;
    return claim ? [{ id, ...claim, slots, byline: [] }] : [];
  });
  const quotes = findQuotes(elements, visible, blocks).map(({ element, ...quote }): PageClaim => ({
    id: `s${page.elementNumbers.get(element)}`,
    kind: 'quote',
    ...quote,
  }));
  return [
    ...quotes,
    ...builtClaims,
    ...elements.flatMap((element) => findJsonClaims(page, element)),
  ];
}

const STAR = /(?:^|\s)(?:[\w-]*-)?stars?(?:-(?:fill|half|solid))?(?=\s|$)/i;
const MIN_STARS = 3;

/** A star rating in an element, of characters or of icons. */
function readStars(element: PageElement): Pick<PageClaim, 'kind' | 'text'> | undefined {
  const [row] = /[★⭐☆✩✮✭]{3,10}/u.exec(childText(element).replace(/[\s\uFE0F]/gu, '')) ?? [];
  if (row !== undefined) return { kind: 'rating', text: row };
  const icons = childrenOf(element).filter((child) => STAR.test(attributeOf(child, 'class') ?? ''));
  const isRating = icons.length >= MIN_STARS && icons.length <= 10;
  return isRating ? { kind: 'rating', text: '★'.repeat(icons.length) } : undefined;
}
