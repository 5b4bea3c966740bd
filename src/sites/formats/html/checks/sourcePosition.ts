import type { SourcePosition } from '../../pageFindings.ts';
import type { PageElement } from '../document.ts';

export const sourcePosition = (element: PageElement, attribute?: string): SourcePosition => ({
  line: element.sourceCodeLocation?.startLine ?? 1,
  element: `<${element.tagName}${attribute === undefined ? '' : ` ${attribute}`}>`,
});
