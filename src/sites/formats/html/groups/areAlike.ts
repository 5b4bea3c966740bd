import { likeness } from '../../../../text/likeness.ts';
import {
  attributeOf,
  childrenOf,
  descendants,
  tokensOf,
  within,
  type Element,
} from '../document.ts';

/** Elements that are part of a text and not of a block's structure. */
const inline = new Set(
  'a abbr b bdi bdo br button cite code data del dfn em font i img ins kbd label mark picture q s samp small source span strong sub sup svg time u var wbr'.split(
    ' ',
  ),
);
/**
 * Classes for a state, a place in a row, or a distance. Siblings of the same structure differ in
 * them.
 */
const state =
  /^(?:is-.*|active|current|selected|open|opened|show|shown|collapsed|expanded|disabled|featured|highlighted|popular|first|last|odd|even|aos-.*|(?:m|p|g)[trblxyse]?-.*)$/;
/** The least likeness of siblings with a common class: one may have a button that another lacks. */
const ALIKE = 0.6;

const classesOf = (element: Element) =>
  tokensOf(element, 'class').filter((name) => !state.test(name));

/**
 * Whether two siblings have a similar structure. Items of a list always do, and so do rows with the
 * same cells.
 */
export function areAlike(a: Element, b: Element): boolean {
  if (a.tagName !== b.tagName) return false;
  if (['li', 'details', 'dt'].includes(a.tagName)) return true;
  if (a.tagName === 'tr') return cellsOf(a) === cellsOf(b);
  const [own, other] = [classesOf(a), classesOf(b)];
  const share = own.some((name) => other.includes(name));
  if (!share && (own.length > 0 || other.length > 0)) return false;
  return likeness(pathsOf(a), pathsOf(b)) >= (share ? ALIKE : 1);
}

const cellsOf = (row: Element) =>
  childrenOf(row)
    .map(
      (cell) =>
        `${cell.tagName}${attributeOf(cell, 'colspan') ?? ''}${attributeOf(cell, 'rowspan') ?? ''}`,
    )
    .join(' ');

/** The distinct paths of the blocks in an element: `>div>p`. */
function pathsOf(root: Element): Set<string> {
  const paths = new Map<Element, string>([[root, '']]);
  for (const element of descendants(root)) {
    const around = paths.get(element.parentNode as Element);
    if (around !== undefined && !inline.has(element.tagName))
      paths.set(element, `${around}>${element.tagName}`);
    else if (around !== undefined) paths.set(element, around);
  }
  return new Set(paths.values());
}

/** An element's full structure, with the classes of all elements in it. */
export const signatureOf = (root: Element): string =>
  within([root])
    .map((element) => `${element.tagName}.${attributeOf(element, 'class') ?? ''}`)
    .join(' ');
