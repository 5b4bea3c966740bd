import { liesIn } from '../../../../text/range.ts';
import { hasWords } from '../../../../text/text.ts';
import { invalidInput } from '../../../invalidInput.ts';
import type { Edited } from '../../changes.ts';
import { closest, parentOf, rangeOf, textOf, within, type Element } from '../document.ts';
import { isImage } from '../links/pageLinks.ts';
import { elementOf, type Page } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';
import { without, withLead } from './recompose.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { blockAround, headingAt, sectionWith } from './sections.ts';

const sections = new Set(['section', 'article', 'aside', 'form', 'figure', 'blockquote']);
const whole = new Set(['main', 'body', 'html']);
/** Elements without which the one around them makes no sense. */
const needed = new Set(['summary', 'dt', 'dd', 'legend', 'option']);
const inline = new Set(
  'a abbr b bdi bdo br button cite code em font i img kbd label mark picture q s small span strong sub sup svg time u'.split(
    ' ',
  ),
);

/**
 * Removes a section or table by its id, else the section without a heading around an id, else the
 * block of a text or an image.
 * @throws DomainError INVALID_INPUT for an unknown id, and for what can't go alone
 */
export function removeSection(page: Page, id: string): Edited {
  const element = elementOf(page, id);
  const isSection = !element || element.tagName === 'table' || headingAt(page, id);
  const range = isSection ? sectionWith(page, id) : rangeOf(blockAt(page, element, id));
  return without(page, [withLead(page, range)]);
}

function blockAt(page: Page, element: Element, id: string): Element {
  const isNamed = (...names: string[]) =>
    closest(element, ({ tagName }) => names.includes(tagName)) !== undefined;
  if (isNamed('head', 'script')) throw invalidInput(`${id} is no part of what the page shows`);
  if (isNamed('table')) throw invalidInput(`${id} is part of a table: remove the whole row`);
  const landmark = landmarkOf(element);
  if (landmark)
    throw invalidInput(`${id} stands in the page's ${landmark.tagName}: remove the whole entry`);
  const around = blockAround(page, element);
  const parent = parentOf(around);
  if (sections.has(around.tagName) || !parent || whole.has(parent.tagName)) {
    if (isAll(page, around)) throw invalidInput(`${id} stands in all that the page shows`);
    return around;
  }
  const block = ownBlock(element, around);
  if (needed.has(block.tagName))
    throw invalidInput(`${id} is part of a table or list: remove the whole row or item`);
  const outer = parentOf(block);
  if (inline.has(block.tagName) && outer && hasWords(textOf(outer)) && !isImage(block))
    throw invalidInput(`${id} is part of a text: change the text`);
  return block;
}

/** Whether a page has no text of its own outside of an element. */
const isAll = (page: Page, block: Element) =>
  !findSlotPlaces(page).some(
    (place) =>
      !liesIn(place, rangeOf(block)) &&
      !landmarkOf(place.element) &&
      !closest(place.element, ({ tagName }) => tagName === 'head' || tagName === 'script'),
  );

/** The largest element, up to the one around, that has no other words and images. */
function ownBlock(element: Element, around: Element): Element {
  const images = (root: Element) => within([root]).filter(isImage).length;
  const text = (root: Element) => textOf(root).replace(/\s+/g, '');
  let block = element;
  for (let parent = parentOf(block); parent; parent = parentOf(block)) {
    const isMore = text(parent) !== text(block) || images(parent) !== images(block);
    if (isMore || !liesIn(rangeOf(parent), rangeOf(around))) break;
    block = parent;
  }
  return block;
}
