import { likeness } from '../../../../text/similarity.ts';
import {
  attributeOf,
  childrenOf,
  descendants,
  tokensOf,
  within,
  type PageElement,
} from '../document.ts';

/** Elements that are part of a text and not of a block's structure. */
const inlineTags = new Set(
  'a abbr b bdi bdo br button cite code data del dfn em font i img ins kbd label mark picture q s samp small source span strong sub sup svg time u var wbr'.split(
    ' ',
  ),
);
/**
 * Classes for a state, a position in a row, or a distance. Siblings of the same structure differ in
 * them.
 */
const stateClass =
  /^(?:is-.*|active|current|selected|open|opened|show|shown|collapsed|expanded|disabled|featured|highlighted|popular|first|last|odd|even|aos-.*|(?:m|p|g)[trblxyse]?-.*)$/;
/** The least likeness of siblings with a common class: one may have a button that another lacks. */
const MIN_LIKENESS = 0.6;

const structuralClasses = (element: PageElement) =>
  tokensOf(element, 'class').filter((name) => !stateClass.test(name));

/**
 * Whether two siblings have a similar structure. Items of a list always do, and so do rows with the
 * same cells.
 */
export function areAlike(element: PageElement, sibling: PageElement): boolean {
  if (element.tagName !== sibling.tagName) return false;
  if (['li', 'details', 'dt'].includes(element.tagName)) return true;
  if (element.tagName === 'tr') return rowCells(element) === rowCells(sibling);
  const [classes, otherClasses] = [structuralClasses(element), structuralClasses(sibling)];
  const sharesClass = classes.some((name) => otherClasses.includes(name));
  if (!sharesClass && (classes.length > 0 || otherClasses.length > 0)) return false;
  return likeness(blockPaths(element), blockPaths(sibling)) >= (sharesClass ? MIN_LIKENESS : 1);
}

const rowCells = (row: PageElement) =>
  childrenOf(row)
    .map(
      (cell) =>
        `${cell.tagName}${attributeOf(cell, 'colspan') ?? ''}${attributeOf(cell, 'rowspan') ?? ''}`,
    )
    .join(' ');

/** The distinct paths of the blocks in an element: `>div>p`. */
function blockPaths(root: PageElement): Set<string> {
  const paths = new Map<PageElement, string>([[root, '']]);
  for (const element of descendants(root)) {
    const parentPath = paths.get(element.parentNode as PageElement);
    if (parentPath !== undefined && !inlineTags.has(element.tagName))
      paths.set(element, `${parentPath}>${element.tagName}`);
    else if (parentPath !== undefined) paths.set(element, parentPath);
  }
  return new Set(paths.values());
}

/** An element's full structure, with the classes of all elements in it. */
export const structureSignature = (root: PageElement): string =>
  within([root])
    .map((element) => `${element.tagName}.${attributeOf(element, 'class') ?? ''}`)
    .join(' ');
