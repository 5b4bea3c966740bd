import { html } from 'parse5';
import { attributeOf, isText, type PageElement, type HtmlDocument } from '../document.ts';
import { allElements } from '../insideTemplates.ts';
import { sourcePosition } from './sourcePosition.ts';
import type { SourcePosition } from '../../pageFindings.ts';

/** Adds an error. Of several with the same key, the first counts. */
type AddError = (key: string, spot: SourcePosition) => void;

/**
 * Adds errors that the parser does not report: elements without an end tag, and tags that made no
 * element. Newer browsers may make an element from such a tag, as in `<select><img>`.
 */
export function addHiddenErrors(page: HtmlDocument, addError: AddError) {
  const elements = allElements(page);
  const starts = new Set(
    elements.map(({ sourceCodeLocation: location }) => location?.startTag?.startOffset),
  );
  for (const element of elements) {
    const spot = sourcePosition(element);
    if (page.elementNumbers.has(element) && isLeftOpen(element))
      addError(`element-without-end-tag at ${spot.element} ${attributeOf(element, 'class')}`, spot);
    for (const { tag, offset } of strayTags(page, element)) {
      const name = tag.slice(0, 40).toLowerCase();
      if (tag.startsWith('</'))
        addError(`end-tag-without-element at ${name}`, { ...spot, element: name });
      else if (!starts.has(offset))
        addError(`start-tag-without-element at ${tag}`, {
          ...spot,
          element: elementNameOfTag(tag),
        });
    }
  }
}

const elementNameOfTag = (tag: string) => `${/^<[a-z0-9-]{1,30}/i.exec(tag)?.[0].toLowerCase()}>`;

const implicitlyClosedTags = new Set(
  'html head body p li dt dd rt rp optgroup option colgroup caption thead tbody tfoot tr td th area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr image'.split(
    ' ',
  ),
);
const isLeftOpen = ({ tagName, namespaceURI, sourceCodeLocation: location }: PageElement) =>
  location?.startTag !== undefined &&
  location.endTag === undefined &&
  namespaceURI === html.NS.HTML &&
  !implicitlyClosedTags.has(tagName);

/** Elements in which tags are plain text, or whose elements are elsewhere in the tree. */
const textOnlyTags = new Set(
  'script style textarea title xmp iframe noembed noframes noscript plaintext template'.split(' '),
);
/** Matches an end tag, or a start tag with its attributes, which tell it from others. */
const anyTag = /<\/[a-z][^<>]*>|<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*/gi;

/** Tags in an element that the parser ignored. They are between its children, or in a text. */
function strayTags(
  { source }: HtmlDocument,
  { tagName, childNodes, sourceCodeLocation: location }: PageElement,
) {
  if (!location?.startTag || textOnlyTags.has(tagName)) return [];
  const ignored: [start: number, end: number][] = [];
  let position = location.startTag.endOffset;
  for (const child of childNodes) {
    const { startOffset = position, endOffset = position } = child.sourceCodeLocation ?? {};
    ignored.push([position, startOffset]);
    if (isText(child)) ignored.push([startOffset, endOffset]);
    position = Math.max(position, endOffset);
  }
  ignored.push([position, location.endTag?.startOffset ?? position]);
  return ignored.flatMap(([start, end]) => {
    const ignoredText = source.slice(start, end);
    if (!ignoredText.includes('<')) return [];
    return [...ignoredText.matchAll(anyTag)].map(({ 0: tag, index }) => ({
      tag,
      offset: start + index,
    }));
  });
}
