import { ancestors, attributeOf, parentOf, type Element, type HtmlDocument } from './document.ts';
import { countsOf } from '../../countsOf.ts';
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
 * How similar the structure of two pages is, without landmarks: 1 for the same parent and child
 * pairs, 0 for none in common (Dice's coefficient of these pairs).
 */
export function likeness(a: HtmlDocument, b: HtmlDocument): number {
  const [pairsA, pairsB] = [pairsOf(a), pairsOf(b)];
  let common = 0;
  for (const [pair, count] of pairsA) common += Math.min(count, pairsB.get(pair) ?? 0);
  const total = sum(pairsA) + sum(pairsB);
  return total === 0 ? 1 : (2 * common) / total;
}

function pairsOf({ elements }: HtmlDocument): Map<string, number> {
  const pairs: string[] = [];
  let inHead = true;
  for (const element of elements) {
    const parent = parentOf(element);
    if (element.tagName === 'body' || element.tagName === 'frameset') inHead = false;
    if (!parent || inHead || landmarkOf(element)) continue;
    pairs.push(`${parent.tagName}>${element.tagName}`);
  }
  return countsOf(pairs);
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
