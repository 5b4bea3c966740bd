import { liesIn } from '../../../../text/range.ts';
import { cut, quoted } from '../../../../text/text.ts';
import { plainText } from '../../../pages/slotText.ts';
import { holdersOf } from '../markup/wrapper.ts';
import { childrenOf, parentOf, rangeOf, tokensOf, type Element } from '../document.ts';
import type { Page } from '../openPage.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

const LONGEST_NAME = 60;
const LONGEST_TEXT = 40;

/**
 * Where new elements stand, in words: `section.tint > div.wrap in main, behind section (s60
 * "Prices"), before section (s84 "Recent work")`.
 * @param first the number of the first one: 1 for `n1`
 */
export function surroundingsOf(page: Page, first: number): string {
  const isNew = (element: Element) =>
    Number(/^n(\d+)$/.exec(page.numbers.get(element) ?? '')?.[1] ?? 0) >= first;
  const root = page.elements.find(isNew);
  const parent = root && parentOf(root);
  if (!parent) return 'nothing';
  const siblings = childrenOf(parent);
  const beside = [
    ['behind', siblings[siblings.indexOf(root) - 1]],
    ['before', siblings[siblings.findLastIndex(isNew) + 1]],
  ] as const;
  const chain = holdersOf(root);
  return [
    `${(chain.length === 0 ? [root] : chain).map(nameOf).join(' > ')} in ${nameOf(parent)}`,
    ...beside.flatMap(([word, element]) =>
      element ? [`${word} ${nameOf(element)}${textIn(page, element)}`] : [],
    ),
  ].join(', ');
}

/** `section.tint.wide` */
const nameOf = (element: Element) =>
  cut([element.tagName, ...tokensOf(element, 'class')].join('.'), LONGEST_NAME);

/** The heading of an element, else its first text: ` (s60 "Prices")`. */
function textIn(page: Page, element: Element): string {
  const slots = findSlotPlaces(page)
    .filter((place) => liesIn(place, rangeOf(element)))
    .map(({ slot }) => slot);
  const slot = slots.find(({ role }) => role === 'heading') ?? slots[0];
  return slot ? ` (${slot.id} ${quoted(plainText(slot.text), LONGEST_TEXT)})` : '';
}
