import { html } from 'parse5';
import { attributeOf, isText, type Element, type HtmlDocument } from '../document.ts';
import { allElements } from '../insideTemplates.ts';
import { spotOf } from './spotOf.ts';
import type { Spot } from '../../faults.ts';

/** Adds an error. Of several with the same key, the first counts. */
type Add = (key: string, spot: Spot) => void;

/**
 * Adds errors that the parser does not report: elements without an end tag, and tags that made no
 * element. Newer browsers may make an element from such a tag, as in `<select><img>`.
 */
export function addHiddenErrors(page: HtmlDocument, add: Add) {
  const elements = allElements(page);
  const starts = new Set(elements.map(({ sourceCodeLocation: at }) => at?.startTag?.startOffset));
  for (const element of elements) {
    const spot = spotOf(element);
    if (page.numbers.has(element) && isLeftOpen(element))
      add(`element-without-end-tag at ${spot.element} ${attributeOf(element, 'class')}`, spot);
    for (const { tag, offset } of strayTags(page, element)) {
      const name = tag.slice(0, 40).toLowerCase();
      if (tag.startsWith('</'))
        add(`end-tag-without-element at ${name}`, { ...spot, element: name });
      else if (!starts.has(offset))
        add(`start-tag-without-element at ${tag}`, { ...spot, element: nameIn(tag) });
    }
  }
}

const nameIn = (tag: string) => `${/^<[a-z0-9-]{1,30}/i.exec(tag)?.[0].toLowerCase()}>`;

const endsByItself = new Set(
  'html head body p li dt dd rt rp optgroup option colgroup caption thead tbody tfoot tr td th area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr image plaintext'.split(
    ' ',
  ),
);
const isLeftOpen = ({ tagName, namespaceURI, sourceCodeLocation: place }: Element) =>
  place?.startTag !== undefined &&
  place.endTag === undefined &&
  namespaceURI === html.NS.HTML &&
  !endsByItself.has(tagName);

/** Elements in which tags are plain text, or whose elements are elsewhere in the tree. */
const holdsNoTags = new Set(
  'script style textarea title xmp iframe noembed noframes noscript plaintext template'.split(' '),
);
/** Matches an end tag, or a start tag with its attributes, which tell it from others. */
const anyTag = /<\/[a-z][^<>]*>|<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*/gi;

/** Tags in an element that the parser ignored. They are between its children, or in a text. */
function strayTags(
  { source }: HtmlDocument,
  { tagName, childNodes, sourceCodeLocation: place }: Element,
) {
  if (!place?.startTag || holdsNoTags.has(tagName)) return [];
  const ignored: [start: number, end: number][] = [];
  let position = place.startTag.endOffset;
  for (const child of childNodes) {
    const { startOffset = position, endOffset = position } = child.sourceCodeLocation ?? {};
    ignored.push([position, startOffset]);
    if (isText(child)) ignored.push([startOffset, endOffset]);
    position = Math.max(position, endOffset);
  }
  ignored.push([position, place.endTag?.startOffset ?? position]);
  return ignored.flatMap(([start, end]) => {
    const between = source.slice(start, end);
    if (!between.includes('<')) return [];
    return [...between.matchAll(anyTag)].map(({ 0: tag, index }) => ({
      tag,
      offset: start + index,
    }));
  });
}
