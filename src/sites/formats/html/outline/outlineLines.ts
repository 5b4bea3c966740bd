import type { TextRange } from '../../../../text/textRange.ts';
import { rangeOf, type PageElement, type HtmlDocument } from '../document.ts';
import { elementSlotId, type HtmlPage } from '../openHtmlPage.ts';
import { createUrlResolver } from '../links/urlResolver.ts';
import { isImageElement, isLinkElement } from '../links/pageLinks.ts';
import { landmarkOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { describeElements } from './describeElements.ts';

/** The part of a page that a line is from: body, head, or structured data. */
export type OutlinePart = 'body' | 'head' | 'data';

/** One text of a page, or a link or image without one. */
export interface OutlineLine extends TextRange {
  id: string;
  /** The kind of text, with a link's target: `h3`, `a(/team)`. */
  kind: string;
  /** The slot's text; '' for a link or image without one. */
  text: string;
  /** Its links: ` {a(/team)}`. */
  links: string;
  part: OutlinePart;
  isInLandmark: boolean;
}

/** Characters of a text before it is cut. */
const MAX_TEXT_LENGTH = 4_000;

/** All texts, links and images of a page, in document order. */
export function listOutlineLines(
  page: HtmlPage,
  isMissing: (url: string) => boolean,
): OutlineLine[] {
  const descriptions = describeElements(createUrlResolver(page), isMissing);
  const isInHead = createHeadTest(page);
  const textLines = findSlotPlaces(page).map((place): OutlineLine => ({
    id: place.slot.id,
    kind: descriptions.textKind(place),
    text: shortenedText(place),
    links: descriptions.linksIn(place),
    part: place.slot.jsonPath !== undefined ? 'data' : isInHead(place.element) ? 'head' : 'body',
    isInLandmark: landmarkOf(place.element) !== null,
    start: place.start,
    end: place.end,
  }));
  const isUndescribed = (element: PageElement) =>
    !descriptions.isDescribed(element) &&
    (isLinkElement(element) || isImageElement(element)) &&
    element.sourceCodeLocation !== undefined;
  const otherLines = page.elements.filter(isUndescribed).map((element): OutlineLine => ({
    id: elementSlotId(page, element),
    kind: isLinkElement(element) ? descriptions.link(element) : descriptions.image(element),
    text: '',
    links: '',
    part: 'body',
    isInLandmark: landmarkOf(element) !== null,
    ...rangeOf(element),
  }));
  return [...textLines, ...otherLines].sort(
    (first, second) => first.start - second.start || second.end - first.end,
  );
}

const shortenedText = ({ slot }: SlotPlace) =>
  slot.text.length <= MAX_TEXT_LENGTH
    ? slot.text
    : `${slot.text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}… (${slot.text.length - MAX_TEXT_LENGTH} more characters)`;

/** Makes a test for elements of the head. */
function createHeadTest({ elements }: HtmlDocument): (element: PageElement) => boolean {
  const headElements = new Set<unknown>();
  for (const element of elements)
    if (element.tagName === 'head' || headElements.has(element.parentNode))
      headElements.add(element);
  return (element) => headElements.has(element);
}
