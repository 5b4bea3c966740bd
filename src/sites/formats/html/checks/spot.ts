import type { Element } from '../document.ts';

/** A place in a page's source. */
export interface Spot {
  /** Counted from 1. */
  line: number;
  /** `<a href>`: the element, and the attribute where it is one. */
  element: string;
}

export const spotOf = (element: Element, attribute?: string): Spot => ({
  line: element.sourceCodeLocation?.startLine ?? 1,
  element: `<${element.tagName}${attribute === undefined ? '' : ` ${attribute}`}>`,
});
