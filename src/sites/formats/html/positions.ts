import {
  ancestors,
  attributeOf,
  parentOf,
  type PageElement,
  type HtmlDocument,
} from './document.ts';
import { landmarkOf } from './roles.ts';

const inlineTags = new Set('a abbr b bdi em font i mark s small span strong u'.split(' '));

/**
 * The position of an element, to compare pages: the names of its ancestors up to its landmark, with
 * the landmark's label, else up to the root. Classes and counts are left out, since an active link
 * changes them.
 */
export function elementPosition(element: PageElement): string {
  const landmark = landmarkOf(element);
  const names: string[] = [];
  for (const ancestor of ancestors(element)) {
    if (ancestor === landmark)
      return [...names, landmarkName(landmark), ...outerLandmarks(landmark)].join('<');
    if (!inlineTags.has(ancestor.tagName)) names.push(ancestor.tagName);
  }
  return names.join('<');
}

const landmarkName = (landmark: PageElement) =>
  `${landmark.tagName}(${attributeOf(landmark, 'aria-label') ?? ''})`;

function outerLandmarks(landmark: PageElement): string[] {
  const parent = parentOf(landmark);
  const outerLandmark = parent && landmarkOf(parent);
  return outerLandmark ? [landmarkName(outerLandmark), ...outerLandmarks(outerLandmark)] : [];
}

/**
 * The pairs of parent and child elements of a page, without landmarks, to compare the structure of
 * pages. Equal pairs are numbered: `section>p 1`, `section>p 2`.
 */
export function pageStructure({ elements }: HtmlDocument): Set<string> {
  const counts = new Map<string, number>();
  const pairs = new Set<string>();
  let inHead = true;
  for (const element of elements) {
    const parent = parentOf(element);
    if (element.tagName === 'body' || element.tagName === 'frameset') inHead = false;
    if (!parent || inHead || landmarkOf(element)) continue;
    const pair = `${parent.tagName}>${element.tagName}`;
    const count = (counts.get(pair) ?? 0) + 1;
    counts.set(pair, count);
    pairs.add(`${pair} ${count}`);
  }
  return pairs;
}
