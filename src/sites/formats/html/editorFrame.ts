import MagicString from 'magic-string';
import type { FrameSettings } from '../format.ts';
import { removeAttribute, removeElement } from './writeAttributes.ts';
import {
  attributeOf,
  baseHref,
  closest,
  isElement,
  isSvg,
  isText,
  type PageElement,
  type HtmlDocument,
} from './document.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { escapeAttribute, isBlank } from '../escape.ts';

/** Elements whose text can't be edited in place. */
const uneditableTags = new Set(['select', 'datalist', 'head', 'textarea']);
/**
 * Elements that react to keys, or hold the whole page. A new element around their text gets the
 * mark, in place of the element itself.
 */
const unsuitableTags = new Set(['body', 'button', 'summary', 'html']);
const MARK = 'slot-text';

/**
 * Prepares a page for editing in a frame: see `FormatCalls.frame`. The page in the repository does
 * not change. The result has a `<base>` and the editor's markup (`head`), lacks what would break
 * the frame, and marks each text: with `attribute` `data-slot`, `<h1>Austin</h1>` becomes `<h1
 * data-slot="s12 0">Austin</h1>`.
 */
export function createEditorFrame(
  page: HtmlDocument,
  { url, head, attribute }: FrameSettings,
): string {
  const sourceEditor = new MagicString(page.source);
  const start = page.root.childNodes.find(({ nodeName }) => nodeName === '#documentType')
    ?.sourceCodeLocation?.endOffset;
  const base = escapeAttribute(frameBaseUrl(page, url), '"');
  sourceEditor.appendLeft(start ?? 0, `<base href="${base}" target="_self">${head}`);
  for (const element of page.elements)
    if (breaksFrame(element)) removeElement(sourceEditor, element);
    else removeAttribute(sourceEditor, element, 'referrerpolicy');
  for (const place of findSlotPlaces(page))
    if (isInPlace(place)) markTexts(sourceEditor, place, attribute);
  return sourceEditor.toString();
}

function frameBaseUrl(page: HtmlDocument, url: string): string {
  // oxlint-disable-next-line own/no-bare-url-parse -- in a thread, whose CPU time is limited
  const base = URL.parse(baseHref(page) ?? '', url);
  return base && /^https?:$/.test(base.protocol) ? base.href : url;
}

/**
 * Whether a `meta` element would break the frame: a refresh, a Content-Security-Policy, which is
 * made for the page's own origin, or a referrer policy, which would tell others the URL of the
 * frame.
 */
const breaksFrame = (element: PageElement) =>
  element.tagName === 'meta' &&
  (/^(refresh|content-security-policy)$/i.test((attributeOf(element, 'http-equiv') ?? '').trim()) ||
    (attributeOf(element, 'name') ?? '').trim().toLowerCase() === 'referrer');

/** Whether a text can be edited in its place. Attributes and texts of the head cannot. */
const isInPlace = ({ element, gaps }: SlotPlace) =>
  gaps !== undefined &&
  !closest(element, (ancestor) => isSvg(ancestor) || uneditableTags.has(ancestor.tagName));

/**
 * Marks each text between the inline tags of a slot. If the element has no other content, its own
 * tag gets the mark, otherwise a new element around the text.
 */
function markTexts(sourceEditor: MagicString, place: SlotPlace, attribute: string) {
  const { slot, element, gaps = [] } = place;
  const createMarker = (i: number) => ` ${attribute}="${slot.id} ${i}"`;
  const tag = element.sourceCodeLocation?.startTag;
  if (gaps.length === 1 && tag && isOnlyContent(element, place))
    return void sourceEditor.appendLeft(
      tag.startOffset + 1 + element.tagName.length,
      createMarker(0),
    );
  for (const [i, { start, end }] of gaps.entries()) {
    sourceEditor.appendRight(start, `<${MARK}${createMarker(i)}>`);
    if (start === end) sourceEditor.appendRight(start, `</${MARK}>`);
    else sourceEditor.appendLeft(end, `</${MARK}>`);
  }
}

/** Whether an element contains only this text. */
function isOnlyContent(element: PageElement, { start, end }: SlotPlace): boolean {
  if (unsuitableTags.has(element.tagName)) return false;
  return element.childNodes.every((node) => {
    const nodeStart = node.sourceCodeLocation?.startOffset ?? -1;
    if (isElement(node)) return false;
    return (nodeStart >= start && nodeStart < end) || !isText(node) || isBlank(node.value);
  });
}
