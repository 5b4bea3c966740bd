import type { Spot } from '../../faults.ts';
import type { Element } from '../document.ts';

export const spotOf = (element: Element, attribute?: string): Spot => ({
  line: element.sourceCodeLocation?.startLine ?? 1,
  element: `<${element.tagName}${attribute === undefined ? '' : ` ${attribute}`}>`,
});
