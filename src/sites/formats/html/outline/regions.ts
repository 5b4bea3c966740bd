import type { Region } from '../../page.ts';
import { closest, type Element } from '../document.ts';
import { numberIn, type Page } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';

/** The part of a page that each id of a text, link or image is in. */
export function regionsOf(page: Page, ids: string[]): Region[] {
  const byNumber = new Map(page.elements.map((element) => [page.numbers.get(element), element]));
  return ids.map((id) => {
    const element = byNumber.get(numberIn(id));
    return element ? regionOf(element) : 'content';
  });
}

function regionOf(element: Element): Region {
  if (element.tagName === 'script') return 'data';
  if (closest(element, ({ tagName }) => tagName === 'head')) return 'head';
  return landmarkOf(element) ? 'chrome' : 'content';
}
