import type { Range } from '../../../../text/range.ts';
import { rangeOf, type Element, type HtmlDocument } from '../document.ts';
import { idOf, type Page } from '../openPage.ts';
import { addressesOf } from '../links/pageAddresses.ts';
import { isImage, isLink } from '../links/pageLinks.ts';
import { landmarkOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { describeElements } from './describeElements.ts';

/** The part of a page that a line is from: body, head, or structured data. */
export type Part = 'body' | 'head' | 'data';

/** One text of a page, or a link or image without one. */
export interface Line extends Range {
  id: string;
  /** The kind of text, with a link's target: `h3`, `a(/team)`. */
  kind: string;
  /** The slot's text; '' for a link or image without one. */
  text: string;
  /** Its links: ` {a(/team)}`. */
  parts: string;
  part: Part;
  isInLandmark: boolean;
}

/** Characters of a text before it is cut. */
const LONGEST_TEXT = 4_000;

/** All texts, links and images of a page, in document order. */
export function linesOf(page: Page, isMissing: (url: string) => boolean): Line[] {
  const say = describeElements(addressesOf(page), isMissing);
  const inHead = headOf(page);
  const texts = findSlotPlaces(page).map((place): Line => ({
    id: place.slot.id,
    kind: say.place(place),
    text: textOf(place),
    parts: say.parts(place),
    part: place.slot.jsonPath !== undefined ? 'data' : inHead(place.element) ? 'head' : 'body',
    isInLandmark: landmarkOf(place.element) !== null,
    start: place.start,
    end: place.end,
  }));
  const isLeft = (element: Element) =>
    !say.isSaid(element) &&
    (isLink(element) || isImage(element)) &&
    element.sourceCodeLocation !== undefined;
  const others = page.elements.filter(isLeft).map((element): Line => ({
    id: idOf(page, element),
    kind: isLink(element) ? say.link(element) : say.image(element),
    text: '',
    parts: '',
    part: 'body',
    isInLandmark: landmarkOf(element) !== null,
    ...rangeOf(element),
  }));
  return [...texts, ...others].sort((a, b) => a.start - b.start || b.end - a.end);
}

const textOf = ({ slot }: SlotPlace) =>
  slot.text.length <= LONGEST_TEXT
    ? slot.text
    : `${slot.text.slice(0, LONGEST_TEXT).toWellFormed()}… (${slot.text.length - LONGEST_TEXT} more characters)`;

/** Makes a test for elements of the head. */
function headOf({ elements }: HtmlDocument): (element: Element) => boolean {
  const inside = new Set<unknown>();
  for (const element of elements)
    if (element.tagName === 'head' || inside.has(element.parentNode)) inside.add(element);
  return (element) => inside.has(element);
}
