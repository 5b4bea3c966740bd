import { ancestors, attributeOf, parentOf, type Element, type HtmlDocument } from './document.ts';
import { landmarkOf } from './roles.ts';

const transparent = new Set('a abbr b bdi em font i mark s small span strong u'.split(' '));

/**
 * The position of an element, to compare pages: the names of its ancestors up to its landmark, with
 * the landmark's label, else up to the root. Classes and counts are left out, since an active link
 * changes them.
 */
export function positionOf(element: Element): string {
  const landmark = landmarkOf(element);
  const names: string[] = [];
  for (const around of ancestors(element)) {
    if (around === landmark)
      return [...names, landmarkName(landmark), ...outerLandmarks(landmark)].join('<');
    if (!transparent.has(around.tagName)) names.push(around.tagName);
  }
  return names.join('<');
}

const landmarkName = (landmark: Element) =>
  `${landmark.tagName}(${attributeOf(landmark, 'aria-label') ?? ''})`;

function outerLandmarks(landmark: Element): string[] {
  const parent = parentOf(landmark);
  const outer = parent && landmarkOf(parent);
  return outer ? [landmarkName(outer), ...outerLandmarks(outer)] : [];
}

/**
 * The parent and child pairs of a page's structure, without landmarks. Equal ones are numbered.
 */
export function structureOf({ elements }: HtmlDocument): Set<string> {
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
